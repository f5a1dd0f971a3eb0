/* SPDX-License-Identifier: MIT */
/* Tables of what every format has: runs, properties, diagnostics, tracks, frames and stacks. */
#include <inttypes.h>

#include "analysis/alive.h"
#include "analysis/track_label.h"
#include "report/export/relation_row.h"

/* Frames of a stack that its text shows, from the inside out: any depth has a bound. */
enum { TEXT_FRAMES = 24 };

static size_t one(const struct mlv_relation_source *s)
{
	(void)s;
	return 1;
}

static bool run_row(struct mlv_relation_source *s, size_t i, struct mlv_relation_row *r)
{
	(void)i;
	mlv_row_text(r, s->run->file);
	mlv_row_text(r, s->run->format);
	mlv_row_int_unless(r, s->run->rank, -1);
	return true;
}

const struct mlv_relation mlv_relation_runs = {
	"runs",
	MLV_RELATION_COLUMNS({ "file", "TEXT" }, { "format", "TEXT" }, { "rank", "INTEGER" }), one,
	run_row
};

static size_t properties(const struct mlv_relation_source *s)
{
	return s->run->properties.len;
}

static bool property_row(struct mlv_relation_source *s, size_t i, struct mlv_relation_row *r)
{
	const struct mlv_property *p = &s->run->properties.data[i];
	bool text = p->kind == MLV_PROP_TEXT || p->kind == MLV_PROP_DECIMAL;
	mlv_row_name(r, s->run, p->group);
	mlv_row_name(r, s->run, p->key);
	if (text) {
		mlv_row_none(r);
		mlv_row_str(r, mlv_run_str(s->run, p->text));
	} else {
		mlv_row_int(r, p->number);
		mlv_row_none(r);
	}
	return true;
}

const struct mlv_relation mlv_relation_properties = {
	"properties",
	MLV_RELATION_COLUMNS({ "section", "TEXT" }, { "key", "TEXT" }, { "number", "INTEGER" },
			     { "text", "TEXT" }),
	properties, property_row
};

static size_t diagnostics(const struct mlv_relation_source *s)
{
	return s->run->diags.list.len;
}

static bool diagnostic_row(struct mlv_relation_source *s, size_t i, struct mlv_relation_row *r)
{
	static const char *const severities[] = { "note", "warning", "damage" };
	const struct mlv_diag *d = &s->run->diags.list.data[i];
	mlv_row_text(r, severities[d->severity]);
	mlv_row_text(r, d->code);
	mlv_row_text(r, d->text);
	mlv_row_uint(r, d->count);
	mlv_row_int_unless(r, d->device, -1);
	mlv_row_int_unless(r, d->line, 0);
	if (d->offset == MLV_NO_OFFSET)
		mlv_row_none(r);
	else
		mlv_row_uint(r, d->offset);
	return true;
}

const struct mlv_relation mlv_relation_diagnostics = {
	"diagnostics",
	MLV_RELATION_COLUMNS({ "severity", "TEXT" }, { "code", "TEXT" }, { "text", "TEXT" },
			     { "count", "INTEGER" }, { "device", "INTEGER" }, { "line", "INTEGER" },
			     { "byte_offset", "INTEGER" }),
	diagnostics, diagnostic_row
};

static size_t tracks(const struct mlv_relation_source *s)
{
	return s->run->tracks.len;
}

static bool track_row(struct mlv_relation_source *s, size_t i, struct mlv_relation_row *r)
{
	const struct mlv_track *t = &s->run->tracks.data[i];
	char label[300];
	mlv_row_uint(r, i);
	mlv_row_text(r, mlv_track_kind_name(t->kind));
	mlv_row_track(r, t->parent);
	mlv_row_int_unless(r, t->number, -1);
	mlv_row_name(r, s->run, t->name);
	mlv_track_label(s->run, (mlv_trackid){ (uint32_t)i }, label, sizeof(label));
	mlv_buf_puts(mlv_row_make(r, 0), label);
	mlv_row_made(r, 0);
	return true;
}

const struct mlv_relation mlv_relation_tracks = {
	"tracks",
	MLV_RELATION_COLUMNS({ "track", "INTEGER" }, { "kind", "TEXT" }, { "parent", "INTEGER" },
			     { "number", "INTEGER" }, { "name", "TEXT" }, { "label", "TEXT" }),
	tracks, track_row
};

static size_t frames(const struct mlv_relation_source *s)
{
	return s->run->stacks.frames.len;
}

static bool frame_row(struct mlv_relation_source *s, size_t i, struct mlv_relation_row *r)
{
	const struct mlv_frame *f = &s->run->stacks.frames.data[i];
	mlv_row_uint(r, i);
	mlv_row_name(r, s->run, f->function);
	mlv_row_name(r, s->run, f->file);
	mlv_row_int_unless(r, f->line, 0);
	return true;
}

const struct mlv_relation mlv_relation_frames = {
	"frames",
	MLV_RELATION_COLUMNS({ "frame", "INTEGER" }, { "function", "TEXT" }, { "file", "TEXT" },
			     { "line", "INTEGER" }),
	frames, frame_row
};

/* Beginning with the one that has no frame; what has no stack at all has no row either. */
static size_t stacks(const struct mlv_relation_source *s)
{
	return s->run->stacks.nodes.len - MLV_STACK_EMPTY.i;
}

static void put_text(const struct mlv_run *run, mlv_stackid stack, struct mlv_buf *out)
{
	char place[256];
	unsigned n = 0;
	for (mlv_stackid id = stack; mlv_stack_has_frame(id);
	     id = mlv_stack_caller(&run->stacks, id)) {
		const struct mlv_frame *f = mlv_stack_frame(&run->stacks, id);
		mlv_buf_puts(out, n ? " < " : "");
		if (n++ == TEXT_FRAMES) {
			mlv_buf_puts(out, "\u2026");
			return;
		}
		mlv_buf_str(out, mlv_str_head(mlv_run_str(run, f->function), 200));
		mlv_frame_place(run, run->stacks.nodes.data[id.i].frame, place, sizeof(place));
		mlv_buf_printf(out, " %s", place);
	}
}

static bool stack_row(struct mlv_relation_source *s, size_t i, struct mlv_relation_row *r)
{
	mlv_stackid id = { (uint32_t)i + MLV_STACK_EMPTY.i };
	const struct mlv_stack_node *n = &s->run->stacks.nodes.data[id.i];
	char name[MLV_NAME_SIZE], place[MLV_NAME_SIZE];
	uint32_t site;
	if (!mlv_site_of(&s->sites, id, &site))
		return false;
	mlv_row_int(r, id.i);
	bool framed = mlv_stack_has_frame(id);
	mlv_row_int_unless(r, framed ? (int64_t)n->frame.i : -1, -1);
	mlv_row_int_unless(r, framed && mlv_stack_has_frame(n->caller) ? (int64_t)n->caller.i : -1,
			   -1);
	mlv_row_int(r, s->depth[id.i]);
	mlv_site_function(&s->sites, site, name, sizeof(name));
	mlv_site_place(&s->sites, site, place, sizeof(place));
	bool placed = framed && *place;
	mlv_buf_printf(mlv_row_make(r, 0), "%s%s%s", name, placed ? " " : "", placed ? place : "");
	mlv_row_made(r, 0);
	put_text(s->run, id, mlv_row_make(r, 1));
	mlv_row_made(r, 1);
	return true;
}

const struct mlv_relation mlv_relation_stacks = {
	"stacks",
	MLV_RELATION_COLUMNS({ "stack", "INTEGER" }, { "frame", "INTEGER" },
			     { "caller", "INTEGER" }, { "depth", "INTEGER" }, { "site", "TEXT" },
			     { "text", "TEXT" }),
	stacks, stack_row
};
