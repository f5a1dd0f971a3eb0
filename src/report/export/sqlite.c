/* SPDX-License-Identifier: MIT */
/*
 * All tables as a SQLite database. The file holds nothing but what the input
 * does: no time, no name, so the same input gives the same bytes with the same
 * version of the library. The caller gives the name of a file that is empty
 * and nobody else's, and lets it appear when it is whole: a journal would only
 * cost time.
 */
#include <sqlite3.h>

#include "base/utf8.h"
#include "report/export/export.h"
#include "report/export/relations.h"

/* Joins that most questions need. docs/export.md describes them. */
static const char views[] =
	"CREATE INDEX attributes_span ON attributes(run, span) WHERE span IS NOT NULL;"
	"CREATE INDEX attributes_finding ON attributes(run, finding) WHERE finding IS NOT NULL;"
	"CREATE UNIQUE INDEX stacks_stack ON stacks(run, stack);"
	"CREATE UNIQUE INDEX frames_frame ON frames(run, frame);"
	"CREATE UNIQUE INDEX tracks_track ON tracks(run, track);"
	"CREATE VIEW lives AS SELECT r.rank, a.*,"
	" a.died_ns - a.born_ns AS lived_ns,"
	/* As call sites are named everywhere: the stack of a free tells nothing of the making. */
	" CASE WHEN a.origin IN ('known by its free', 'counted before the recording')"
	" OR (a.origin = 'known by its final block' AND s.frame IS NULL)"
	" THEN 'older than the recording'"
	" ELSE coalesce(s.site, 'stack not recorded') END AS site, s.text AS stack_text"
	" FROM allocations a JOIN runs r ON r.run = a.run"
	" LEFT JOIN stacks s ON s.run = a.run AND s.stack = a.stack;"
	"CREATE VIEW alive_at_peak AS SELECT l.* FROM lives l"
	" JOIN devices d ON d.run = l.run AND d.device = l.device"
	" WHERE coalesce(l.born_event, -1) <= d.peak_event"
	" AND (l.died_event IS NULL OR l.died_event > d.peak_event);"
	"CREATE VIEW alive_at_end AS SELECT * FROM lives WHERE died_event IS NULL;"
	"CREATE VIEW calls AS SELECT r.rank, s.*, t.label AS track_label, k.site,"
	" k.text AS stack_text FROM spans s JOIN runs r ON r.run = s.run"
	" LEFT JOIN tracks t ON t.run = s.run AND t.track = s.track"
	" LEFT JOIN stacks k ON k.run = s.run AND k.stack = s.stack;";

struct writing {
	sqlite3 *db;
	sqlite3_stmt *insert;
	struct mlv_buf text;
};

static enum mlv_rc fail(struct writing *w, struct mlv_err *err)
{
	if (sqlite3_errcode(w->db) == SQLITE_NOMEM)
		return mlv_err_nomem(err);
	return mlv_err_set(err, MLV_E_OUTPUT, "cannot be written: %.150s", sqlite3_errmsg(w->db));
}

static enum mlv_rc run_sql(struct writing *w, const char *sql, struct mlv_err *err)
{
	return sqlite3_exec(w->db, sql, NULL, NULL, NULL) == SQLITE_OK ? MLV_OK : fail(w, err);
}

/* SQLite takes the word of whoever binds it that a text is UTF-8, and some readers end at NUL. */
static struct mlv_str valid(struct writing *w, struct mlv_str s)
{
	size_t clean = 0, i = 0;
	w->text.len = 0;
	while (i < s.n) {
		uint32_t cp;
		size_t len = mlv_utf8_step(s.p + i, s.n - i, &cp);
		if (cp == MLV_UTF8_INVALID || !cp) {
			mlv_buf_add(&w->text, s.p + clean, i - clean);
			mlv_buf_puts(&w->text, "\xef\xbf\xbd");
			clean = i + len;
		}
		i += len;
	}
	if (!clean)
		return s;
	mlv_buf_add(&w->text, s.p + clean, s.n - clean);
	return (struct mlv_str){ w->text.data, w->text.len };
}

static int bind_text(struct writing *w, int column, struct mlv_str s)
{
	struct mlv_str text = valid(w, s);
	return sqlite3_bind_text64(w->insert, column, text.p ? text.p : "", text.n,
				   SQLITE_TRANSIENT, SQLITE_UTF8);
}

static int bind(struct writing *w, int column, const struct mlv_value *v)
{
	switch (v->kind) {
	case MLV_VALUE_INT:
		return sqlite3_bind_int64(w->insert, column, v->i);
	case MLV_VALUE_UINT: /* what is beyond its integers has their bits */
		return sqlite3_bind_int64(w->insert, column, (int64_t)v->u);
	case MLV_VALUE_REAL:
		return sqlite3_bind_double(w->insert, column, v->real);
	case MLV_VALUE_TEXT:
		return bind_text(w, column, v->text);
	default:
		return sqlite3_bind_null(w->insert, column);
	}
}

static enum mlv_rc put_row(void *opaque, const struct mlv_relation_row *row, struct mlv_err *err)
{
	struct writing *w = opaque;
	bool ok = true;
	for (size_t i = 0; ok && i < row->count; i++)
		ok = bind(w, (int)i + 1, &row->values[i]) == SQLITE_OK;
	if (w->text.failed)
		return mlv_err_nomem(err);
	if (!ok || sqlite3_step(w->insert) != SQLITE_DONE || sqlite3_reset(w->insert) != SQLITE_OK)
		return fail(w, err);
	return MLV_OK;
}

/* Names of tables and columns are ours, and no words of SQL. */
static enum mlv_rc create(struct writing *w, const struct mlv_relation *table, struct mlv_err *err)
{
	struct mlv_buf sql = { 0 };
	mlv_buf_printf(&sql, "CREATE TABLE %s(", table->name);
	for (const struct mlv_relation_column *c = table->columns; c->name; c++)
		mlv_buf_printf(&sql, "%s%s %s", c == table->columns ? "" : ", ", c->name, c->type);
	mlv_buf_puts(&sql, ")");
	enum mlv_rc rc = sql.failed ? mlv_err_nomem(err) : run_sql(w, sql.data, err);
	sql.len = 0;
	mlv_buf_printf(&sql, "INSERT INTO %s VALUES(", table->name);
	for (const struct mlv_relation_column *c = table->columns; c->name; c++)
		mlv_buf_puts(&sql, c == table->columns ? "?" : ",?");
	mlv_buf_puts(&sql, ")");
	if (!rc && sql.failed)
		rc = mlv_err_nomem(err);
	if (!rc && sqlite3_prepare_v2(w->db, sql.data, -1, &w->insert, NULL) != SQLITE_OK)
		rc = fail(w, err);
	mlv_buf_fini(&sql);
	return rc;
}

static enum mlv_rc put_table(struct writing *w, struct mlv_relation_sources *sources,
			     const struct mlv_relation *table, struct mlv_err *err)
{
	enum mlv_rc rc = create(w, table, err);
	if (!rc)
		rc = mlv_relation_walk(sources, table, put_row, w, err);
	sqlite3_finalize(w->insert);
	w->insert = NULL;
	return rc;
}

static enum mlv_rc write_all(struct writing *w, struct mlv_relation_sources *sources,
			     struct mlv_err *err)
{
	enum mlv_rc rc =
		run_sql(w,
			"PRAGMA page_size = 4096; PRAGMA journal_mode = OFF;"
			"PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;"
			"PRAGMA application_id = 1835824762; PRAGMA user_version = 1; BEGIN",
			err);
	for (const struct mlv_relation *const *t = mlv_relations; !rc && *t; t++)
		rc = put_table(w, sources, *t, err);
	if (!rc)
		rc = run_sql(w, views, err);
	return rc ? rc : run_sql(w, "COMMIT", err);
}

enum mlv_rc mlv_export_sqlite(struct mlv_relation_sources *sources, const char *path,
			      struct mlv_err *err)
{
	struct writing w = { 0 };
	enum mlv_rc rc = MLV_OK;
	if (sqlite3_open_v2(path, &w.db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK)
		rc = w.db ? fail(&w, err) : mlv_err_nomem(err);
	if (!rc)
		rc = write_all(&w, sources, err);
	if (sqlite3_close(w.db) != SQLITE_OK && !rc)
		rc = mlv_err_set(err, MLV_E_OUTPUT, "cannot be written");
	mlv_buf_fini(&w.text);
	return rc;
}
