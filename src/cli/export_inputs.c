/* SPDX-License-Identifier: MIT */
#include "cli/export_inputs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/output.h"
#include "report/export/export.h"

const char *const mlv_export_forms[] = { "chrome", "folded", "csv", "sqlite", NULL };

/* What is written, and where to. */
struct job {
	const struct mlv_export_ask *ask;
	const struct mlv_inputs *in;
	const char *path;
	const struct mlv_run **runs; /* of all inputs */
	struct mlv_exported done;
};

static enum mlv_rc write_folded(const struct job *job, struct mlv_output *o, struct mlv_err *err)
{
	struct mlv_flame_source source;
	struct mlv_sink sink = mlv_output_sink(o);
	enum mlv_rc rc = mlv_flame_source_init(&source, job->in, &job->ask->flame, err);
	if (rc)
		return rc;
	rc = mlv_export_folded(&source.flame, &sink, err);
	mlv_flame_source_fini(&source);
	return rc;
}

static enum mlv_rc write_chrome(const struct job *job, struct mlv_output *o, struct mlv_err *err)
{
	struct mlv_sink sink = mlv_output_sink(o);
	return mlv_export_chrome(job->runs, job->in->count, &sink, err);
}

/* SQLite wants a name: that of the temporary file, which becomes the one of -o. */
static enum mlv_rc write_sqlite(const struct job *job, struct mlv_output *o, struct mlv_err *err)
{
	struct mlv_relation_sources sources;
	const char *path = mlv_output_temporary(o);
	struct stat st;
	if (!path)
		return mlv_err_set(err, MLV_E_USAGE,
				   "a database can only be written to a regular file: name one "
				   "with -o");
	enum mlv_rc rc = mlv_relation_sources_init(&sources, job->runs, job->in->count, err);
	if (rc)
		return rc;
	rc = mlv_export_sqlite(&sources, path, err);
	mlv_relation_sources_fini(&sources);
	if (!rc && stat(path, &st) == 0)
		o->written = (uint64_t)st.st_size;
	return rc;
}

static enum mlv_rc write_csv(const struct job *job, struct mlv_relation_sources *sources,
			     const struct mlv_relation *table, const char *path, uint64_t *written,
			     struct mlv_err *err)
{
	struct mlv_output o;
	enum mlv_rc rc = mlv_output_open(&o, path, err);
	if (rc)
		return rc;
	struct mlv_sink sink = mlv_output_sink(&o);
	rc = mlv_export_csv(sources, table, job->ask->raw, &sink, err);
	rc = mlv_output_close(&o, rc, err);
	*written += o.written;
	return rc;
}

/* A file NAME.csv for each table that has rows, in a directory that is made if it is not there. */
static enum mlv_rc write_all_csv(struct job *job, struct mlv_relation_sources *sources,
				 struct mlv_err *err)
{
	const char *dir = job->path;
	struct mlv_buf path = { 0 };
	enum mlv_rc rc = MLV_OK;
	if (mkdir(dir, 0777) != 0 && errno != EEXIST) {
		mlv_err_file(err, dir);
		return mlv_err_set(err, MLV_E_OUTPUT, "cannot be made: %s", strerror(errno));
	}
	for (const struct mlv_relation *const *t = mlv_relations; !rc && *t; t++) {
		if (!mlv_relation_rows(sources, *t))
			continue;
		path.len = 0;
		mlv_buf_printf(&path, "%s/%s.csv", dir, (*t)->name);
		struct mlv_err own = MLV_ERR_INIT;
		rc = path.failed ? mlv_err_nomem(&own)
				 : write_csv(job, sources, *t, path.data, &job->done.bytes, &own);
		job->done.files++;
		/* The name is the buffer's, which is gone when the error is told. */
		if (rc)
			mlv_err_set(err, rc, "%.150s: %s", path.failed ? dir : path.data, own.msg);
	}
	mlv_buf_fini(&path);
	return rc;
}

static enum mlv_rc export_csv(struct job *job, struct mlv_err *err)
{
	const char *name = job->ask->table;
	struct mlv_relation_sources sources;
	enum mlv_rc rc = mlv_relation_sources_init(&sources, job->runs, job->in->count, err);
	if (rc)
		return rc;
	const struct mlv_relation *table =
		name ? mlv_relation_find(name) : mlv_relation_main(&sources);
	job->done.files = 1;
	if (name && strcmp(name, "all") == 0) {
		job->done.files = 0;
		rc = write_all_csv(job, &sources, err);
	} else {
		rc = write_csv(job, &sources, table, job->path ? job->path : "-", &job->done.bytes,
			       err);
	}
	mlv_relation_sources_fini(&sources);
	return rc;
}

static enum mlv_rc export_one(struct job *job, struct mlv_err *err)
{
	const char *path = job->path;
	struct mlv_output o;
	enum mlv_rc rc = mlv_output_open(&o, path ? path : "-", err);
	if (rc)
		return rc;
	if (job->ask->to == MLV_EXPORT_CHROME)
		rc = write_chrome(job, &o, err);
	else if (job->ask->to == MLV_EXPORT_SQLITE)
		rc = write_sqlite(job, &o, err);
	else
		rc = write_folded(job, &o, err);
	rc = mlv_output_close(&o, rc, err);
	job->done.bytes = o.written;
	job->done.files = 1;
	return rc;
}

enum mlv_rc mlv_export_inputs(const struct mlv_inputs *in, const struct mlv_export_ask *ask,
			      const char *path, struct mlv_exported *done, struct mlv_err *err)
{
	struct job job = {
		.ask = ask, .in = in, .path = path, .runs = calloc(in->count, sizeof(*job.runs))
	};
	if (!job.runs)
		return mlv_err_nomem(err);
	for (size_t i = 0; i < in->count; i++)
		job.runs[i] = &in->list[i].run;
	enum mlv_rc rc = ask->to == MLV_EXPORT_CSV ? export_csv(&job, err) : export_one(&job, err);
	*done = job.done;
	free(job.runs);
	return rc;
}
