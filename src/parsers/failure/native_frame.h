/* SPDX-License-Identifier: MIT */
#ifndef MLV_PARSERS_FAILURE_NATIVE_FRAME_H
#define MLV_PARSERS_FAILURE_NATIVE_FRAME_H
/* Frames of C and C++ as gdb and PyTorch print them. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

struct mlv_native_frame {
	struct mlv_str function, file; /* a library where no source is known */
	uint32_t line;
};

enum mlv_frame_form { MLV_FRAME_NONE, MLV_FRAME_WHOLE, MLV_FRAME_BROKEN };

/*
 * "#1  0x00007f… in f (x=1) at f.c:12", "#2  g () from /lib/libg.so" and py-bt's
 * "#3 Frame 0x…, for file x.py, line 3, in f (…)". `number` is the one that
 * must come. BROKEN: it may go on in the next line.
 */
enum mlv_frame_form mlv_gdb_frame(struct mlv_str s, size_t number, struct mlv_native_frame *f);

/* "frame #0: c10::Error::Error(…) + 0x9d (0x7f… in /x/libc10.so)" */
bool mlv_c10_frame(struct mlv_str s, size_t number, struct mlv_native_frame *f);

#endif
