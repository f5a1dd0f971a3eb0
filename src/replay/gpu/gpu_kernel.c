/* SPDX-License-Identifier: MIT */
/*
 * check(words, count, expected, result): each thread looks at every so-manieth
 * word; result->wrong counts those that are not as expected, words_left is the
 * largest distance of such a word from the end. Written as PTX, which every
 * driver compiles for the device it has, so that no CUDA compiler is needed;
 * for compute capability 5.0 and up.
 */
#include "replay/gpu/gpu_verify.h"

const char mlv_gpu_kernels[] =
	".version 6.4\n"
	".target sm_50\n"
	".address_size 64\n"
	".visible .entry " MLV_GPU_CHECK_KERNEL "(\n"
	"	.param .u64 words, .param .u64 count, .param .u32 expected, .param .u64 result)\n"
	"{\n"
	"	.reg .pred %p<3>;\n"
	"	.reg .b32 %r<7>;\n"
	"	.reg .b64 %d<11>;\n"
	"	ld.param.u64 %d1, [words];\n"
	"	ld.param.u64 %d2, [count];\n"
	"	ld.param.u32 %r1, [expected];\n"
	"	ld.param.u64 %d3, [result];\n"
	"	mov.u32 %r2, %ctaid.x;\n"
	"	mov.u32 %r3, %ntid.x;\n"
	"	mov.u32 %r4, %tid.x;\n"
	"	mul.wide.u32 %d4, %r2, %r3;\n"
	"	cvt.u64.u32 %d5, %r4;\n"
	"	add.u64 %d4, %d4, %d5;\n" /* index of the word */
	"	mov.u32 %r5, %nctaid.x;\n"
	"	mul.wide.u32 %d6, %r5, %r3;\n" /* threads */
	"next:\n"
	"	setp.ge.u64 %p1, %d4, %d2;\n"
	"	@%p1 bra done;\n"
	"	shl.b64 %d7, %d4, 2;\n"
	"	add.u64 %d7, %d1, %d7;\n"
	"	ld.global.u32 %r6, [%d7];\n"
	"	setp.eq.u32 %p2, %r6, %r1;\n"
	"	@%p2 bra good;\n"
	"	atom.global.add.u64 %d8, [%d3], 1;\n"
	"	sub.u64 %d9, %d2, %d4;\n"
	"	atom.global.max.u64 %d10, [%d3+8], %d9;\n"
	"good:\n"
	"	add.u64 %d4, %d4, %d6;\n"
	"	bra next;\n"
	"done:\n"
	"	ret;\n"
	"}\n";
