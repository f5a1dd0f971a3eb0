/* SPDX-License-Identifier: MIT */
#include "unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "base/buf.h"
#include "base/source.h"

/* Text that compresses, but not away. */
static void fill_text(struct mlv_buf *b, size_t n)
{
	uint64_t state = 99;
	while (b->len < n)
		mlv_buf_printf(b, "event %u, ", (unsigned)(unit_random(&state) % 1000));
	b->len = n;
}

static void add_gzip(struct mlv_buf *b, const void *data, size_t n)
{
	z_stream z;
	memset(&z, 0, sizeof(z));
	ck_assert_int_eq(deflateInit2(&z, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
	size_t cap = deflateBound(&z, n);
	uint8_t *out = malloc(cap);
	uint8_t *in = malloc(n + 1);
	if (n)
		memcpy(in, data, n);
	z.next_in = in;
	z.avail_in = (uInt)n;
	z.next_out = out;
	z.avail_out = (uInt)cap;
	ck_assert_int_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
	mlv_buf_add(b, out, z.total_out);
	deflateEnd(&z);
	free(in);
	free(out);
}

static void add_zstd(struct mlv_buf *b, const void *data, size_t n)
{
	size_t cap = ZSTD_compressBound(n);
	void *out = malloc(cap);
	size_t len = ZSTD_compress(out, cap, data, n, 3);
	ck_assert(!ZSTD_isError(len));
	mlv_buf_add(b, out, len);
	free(out);
}

/* Everything a source gives; `spans` counts. The error must come back at every further call. */
static enum mlv_rc drain(struct mlv_source *s, struct mlv_buf *out, struct mlv_err *err,
			 size_t *spans)
{
	*err = MLV_ERR_INIT;
	*spans = 0;
	for (;;) {
		struct mlv_bytes span;
		enum mlv_rc rc = mlv_source_next(s, &span, err);
		if (rc) {
			struct mlv_err again = MLV_ERR_INIT;
			unit_check(mlv_source_next(s, &span, &again) == rc);
			unit_check(strcmp(again.msg, err->msg) == 0);
			unit_check(err->file == mlv_source_name(s));
			unit_check(err->offset == out->len);
			return rc;
		}
		if (!span.n) {
			unit_check(mlv_source_next(s, &span, err) == MLV_OK && !span.n);
			return MLV_OK;
		}
		++*spans;
		mlv_buf_add(out, span.p, span.n);
	}
}

static const struct mlv_limits *limits = &mlv_limits_default;

/* Read `stored` through a memory source into a fresh `out`. */
static enum mlv_rc read_memory(const struct mlv_buf *stored, size_t n, size_t chunk,
			       struct mlv_buf *out, struct mlv_err *err)
{
	struct mlv_source *s;
	struct mlv_bytes bytes = { (const uint8_t *)stored->data, n };
	size_t spans;
	memset(out, 0, sizeof(*out));
	*err = MLV_ERR_INIT;
	unit_check(mlv_source_memory(&s, "memory", bytes, chunk, limits, err) == MLV_OK);
	enum mlv_rc rc = drain(s, out, err, &spans);
	mlv_source_close(s);
	return rc;
}

static bool same(const struct mlv_buf *a, const struct mlv_buf *b)
{
	return a->len == b->len && (!a->len || memcmp(a->data, b->data, a->len) == 0);
}

/* Reading `stored` at many chunk sizes gives `rc` (with `msg` in its text) after `expected`. */
static void check_read(const struct mlv_buf *stored, const struct mlv_buf *expected, enum mlv_rc rc,
		       const char *msg)
{
	static const size_t chunks[] = { 0, 1, 2, 3, 4, 5, 6, 7, 100, 1021, 65536 };
	for (size_t i = 0; i < sizeof(chunks) / sizeof(chunks[0]); i++) {
		struct mlv_buf out;
		struct mlv_err err;
		enum mlv_rc got = read_memory(stored, stored->len, chunks[i], &out, &err);
		ck_assert_msg(got == rc, "chunk %zu: rc %d, %s", chunks[i], got, err.msg);
		ck_assert_msg(same(&out, expected), "chunk %zu: %zu bytes instead of %zu",
			      chunks[i], out.len, expected->len);
		ck_assert_msg(!msg || strstr(err.msg, msg), "\"%s\"", err.msg);
		mlv_buf_fini(&out);
	}
}

START_TEST(plain_memory)
{
	struct mlv_buf data = { 0 };
	fill_text(&data, 3000);
	check_read(&data, &data, MLV_OK, NULL);
	struct mlv_bytes bytes = { (const uint8_t *)data.data, data.len };
	for (size_t chunk = 0; chunk < 10; chunk++) {
		struct mlv_source *s;
		struct mlv_buf out = { 0 };
		struct mlv_err err;
		size_t spans;
		ck_assert_int_eq(mlv_source_memory(&s, "m", bytes, chunk, limits, NULL), MLV_OK);
		ck_assert_int_eq(drain(s, &out, &err, &spans), MLV_OK);
		ck_assert_uint_eq(spans, chunk ? (data.len + chunk - 1) / chunk : 1);
		ck_assert_int_eq(mlv_source_stable(s), chunk == 0);
		ck_assert_int_eq(mlv_source_compression(s), MLV_PLAIN);
		ck_assert_uint_eq(mlv_source_stored_bytes(s), data.len);
		ck_assert_str_eq(mlv_source_name(s), "m");
		mlv_source_close(s);
		mlv_buf_fini(&out);
	}
	mlv_buf_fini(&data);
	mlv_source_close(NULL);
	/* Nothing at all, and what is too short for any magic. */
	check_read(&(struct mlv_buf){ 0 }, &(struct mlv_buf){ 0 }, MLV_OK, NULL);
	mlv_buf_add(&data, "\x1f\x8b", 2);
	check_read(&data, &data, MLV_OK, NULL);
	mlv_buf_fini(&data);
}
END_TEST

START_TEST(compressed_memory)
{
	/* More than a chunk of output, so that decoding stops and goes on. */
	static const size_t sizes[] = { 0, 1, 5000, 600000 };
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct mlv_buf data = { 0 }, gz = { 0 }, zst = { 0 };
		fill_text(&data, sizes[i]);
		add_gzip(&gz, data.data, data.len);
		check_read(&gz, &data, MLV_OK, NULL);
		add_zstd(&zst, data.data, data.len);
		check_read(&zst, &data, MLV_OK, NULL);
		struct mlv_source *s;
		struct mlv_bytes bytes = { (const uint8_t *)zst.data, zst.len };
		ck_assert_int_eq(mlv_source_memory(&s, "m", bytes, 0, limits, NULL), MLV_OK);
		ck_assert_int_eq(mlv_source_compression(s), MLV_ZSTD);
		ck_assert(!mlv_source_stable(s));
		mlv_source_close(s);
		mlv_buf_fini(&data);
		mlv_buf_fini(&gz);
		mlv_buf_fini(&zst);
	}
}
END_TEST

START_TEST(truncated_anywhere)
{
	for (unsigned zstd = 0; zstd < 2; zstd++) {
		struct mlv_buf data = { 0 }, packed = { 0 };
		fill_text(&data, 700);
		(zstd ? add_zstd : add_gzip)(&packed, data.data, data.len);
		size_t magic = zstd ? 4 : 3;
		for (size_t n = 0; n < packed.len; n++) {
			for (size_t chunk = 0; chunk < 8; chunk++) {
				struct mlv_buf out;
				struct mlv_err err;
				enum mlv_rc rc = read_memory(&packed, n, chunk, &out, &err);
				if (n < magic) {
					unit_check(rc == MLV_OK && out.len == n);
				} else {
					unit_check(rc == MLV_E_FORMAT);
					unit_check(strstr(err.msg, "data ends early"));
					unit_check(out.len <= data.len);
					unit_check(!out.len ||
						   !memcmp(out.data, data.data, out.len));
					/* Only the checksum of gzip is missing: all was there. */
					unit_check(zstd || n < packed.len - 8 ||
						   out.len == data.len);
				}
				mlv_buf_fini(&out);
			}
		}
		mlv_buf_fini(&data);
		mlv_buf_fini(&packed);
	}
}
END_TEST

START_TEST(members_and_padding)
{
	static const char zeros[600] = { 0 };
	struct mlv_buf data = { 0 }, twice = { 0 }, b = { 0 };
	fill_text(&data, 2000);
	mlv_buf_add(&twice, data.data, data.len);
	mlv_buf_add(&twice, data.data, data.len);

	add_gzip(&b, data.data, data.len);
	add_gzip(&b, data.data, data.len);
	check_read(&b, &twice, MLV_OK, NULL);
	add_gzip(&b, "", 0);
	mlv_buf_add(&b, zeros, sizeof(zeros));
	check_read(&b, &twice, MLV_OK, NULL);
	mlv_buf_puts(&b, "x");
	check_read(&b, &twice, MLV_E_FORMAT, "neither gzip nor padding");

	b.len = 0;
	add_gzip(&b, data.data, data.len);
	mlv_buf_add(&b, zeros, 3);
	add_gzip(&b, data.data, data.len);
	check_read(&b, &twice, MLV_OK, NULL);
	mlv_buf_add(&b, "\x1f\x8b", 2);
	check_read(&b, &twice, MLV_E_FORMAT, "gzip data ends early");
	mlv_buf_puts(&b, "junk");
	check_read(&b, &twice, MLV_E_FORMAT, "gzip data is damaged");

	b.len = 0;
	mlv_buf_add(&b, "\x5c\x2a\x4d\x18\x05\0\0\0extra", 13); /* a skippable frame */
	add_zstd(&b, data.data, data.len);
	mlv_buf_add(&b, "\x50\x2a\x4d\x18\0\0\0\0", 8);
	add_zstd(&b, "", 0);
	add_zstd(&b, data.data, data.len);
	check_read(&b, &twice, MLV_OK, NULL);
	mlv_buf_puts(&b, "junk");
	check_read(&b, &twice, MLV_E_FORMAT, "not zstd");

	mlv_buf_fini(&data);
	mlv_buf_fini(&twice);
	mlv_buf_fini(&b);
}
END_TEST

START_TEST(damage_after_the_data)
{
	struct mlv_buf data = { 0 }, b = { 0 };
	fill_text(&data, 2000);
	add_gzip(&b, data.data, data.len);
	b.data[b.len - 6] ^= 1; /* in the checksum */
	check_read(&b, &data, MLV_E_FORMAT, "incorrect data check");
	mlv_buf_fini(&b);
	mlv_buf_fini(&data);
	/* A frame that asks for a window of 2^41. */
	mlv_buf_add(&b, "\x28\xb5\x2f\xfd\x00\xf8\x01\0\0\0\0\0", 12);
	static struct mlv_limits most;
	most = mlv_limits_default;
	most.memory = UINT64_C(2) << 30;
	limits = &most;
	check_read(&b, &data, MLV_E_UNSUPPORTED, "window above 2 GiB");
	limits = &mlv_limits_default;
	mlv_buf_fini(&b);
}
END_TEST

/* A window is memory, which a few bytes of a header ask for. */
START_TEST(limit_of_window)
{
	static struct mlv_limits few;
	struct mlv_buf b = { 0 }, data = { 0 };
	few = mlv_limits_default;
	limits = &few;
	/* A frame with a window of 2 MiB and a block as it is. */
	mlv_buf_add(&b, "\x28\xb5\x2f\xfd\x00\x58\x19\0\0abc", 12);
	mlv_buf_puts(&data, "abc");
	few.memory = 2 << 20;
	check_read(&b, &data, MLV_OK, NULL);
	few.memory = (2 << 20) - 1;
	check_read(&b, &(struct mlv_buf){ 0 }, MLV_E_LIMIT,
		   "a window above 1 MiB, as from zstd --long; raise it with --limit memory=");
	/* The same of 1 GiB. */
	b.data[5] = (char)0xa0;
	few.memory = mlv_limits_default.memory;
	check_read(&b, &(struct mlv_buf){ 0 }, MLV_E_LIMIT, "a window above 512 MiB");
	limits = &mlv_limits_default;
	mlv_buf_fini(&b);
	mlv_buf_fini(&data);
}
END_TEST

START_TEST(any_damage_is_survived)
{
	uint64_t state = 5;
	for (unsigned round = 0; round < 1000; round++) {
		struct mlv_buf data = { 0 }, b = { 0 }, out, again;
		struct mlv_err err, same_err;
		fill_text(&data, 900);
		(round % 2 ? add_zstd : add_gzip)(&b, data.data, data.len);
		for (uint64_t i = unit_random(&state) % 4 + 1; i; i--)
			b.data[unit_random(&state) % b.len] = (char)unit_random(&state);
		enum mlv_rc rc = read_memory(&b, b.len, 0, &out, &err);
		enum mlv_rc rc2 =
			read_memory(&b, b.len, unit_random(&state) % 50 + 1, &again, &same_err);
		unit_check(rc == rc2);
		unit_check(rc == MLV_OK || *err.msg);
		unit_check(rc != MLV_OK || same(&out, &again));
		mlv_buf_fini(&out);
		mlv_buf_fini(&again);
		mlv_buf_fini(&b);
		mlv_buf_fini(&data);
	}
}
END_TEST

START_TEST(limit_of_bytes)
{
	static struct mlv_limits few; /* static: a failing check jumps out of here */
	few = mlv_limits_default;
	struct mlv_buf data = { 0 }, gz = { 0 }, zst = { 0 };
	fill_text(&data, 5000);
	add_gzip(&gz, data.data, data.len);
	add_zstd(&zst, data.data, data.len);
	limits = &few;
	for (uint64_t bytes = 5000; bytes >= 4998; bytes--) {
		few.bytes = bytes;
		data.len = (size_t)bytes;
		enum mlv_rc rc = bytes == 5000 ? MLV_OK : MLV_E_LIMIT;
		const char *msg = rc ? "--limit bytes=" : NULL;
		check_read(&gz, &data, rc, msg);
		check_read(&zst, &data, rc, msg);
		struct mlv_buf plain = { data.data, 5000, 0, false };
		check_read(&plain, &data, rc, msg);
	}
	few.bytes = 0;
	check_read(&gz, &(struct mlv_buf){ 0 }, MLV_E_LIMIT, "--limit bytes=");
	limits = &mlv_limits_default;
	mlv_buf_fini(&gz);
	mlv_buf_fini(&zst);
	mlv_buf_fini(&data);
}
END_TEST

/* Padding and frames with nothing in them do not go on for ever: what holds 64 MiB more than twice
 * its content is given up, with the content read. */
START_TEST(hollow_data)
{
	enum { SIZE = 70 << 20, FRAME = 9 };
	static const uint8_t empty_frame[FRAME] = { 0x28, 0xb5, 0x2f, 0xfd, 0x20, 0, 1, 0, 0 };
	struct mlv_buf data = { 0 };
	fill_text(&data, 5000);
	for (unsigned zstd = 0; zstd < 2; zstd++) {
		struct mlv_buf stored = { 0 }, out;
		struct mlv_err err;
		struct mlv_buf whole = { calloc(1, SIZE), SIZE, SIZE, false };
		(zstd ? add_zstd : add_gzip)(&stored, data.data, data.len);
		memcpy(whole.data, stored.data, stored.len);
		for (size_t at = stored.len; zstd && at + FRAME <= SIZE; at += FRAME)
			memcpy(whole.data + at, empty_frame, FRAME);
		size_t end = stored.len + (SIZE - stored.len) / FRAME * FRAME;
		size_t before = end - (8 << 20) / FRAME * FRAME;
		ck_assert_int_eq(read_memory(&whole, before, 0, &out, &err), MLV_OK);
		ck_assert(same(&out, &data));
		mlv_buf_fini(&out);
		ck_assert_int_eq(read_memory(&whole, end, 0, &out, &err), MLV_E_FORMAT);
		ck_assert_ptr_nonnull(strstr(err.msg, "padding or empty frames"));
		ck_assert(same(&out, &data));
		mlv_buf_fini(&out);
		mlv_buf_fini(&whole);
		mlv_buf_fini(&stored);
	}
	mlv_buf_fini(&data);
}
END_TEST

START_TEST(limit_of_ratio)
{
	enum { SIZE = 80 << 20, FREE = 64 << 20 };
	void *zeros = calloc(1, SIZE);
	static struct mlv_limits ratio;
	ratio = mlv_limits_default;
	limits = &ratio;
	for (unsigned zstd = 0; zstd < 2; zstd++) {
		struct mlv_buf bomb = { 0 }, out;
		struct mlv_err err;
		(zstd ? add_zstd : add_gzip)(&bomb, zeros, SIZE);
		ratio.ratio = 500;
		ck_assert_int_eq(read_memory(&bomb, bomb.len, 0, &out, &err), MLV_E_LIMIT);
		ck_assert_ptr_nonnull(strstr(err.msg, "--limit ratio="));
		ck_assert_uint_ge(out.len, FREE);
		ck_assert_uint_le(out.len, FREE + (1 << 20));
		mlv_buf_fini(&out);
		ratio.ratio = 1000000;
		ck_assert_int_eq(read_memory(&bomb, bomb.len, 0, &out, &err), MLV_OK);
		ck_assert_uint_eq(out.len, SIZE);
		mlv_buf_fini(&out);
		/* What stays below 64 MiB may have any ratio. */
		bomb.len = 0;
		(zstd ? add_zstd : add_gzip)(&bomb, zeros, FREE);
		ratio.ratio = 1;
		ck_assert_int_eq(read_memory(&bomb, bomb.len, 0, &out, &err), MLV_OK);
		mlv_buf_fini(&out);
		mlv_buf_fini(&bomb);
	}
	limits = &mlv_limits_default;
	free(zeros);
}
END_TEST

static char directory[64];

static const char *in_directory(const char *name)
{
	static char path[128];
	snprintf(path, sizeof(path), "%s/%s", directory, name);
	return path;
}

static void write_file(const char *path, const struct mlv_buf *b)
{
	FILE *f = fopen(path, "wb");
	ck_assert_ptr_nonnull(f);
	if (b->len)
		ck_assert_uint_eq(fwrite(b->data, 1, b->len, f), b->len);
	fclose(f);
}

static void check_path(const char *path, const struct mlv_buf *expected, size_t expected_spans)
{
	struct mlv_source *s;
	struct mlv_err err = MLV_ERR_INIT;
	struct mlv_buf out = { 0 };
	size_t spans;
	ck_assert_msg(!mlv_source_open(&s, path, limits, &err), "%s", err.msg);
	ck_assert_msg(!drain(s, &out, &err, &spans), "%s", err.msg);
	ck_assert(same(&out, expected));
	if (expected_spans != SIZE_MAX)
		ck_assert_uint_eq(spans, expected_spans);
	mlv_source_close(s);
	mlv_buf_fini(&out);
}

START_TEST(files)
{
	strcpy(directory, "/tmp/mlviz-unit-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(directory));
	struct mlv_buf data = { 0 }, packed = { 0 };
	const char *path = in_directory("file");
	write_file(path, &data);
	check_path(path, &data, 0);
	fill_text(&data, 1000000);
	write_file(path, &data);
	check_path(path, &data, 1);
	struct mlv_source *s;
	ck_assert_int_eq(mlv_source_open(&s, path, limits, NULL), MLV_OK);
	ck_assert(mlv_source_stable(s));
	ck_assert_ptr_eq(mlv_source_name(s), path);
	ck_assert_uint_eq(mlv_source_stored_bytes(s), data.len);
	mlv_source_close(s);
	/* Recognised by the content, whatever the name. */
	add_gzip(&packed, data.data, data.len);
	write_file(path, &packed);
	check_path(path, &data, SIZE_MAX);
	packed.len = 0;
	add_zstd(&packed, data.data, data.len);
	write_file(path, &packed);
	check_path(path, &data, SIZE_MAX);
	unlink(path);
	rmdir(directory);
	mlv_buf_fini(&data);
	mlv_buf_fini(&packed);
}
END_TEST

START_TEST(files_that_cannot_be_read)
{
	struct mlv_source *s = NULL;
	struct mlv_err err = MLV_ERR_INIT;
	ck_assert_int_eq(mlv_source_open(&s, "/nowhere/x", limits, &err), MLV_E_IO);
	ck_assert_ptr_nonnull(strstr(err.msg, "No such file"));
	ck_assert_str_eq(err.file, "/nowhere/x");
	err = MLV_ERR_INIT;
	ck_assert_int_eq(mlv_source_open(&s, "/tmp", limits, &err), MLV_E_IO);
	ck_assert_ptr_nonnull(strstr(err.msg, "directory"));
	ck_assert_ptr_null(s);
	check_path("/dev/null", &(struct mlv_buf){ 0 }, 0);
}
END_TEST

/* The reading end of a pipe that holds `b` in pieces and is closed behind it. */
static int pipe_with(const struct mlv_buf *b)
{
	int fds[2];
	ck_assert_int_eq(pipe(fds), 0);
	for (size_t i = 0; i < b->len; i += 3000) {
		size_t n = b->len - i < 3000 ? b->len - i : 3000;
		ck_assert_int_eq(write(fds[1], b->data + i, n), (ssize_t)n);
	}
	close(fds[1]);
	return fds[0];
}

START_TEST(pipes)
{
	struct mlv_buf data = { 0 }, packed = { 0 };
	for (unsigned i = 0; i < 6; i++) {
		data.len = packed.len = 0;
		fill_text(&data, i % 2 ? 2 : 40000);
		if (i / 2 == 0)
			mlv_buf_add(&packed, data.data, data.len);
		else
			(i / 2 == 1 ? add_gzip : add_zstd)(&packed, data.data, data.len);
		char path[32];
		int fd = pipe_with(&packed);
		snprintf(path, sizeof(path), "/dev/fd/%d", fd);
		check_path(path, &data, SIZE_MAX);
		close(fd);
		/* The same as standard input, which is left open. */
		int saved = dup(STDIN_FILENO);
		fd = pipe_with(&packed);
		dup2(fd, STDIN_FILENO);
		close(fd);
		check_path("-", &data, SIZE_MAX);
		ck_assert_int_ne(fcntl(STDIN_FILENO, F_GETFD), -1);
		if (saved >= 0) {
			dup2(saved, STDIN_FILENO);
			close(saved);
		}
	}
	mlv_buf_fini(&data);
	mlv_buf_fini(&packed);
}
END_TEST

START_TEST(standard_input_from_a_file)
{
	/* As after a shell has read the first line: from the current position on. */
	char path[] = "/tmp/mlviz-unit-XXXXXX";
	struct mlv_buf data = { 0 };
	fill_text(&data, 9000);
	int fd = mkstemp(path);
	ck_assert_int_eq(write(fd, data.data, data.len), (ssize_t)data.len);
	lseek(fd, 5, SEEK_SET);
	int saved = dup(STDIN_FILENO);
	dup2(fd, STDIN_FILENO);
	struct mlv_buf rest = { data.data + 5, data.len - 5, 0, false };
	check_path("-", &rest, 1);
	lseek(fd, 0, SEEK_END);
	check_path("-", &(struct mlv_buf){ 0 }, 0);
	if (saved >= 0) {
		dup2(saved, STDIN_FILENO);
		close(saved);
	}
	close(fd);
	unlink(path);
	mlv_buf_fini(&data);
}
END_TEST

UNIT_MAIN("base_source", plain_memory, compressed_memory, truncated_anywhere, members_and_padding,
	  damage_after_the_data, any_damage_is_survived, limit_of_bytes, limit_of_window,
	  hollow_data, limit_of_ratio, files, files_that_cannot_be_read, pipes,
	  standard_input_from_a_file)
