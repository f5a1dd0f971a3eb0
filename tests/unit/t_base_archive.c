/* SPDX-License-Identifier: MIT */
/* Tar archives made here, whole, cut at every byte, and damaged. */
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "base/archive.h"

enum { BLOCK = 512 };

static void field(uint8_t *block, size_t at, size_t size, uint64_t value)
{
	char digits[16];
	snprintf(digits, sizeof(digits), "%0*llo", (int)size - 1, (unsigned long long)value);
	memcpy(block + at, digits, size - 1);
}

/* A header and its bytes, filled up to whole blocks. */
static void member(struct mlv_buf *tar, const char *name, char type, struct mlv_bytes data,
		   uint64_t stated)
{
	static const uint8_t zeros[BLOCK] = { 0 };
	uint8_t h[BLOCK] = { 0 };
	uint64_t sum = 0;
	memcpy(h, name, strlen(name));
	field(h, 100, 8, 0644);
	field(h, 108, 8, 0);
	field(h, 116, 8, 0);
	field(h, 124, 12, stated);
	field(h, 136, 12, 0);
	h[156] = (uint8_t)type;
	memcpy(h + 257,
	       "ustar\0"
	       "00",
	       8);
	memset(h + 148, ' ', 8);
	for (size_t i = 0; i < BLOCK; i++)
		sum += h[i];
	field(h, 148, 7, sum);
	h[154] = 0;
	mlv_buf_add(tar, h, BLOCK);
	mlv_buf_add(tar, data.p, data.n);
	mlv_buf_add(tar, zeros, (BLOCK - data.n % BLOCK) % BLOCK);
}

static void end(struct mlv_buf *tar)
{
	static const uint8_t zeros[2 * BLOCK] = { 0 };
	mlv_buf_add(tar, zeros, sizeof(zeros));
}

static struct mlv_bytes text(const char *s)
{
	return (struct mlv_bytes){ (const uint8_t *)s, strlen(s) };
}

/* What is read of it: "name=data;" of each member, and the code that ended it. */
static enum mlv_rc read_all(struct mlv_bytes tar, size_t chunk, const struct mlv_limits *limits,
			    struct mlv_buf *out)
{
	struct mlv_source *src;
	struct mlv_reader r;
	struct mlv_archive *a;
	struct mlv_err err = MLV_ERR_INIT;
	const char *name;
	ck_assert_int_eq(mlv_source_memory(&src, "x", tar, chunk, limits, &err), MLV_OK);
	mlv_reader_init(&r, src);
	enum mlv_rc rc = mlv_archive_create(&a, &r, limits, &err);
	if (!rc) {
		while (!(rc = mlv_archive_next(a, &name, &err)) && name && !rc) {
			struct mlv_buf data = { 0 };
			mlv_buf_printf(out, "%s=", name);
			/* In two parts, as the reading of inputs does. */
			rc = mlv_archive_read(a, &data, 3, &err);
			if (!rc)
				rc = mlv_archive_read(a, &data, SIZE_MAX, &err);
			mlv_buf_add(out, data.data ? data.data : "", data.len);
			mlv_buf_putc(out, ';');
			mlv_buf_fini(&data);
			if (rc)
				break;
		}
		mlv_archive_destroy(a);
	}
	mlv_reader_fini(&r);
	mlv_source_close(src);
	return rc;
}

static void example(struct mlv_buf *tar)
{
	static char large[3000];
	memset(large, 'y', sizeof(large));
	member(tar, "run/", '5', text(""), 0);
	member(tar, "./run/a.log", '0', text("hello"), 5);
	member(tar, "run/.hidden/b", '0', text("no"), 2);
	member(tar, "run/link", '2', text(""), 0);
	member(tar, "run/empty", '0', text(""), 0);
	member(tar, "run/large", '0', (struct mlv_bytes){ (uint8_t *)large, sizeof(large) },
	       sizeof(large));
	end(tar);
}

START_TEST(members)
{
	struct mlv_buf tar = { 0 };
	example(&tar);
	struct mlv_bytes bytes = { (uint8_t *)tar.data, tar.len };
	ck_assert(mlv_archive_looks(bytes));
	for (size_t chunk = 0; chunk < 700; chunk += 67) {
		struct mlv_buf out = { 0 };
		ck_assert_int_eq(read_all(bytes, chunk, &mlv_limits_default, &out), MLV_OK);
		ck_assert(strncmp(out.data, "run/a.log=hello;run/empty=;run/large=yyy", 40) == 0);
		ck_assert_uint_eq(out.len, strlen("run/a.log=hello;run/empty=;run/large=;") + 3000);
		mlv_buf_fini(&out);
	}
	mlv_buf_fini(&tar);
}
END_TEST

/* What lies before the cut is read, and that something is missing is told. */
START_TEST(cut_anywhere)
{
	struct mlv_buf tar = { 0 };
	example(&tar);
	for (size_t n = BLOCK; n < tar.len - 2 * BLOCK; n += 37) {
		struct mlv_buf out = { 0 };
		uint8_t *copy = malloc(n);
		memcpy(copy, tar.data, n);
		enum mlv_rc rc =
			read_all((struct mlv_bytes){ copy, n }, 0, &mlv_limits_default, &out);
		if (n % BLOCK)
			ck_assert_int_eq(rc, MLV_E_FORMAT);
		if (n >= 3 * BLOCK)
			ck_assert(strncmp(out.data, "run/a.log=hello;", 16) == 0);
		free(copy);
		mlv_buf_fini(&out);
	}
	mlv_buf_fini(&tar);
}
END_TEST

START_TEST(damaged_anywhere)
{
	uint64_t seed = 99;
	for (int i = 0; i < 3000; i++) {
		struct mlv_buf tar = { 0 }, out = { 0 };
		example(&tar);
		for (int k = 0; k < 3; k++)
			tar.data[unit_random(&seed) % tar.len] = (char)unit_random(&seed);
		(void)read_all((struct mlv_bytes){ (uint8_t *)tar.data, tar.len }, 0,
			       &mlv_limits_default, &out);
		ck_assert_uint_lt(out.len, 10000);
		mlv_buf_fini(&tar);
		mlv_buf_fini(&out);
	}
}
END_TEST

START_TEST(limits)
{
	struct mlv_buf tar = { 0 }, out = { 0 };
	struct mlv_limits few = mlv_limits_default, small = mlv_limits_default;
	few.files = 2;
	small.bytes = 2000;
	example(&tar);
	struct mlv_bytes bytes = { (uint8_t *)tar.data, tar.len };
	ck_assert_int_eq(read_all(bytes, 0, &few, &out), MLV_E_LIMIT);
	ck_assert_str_eq(out.data, "run/a.log=hello;run/empty=;");
	out.len = 0;
	ck_assert_int_eq(read_all(bytes, 0, &small, &out), MLV_E_LIMIT);
	ck_assert(strncmp(out.data, "run/a.log=hello;", 16) == 0);
	/* A size that is stated is not one that is there. */
	tar.len = out.len = 0;
	member(&tar, "a", '0', text("x"), UINT64_C(0777777777777) / 2);
	end(&tar);
	bytes = (struct mlv_bytes){ (uint8_t *)tar.data, tar.len };
	ck_assert_int_eq(read_all(bytes, 0, &mlv_limits_default, &out), MLV_E_FORMAT);
	ck_assert_uint_lt(out.len, 4000);
	mlv_buf_fini(&tar);
	mlv_buf_fini(&out);
}
END_TEST

START_TEST(looks)
{
	uint8_t block[BLOCK] = { 0 };
	ck_assert(!mlv_archive_looks((struct mlv_bytes){ block, BLOCK }));
	memset(block, 'a', sizeof(block));
	ck_assert(!mlv_archive_looks((struct mlv_bytes){ block, BLOCK }));
	struct mlv_buf tar = { 0 };
	member(&tar, "a", '0', text("x"), 1);
	ck_assert(mlv_archive_looks((struct mlv_bytes){ (uint8_t *)tar.data, tar.len }));
	ck_assert(!mlv_archive_looks((struct mlv_bytes){ (uint8_t *)tar.data, BLOCK - 1 }));
	tar.data[0] ^= 1;
	ck_assert(!mlv_archive_looks((struct mlv_bytes){ (uint8_t *)tar.data, tar.len }));
	mlv_buf_fini(&tar);
}
END_TEST

UNIT_MAIN("base_archive", members, cut_anywhere, damaged_anywhere, limits, looks)
