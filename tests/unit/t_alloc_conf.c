/* SPDX-License-Identifier: MIT */
/* PYTORCH_CUDA_ALLOC_CONF: read, refused and written again. */
#include <string.h>

#include "replay/conf.h"
#include "unit.h"

static struct mlv_diags notes;

static enum mlv_rc parse(const char *text, struct mlv_alloc_conf *conf, struct mlv_err *err)
{
	*conf = mlv_alloc_conf_default;
	*err = MLV_ERR_INIT;
	mlv_diags_fini(&notes);
	return mlv_alloc_conf_parse(conf, mlv_str_of(text), &notes, err);
}

static struct mlv_alloc_conf conf(const char *text)
{
	struct mlv_alloc_conf c;
	struct mlv_err err;
	if (parse(text, &c, &err))
		ck_abort_msg("%s: %s", text, err.msg);
	return c;
}

static void ck_refused(const char *text, const char *message)
{
	struct mlv_alloc_conf c;
	struct mlv_err err;
	ck_assert_int_eq(parse(text, &c, &err), MLV_E_USAGE);
	ck_assert_str_eq(err.msg, message);
	/* Nothing of it is taken. */
	unit_check(!memcmp(c.divisions, mlv_alloc_conf_default.divisions, sizeof(c.divisions)) &&
		   c.max_split == UINT64_MAX && !c.expandable);
}

START_TEST(what_is_set)
{
	struct mlv_alloc_conf c = conf("");
	unit_check(c.max_split == UINT64_MAX && !c.expandable && c.gc_threshold == 0);
	c = conf("expandable_segments:True, max_split_size_mb : 128,"
		 "garbage_collection_threshold:0.8,backend:native");
	unit_check(c.expandable && c.max_split == 128 * MLV_MIB && c.gc_threshold == 0.8);
	ck_assert_uint_eq(notes.list.len, 0);
	c = conf("large_segment_size_mb:64");
	unit_check(c.large_segment == 64 * MLV_MIB && c.max_non_split_rounding == 64 * MLV_MIB);
	c = conf("max_non_split_rounding_mb:10,large_segment_size_mb:64");
	unit_check(c.large_segment == 64 * MLV_MIB && c.max_non_split_rounding == 10 * MLV_MIB);
	c = conf("roundup_power2_divisions:8");
	for (int i = 0; i < MLV_ALLOC_DIVISIONS; i++)
		ck_assert_uint_eq(c.divisions[i], 8);
}
END_TEST

START_TEST(lists_of_divisions)
{
	/* As a snapshot of PyTorch 2.11 states them for this line. */
	static const uint64_t want[MLV_ALLOC_DIVISIONS] = { 1, 1, 1, 1, 1, 1, 1, 1,
							    1, 2, 4, 8, 8, 8, 8, 8 };
	struct mlv_alloc_conf c = conf("roundup_power2_divisions:[256:1,512:2,1024:4,>:8]");
	unit_check(!memcmp(c.divisions, want, sizeof(want)));
	c = conf("roundup_power2_divisions:[4:2],expandable_segments:False");
	for (int i = 0; i < MLV_ALLOC_DIVISIONS; i++)
		ck_assert_uint_eq(c.divisions[i], i <= 2 ? 2 : 0);
	/* Far beyond the table: its last entry. */
	c = conf("roundup_power2_divisions:[1:1,1048576:16]");
	unit_check(c.divisions[0] == 1 && c.divisions[14] == 0 && c.divisions[15] == 16);
}
END_TEST

START_TEST(what_makes_no_sense)
{
	ck_refused("expandable_segments", "\"expandable_segments\" is not a setting: key:value is "
					  "wanted");
	ck_refused("expandable_segments:yes", "expandable_segments: \"yes\" is not True or False");
	ck_refused("expandable_segments:True,max_split_size_mb:5",
		   "max_split_size_mb: 5 is too small, PyTorch wants at least 20");
	ck_refused("max_split_size_mb:-1", "max_split_size_mb: \"-1\" is not a number of MB");
	ck_refused("garbage_collection_threshold:1.5",
		   "garbage_collection_threshold: \"1.5\" is not a number from 0 to 1");
	ck_refused("roundup_power2_divisions:3",
		   "roundup_power2_divisions: \"3\" is not a power of two, or 0");
	ck_refused("roundup_power2_divisions:[256:1", "roundup_power2_divisions: \"\" is not the "
						      "end of a list: ] is missing");
	ck_refused("expandable_segments:True max_split_size_mb:50",
		   "expandable_segments: \"True max_split_size_mb\" is not True or False");
	ck_refused("roundup_power2_divisions:[256:1]x:1",
		   "roundup_power2_divisions: a comma is wanted before \"x:1\"");
}
END_TEST

START_TEST(unknown_keys_are_named)
{
	(void)conf("max_split_size:64,pinned_use_cuda_host_register:True,x:[1:2,3:4],"
		   "backend:cudaMallocAsync");
	ck_assert_uint_eq(notes.list.len, 2);
	ck_assert_str_eq(notes.list.data[0].text,
			 "the setting max_split_size is not known and has no effect here");
	ck_assert_uint_eq(notes.list.data[0].count, 2);
	ck_assert_str_eq(notes.list.data[1].text,
			 "backend:cudaMallocAsync is not modelled; the native allocator is");
	mlv_diags_fini(&notes);
}
END_TEST

START_TEST(written_and_read_again)
{
	static const char *const texts[] = {
		"",
		"expandable_segments:True",
		"max_split_size_mb:64",
		"expandable_segments:True,max_split_size_mb:128,garbage_collection_threshold:0.8",
		"roundup_power2_divisions:4",
		"roundup_power2_divisions:[256:1,512:2,1024:4,>:8]",
		"roundup_power2_divisions:[4:2,>:0]",
		"max_non_split_rounding_mb:10,large_segment_size_mb:64",
		"per_process_memory_fraction:0.5",
	};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		char line[400];
		struct mlv_alloc_conf c = conf(texts[i]), again;
		ck_assert_str_eq(mlv_alloc_conf_text(&c, line, sizeof(line)), texts[i]);
		again = conf(line);
		unit_check(!memcmp(again.divisions, c.divisions, sizeof(c.divisions)) &&
			   again.max_split == c.max_split && again.expandable == c.expandable);
	}
	mlv_diags_fini(&notes);
}
END_TEST

UNIT_MAIN("alloc_conf", what_is_set, lists_of_divisions, what_makes_no_sense,
	  unknown_keys_are_named, written_and_read_again)
