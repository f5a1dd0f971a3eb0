/* SPDX-License-Identifier: MIT */
/*
 * The limit on memory: a small archive cannot ask for more than its share,
 * whichever loop reads it.
 */
#include <string.h>
#include <zstd.h>

#include "base/buf.h"
#include "base/source.h"
#include "parsers/parser.h"
#include "unit.h"

/* Content that is tiny as stored, and whose every dozen bytes make something that is kept. */
struct hostile {
	const char *format;
	struct mlv_str head, again, tail;
};

#define PICKLE_HEAD "\x80\x04}X\x08\0\0\0segments("
#define PROFILE_KEY ")\3z\1az\1a"

static const struct hostile hostiles[] = {
	{ "text", MLV_STR_INIT(""), MLV_STR_INIT("MA 0.10 GiB | Max_MA 0.87 GiB\n"),
	  MLV_STR_INIT("") },
	{ "strace", MLV_STR_INIT(""), MLV_STR_INIT("close(3) = 0\n"), MLV_STR_INIT("") },
	{ "torch-snapshot", MLV_STR_INIT(PICKLE_HEAD), MLV_STR_INIT("NN}"), MLV_STR_INIT("ls.") },
	{ "torch-snapshot", MLV_STR_INIT("{\"segments\":["), MLV_STR_INIT("[],"),
	  MLV_STR_INIT("0]}") },
	{ "fr-dump", MLV_STR_INIT("{\"entries\":["), MLV_STR_INIT("{},"), MLV_STR_INIT("0]}") },
	{ "py-spy-json", MLV_STR_INIT("["), MLV_STR_INIT("{},"), MLV_STR_INIT("0]") },
	{ "memory-stats", MLV_STR_INIT("["), MLV_STR_INIT("{},"), MLV_STR_INIT("0]") },
	{ "memory-report", MLV_STR_INIT("{\"rank_reports\":["), MLV_STR_INIT("0,"),
	  MLV_STR_INIT("0]}") },
	{ "hyperfine", MLV_STR_INIT("{\"results\":["), MLV_STR_INIT("0,"), MLV_STR_INIT("0]}") },
	{ "kineto", MLV_STR_INIT("{\"traceEvents\":["),
	  MLV_STR_INIT("{\"ph\":\"X\",\"name\":\"a\",\"ts\":1,\"dur\":1,\"pid\":1,\"tid\":1},"),
	  MLV_STR_INIT("0]}") },
	{ "cprofile-binary", MLV_STR_INIT("{"),
	  MLV_STR_INIT(PROFILE_KEY "i\1\0\0\0)\5i\1\0\0\0i\1\0\0\0"
				   "g\0\0\0\0\0\0\0\0g\0\0\0\0\0\0\0\0{0"),
	  MLV_STR_INIT("0") },
};

enum { RAW = 3 << 20, BASE = 256 << 10 };

static void fill(const struct hostile *h, struct mlv_buf *archive)
{
	struct mlv_buf raw = { 0 };
	mlv_buf_str(&raw, h->head);
	while (raw.len < RAW)
		mlv_buf_str(&raw, h->again);
	mlv_buf_str(&raw, h->tail);
	size_t room = ZSTD_compressBound(raw.len);
	ZSTD_CCtx *zstd = ZSTD_createCCtx();
	archive->data = malloc(room);
	unit_check(!raw.failed && archive->data && zstd);
	/* A window of 128 KiB: it is not to be what the limit stops. */
	unit_check(!ZSTD_isError(ZSTD_CCtx_setParameter(zstd, ZSTD_c_windowLog, 17)));
	archive->len = ZSTD_compress2(zstd, archive->data, room, raw.data, raw.len);
	ZSTD_freeCCtx(zstd);
	mlv_buf_fini(&raw);
	unit_check(!ZSTD_isError(archive->len) && archive->len * MLV_MEMORY_PER_BYTE < BASE);
}

static enum mlv_rc read_archive(const struct mlv_buf *archive, const char *format,
				const struct mlv_limits *limits, struct mlv_run *run,
				struct mlv_err *err)
{
	struct mlv_source *src;
	struct mlv_reader reader;
	const struct mlv_parser *parser;
	struct mlv_bytes bytes = { (const uint8_t *)archive->data, archive->len };
	unit_check(mlv_run_init(run, "input"));
	unit_check(!mlv_source_memory(&src, "input", bytes, 0, limits, NULL));
	mlv_reader_init(&reader, src);
	unit_check(!mlv_parser_find((struct mlv_bytes){ 0 }, format, &parser, NULL));
	struct mlv_parse p = { .reader = &reader, .run = run, .limits = limits, .forced = format };
	enum mlv_rc rc = parser->parse(&p, err);
	mlv_reader_fini(&reader);
	mlv_source_close(src);
	return rc;
}

START_TEST(test_every_loop)
{
	for (size_t i = 0; i < sizeof(hostiles) / sizeof(hostiles[0]); i++) {
		struct mlv_limits limits = mlv_limits_default;
		struct mlv_buf archive = { 0 };
		struct mlv_run run;
		struct mlv_err err = MLV_ERR_INIT;
		fill(&hostiles[i], &archive);
		limits.memory = BASE;
		enum mlv_rc rc = read_archive(&archive, hostiles[i].format, &limits, &run, &err);
		ck_assert_msg(rc == MLV_E_LIMIT && strstr(err.msg, "--limit memory=N"),
			      "%zu %s: %d %s", i, hostiles[i].format, rc, err.msg);
		/* The tables, and twice what the pieces between two looks can make. */
		ck_assert_uint_le(mlv_run_bytes(&run), 40 * BASE);
		mlv_run_fini(&run);
		/* It is the limit on memory that ended it, and no other. */
		err = MLV_ERR_INIT;
		rc = read_archive(&archive, hostiles[i].format, &mlv_limits_default, &run, &err);
		ck_assert_msg(rc != MLV_E_LIMIT, "%zu %s: %s", i, hostiles[i].format, err.msg);
		mlv_run_fini(&run);
		mlv_buf_fini(&archive);
	}
}
END_TEST

UNIT_MAIN("budget", test_every_loop)
