/* SPDX-License-Identifier: MIT */
/*
 * What to say of a file that mlviz cannot use: what it seems to be, by its first
 * bytes, and to which of the text formats it comes nearest, by words that they
 * alone print. Nothing here decides how a file is read.
 */
#define _GNU_SOURCE /* memmem */
#include <stdio.h>
#include <string.h>

#include "parsers/parser.h"

static bool has(struct mlv_bytes head, const char *word)
{
	return memmem(head.p, head.n, word, strlen(word)) != NULL;
}

/* Output of tools, some of which one may take for what mlviz reads. */
static const char *known_text(struct mlv_bytes head)
{
	static const struct {
		const char *word, *and, *what;
	} texts[] = {
		{ "<title>GPU Memory Timeline", "<img",
		  "the page of export_memory_timeline(), a mere picture (.json and "
		  ".raw.json.gz exports are read)" },
		{ "internal record id:", "collective stack trace:",
		  "what PyTorch's own flight-recorder analyser prints (mlviz reads the dumps "
		  "themselves)" },
		{ "TRITON KERNELS BANDWIDTH INFO", "GB/s",
		  "Inductor's table of kernel bandwidths" },
		{ "| NVIDIA-SMI ", "Driver Version:", "the output of nvidia-smi" },
	};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		if (has(head, texts[i].word) && has(head, texts[i].and))
			return texts[i].what;
	}
	bool heading = head.n > 2 && head.p[0] == '#' && (head.p[1] == ' ' || head.p[1] == '#');
	return heading && (has(head, "\n#") || has(head, "\n|") || has(head, "`")) ? "Markdown"
										   : NULL;
}

const char *mlv_looks_like(struct mlv_bytes head)
{
	static const struct {
		const char *magic;
		size_t n;
		const char *what;
	} kinds[] = {
		{ "\x89PNG", 4, "a PNG picture" },
		{ "PK\x03\x04", 4, "a zip archive (a torch.save checkpoint is one)" },
		{ "\x7f"
		  "ELF",
		  4, "a program" },
		{ "%PDF", 4, "a PDF document" },
		{ "<!DOCTYPE", 9, "an HTML page" },
		{ "<html", 5, "an HTML page" },
		{ "<svg", 4, "an SVG picture" },
		{ "SQLite format 3", 15, "an SQLite database" },
	};
	if (head.n == 0)
		return "empty";
	size_t blank = 0;
	while (blank < head.n && (head.p[blank] == ' ' || head.p[blank] == '\n' ||
				  head.p[blank] == '\r' || head.p[blank] == '\t'))
		blank++;
	const char *text = known_text(head);
	if (text)
		return text;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (head.n - blank >= kinds[i].n &&
		    memcmp(head.p + blank, kinds[i].magic, kinds[i].n) == 0)
			return kinds[i].what;
	}
	/* Logs often begin with a bracket, too: "[rank0]", "[2025-06-01 …". */
	if (head.n - blank > 1 && (head.p[blank] == '{' || head.p[blank] == '[') &&
	    strchr("{[\"}] \n\r\t", head.p[blank + 1]))
		return "JSON";
	for (size_t i = 0; i < head.n && i < 4096; i++) {
		uint8_t c = head.p[i];
		if (c < 0x20 && c != '\n' && c != '\t' && c != '\r' && c != 0x1b)
			return "binary data";
	}
	return "text";
}

/* Words that a report of the format holds, and hardly any other text. */
static const struct {
	const char *format;
	const char *words[4];
} tell_tales[] = {
	{ "profiler-table", { "Self CPU", "CPU time avg", "# of Calls" } },
	{ "cprofile", { "cumtime", "tottime", "primitive calls" } },
	{ "memory-summary", { "Cur Usage", "Non-releasable", "memory summary, device" } },
	{ "memory-log", { "Max_MA", "max allocated", "see_memory_usage" } },
	{ "oom-text", { "out of memory", "Tried to allocate", "OutOfMemoryError" } },
	{ "nccl-watchdog", { "Watchdog caught", "ProcessGroupNCCL", "WorkNCCL" } },
	{ "traceback", { "Traceback (most", "most recent call", "  File \"" } },
	{ "strace-summary", { "usecs/call", "% time" } },
	{ "strace", { "execve(", "openat(", ") = -1 E", "<unfinished ...>" } },
	{ "gnu-time", { "maxresident", "Maximum resident set", "pagefaults" } },
	{ "cgmemtime", { "child_RSS", "high-water RSS", "group_mem_high" } },
	{ "hyperfine-text", { "Time (mean", "Range (min", "Benchmark " } },
	{ "mprof", { "CMDLINE ", "\nMEM ", "\nCHLD " } },
	{ "memory-profiler", { "Mem usage", "Line Contents" } },
	{ "compute-sanitizer", { "COMPUTE-SANITIZER", "CUDA-MEMCHECK", "\n========= " } },
	{ "underflow-overflow", { "abs min", "abs max", "forward frames" } },
	{ "py-spy", { "(active+gil)", "\nThread 0x", "Python v" } },
};

bool mlv_nearest_formats(struct mlv_bytes head, char *buf, size_t size)
{
	enum { MOST = 2 };
	size_t named = 0, n = 0;
	*buf = '\0';
	for (int want = 4; want > 0 && named < MOST; want--) {
		for (size_t i = 0; i < sizeof(tell_tales) / sizeof(tell_tales[0]); i++) {
			const char *first = NULL;
			int hits = 0;
			for (size_t k = 0; k < 4 && tell_tales[i].words[k]; k++) {
				if (!has(head, tell_tales[i].words[k]))
					continue;
				first = first ? first : tell_tales[i].words[k];
				hits++;
			}
			if (hits != want || named == MOST || n >= size)
				continue;
			first += *first == '\n';
			n += (size_t)snprintf(buf + n, size - n, "%s%s ('%s')",
					      named++ ? " and " : "", tell_tales[i].format, first);
		}
	}
	return named > 0;
}
