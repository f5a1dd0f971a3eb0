/* SPDX-License-Identifier: MIT */
#ifndef MLV_PARSERS_TIMING_HYPERFINE_H
#define MLV_PARSERS_TIMING_HYPERFINE_H
/*
 * What the two versions of hyperfine's JSON have in common: a command at hand,
 * numbers with their units, and rows that are added for it.
 */
#include "parsers/add.h"
#include "parsers/document/json_tree.h"

struct mlv_bench {
	struct mlv_json_tree tree;
	struct mlv_run *run;
	struct mlv_add add;
	uint32_t section;
	uint32_t row; /* of the command at hand */
	mlv_strid command;
	mlv_trackid track;
	/* how its runs ended */
	int64_t runs, failed, first_failure;
	bool failure_known;
};

const struct mlv_node *mlv_bench_member(const struct mlv_bench *b, const struct mlv_node *object,
					const char *key, enum mlv_node_kind kind);

/* By its name or symbol ("second", "KiB"); NONE if it is another. */
enum mlv_unit mlv_bench_unit(struct mlv_str name);

/* A number with a unit of its own, or a plain one that is in `unit`. */
bool mlv_bench_quantity(const struct mlv_bench *b, const struct mlv_node *n, enum mlv_unit unit,
			struct mlv_decimal *value);

/* Of the command at hand. */
enum mlv_rc mlv_bench_metric(struct mlv_bench *b, const char *name, struct mlv_decimal value,
			     struct mlv_err *err);
enum mlv_rc mlv_bench_sample(struct mlv_bench *b, const char *name, size_t run,
			     struct mlv_decimal value, struct mlv_err *err);
/* A run of it ended with this status; null: a signal ended it. */
void mlv_bench_ended(struct mlv_bench *b, const struct mlv_node *code);

/* What version 2 added: "measurements" and "summary" of a result. */
enum mlv_rc mlv_bench_version2(struct mlv_bench *b, const struct mlv_node *result,
			       struct mlv_err *err);

#endif
