/* SPDX-License-Identifier: MIT */
#ifndef MLV_PARSERS_FAILURE_TRACEBACK_LINE_H
#define MLV_PARSERS_FAILURE_TRACEBACK_LINE_H
/* The lines of a Python traceback, each on its own. */
#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

enum mlv_tb_start { MLV_TB_NO_START, MLV_TB_START, MLV_TB_START_GROUP, MLV_TB_START_FORWARD };

/*
 * "Traceback (most recent call last):" at the end of a line, whatever stands
 * before it (*before). Of a forward call (anomaly mode) *operation is the
 * backward function that failed.
 */
enum mlv_tb_start mlv_tb_start(struct mlv_str text, struct mlv_str *before,
			       struct mlv_str *operation);

struct mlv_tb_frame {
	struct mlv_str file, function; /* function is empty where a SyntaxError points */
	uint32_t line;
};

/* `  File "path", line 12, in function`, from its first blank on. */
bool mlv_tb_frame(struct mlv_str text, struct mlv_tb_frame *f);

/*
 * "torch.OutOfMemoryError: …": *name is the class. *sure is false for a name
 * that could be any word, which is believed only right behind a frame.
 */
bool mlv_tb_exception(struct mlv_str text, struct mlv_str *name, bool *sure);

/* Source text, carets, "[Previous line repeated …]": what stands below a frame. */
bool mlv_tb_detail(struct mlv_str text);

/* "context", "cause" when the line says how the next traceback hangs together with the last one. */
const char *mlv_tb_chain(struct mlv_str text);

#endif
