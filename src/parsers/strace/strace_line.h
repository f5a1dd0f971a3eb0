/* SPDX-License-Identifier: MIT */
#ifndef MLV_PARSERS_STRACE_STRACE_LINE_H
#define MLV_PARSERS_STRACE_STRACE_LINE_H
/*
 * One line of strace's output, taken apart: leader (pid, comm, times, …) and
 * body (a call, its second half, a signal, an exit, a frame of a stack).
 * Nothing here knows a run, and every text points into the line.
 *
 * Strings in arguments hold anything that a program writes, also ") = 5", so
 * lines are scanned by quotes and brackets, and never searched.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

enum mlv_strace_clock {
	MLV_STRACE_NO_CLOCK,
	MLV_STRACE_DAY,      /* "18:26:52.482796": -t, -tt */
	MLV_STRACE_UNIX,     /* "1795976812.922139": -ttt */
	MLV_STRACE_RELATIVE, /* "0.000335", since the line before: -r */
};

struct mlv_strace_leader {
	int64_t pid;         /* -1: the line has none */
	struct mlv_str comm; /* empty: not shown */
	enum mlv_strace_clock clock;
	int64_t stamp_ns; /* of that clock */
	bool has_ip;
	uint64_t ip;
};

enum mlv_strace_kind {
	MLV_STRACE_OTHER, /* not a line of strace */
	MLV_STRACE_CALL,
	MLV_STRACE_UNFINISHED, /* "read(3,  <unfinished ...>" */
	MLV_STRACE_RESUMED,    /* "<... read resumed>"", 4096) = 0" */
	MLV_STRACE_OPEN,       /* a call that stops at the end of the line: cut, or output got in */
	MLV_STRACE_SIGNAL,     /* "--- SIGCHLD {…} ---", "--- stopped by SIGSTOP ---" */
	MLV_STRACE_EXITED,
	MLV_STRACE_KILLED,
	MLV_STRACE_SUPERSEDED, /* "+++ superseded by execve in pid 1234 +++" */
	MLV_STRACE_FRAME,      /* " > libc.so.6(open64+0x5d) [0x10f53d]": -k */
	MLV_STRACE_DUMP,       /* " | 00000  7f 45 …": -e read=, -e write= */
	MLV_STRACE_ATTACHED,   /* "strace: Process 13340 attached" */
	MLV_STRACE_MESSAGE,    /* another message of strace's own */
};

/* What stands behind the "=". */
struct mlv_strace_result {
	struct mlv_str text; /* "3", "0x7f05", "?"; empty: none was read */
	bool is_number;
	int64_t number;
	struct mlv_str decoration; /* of "3</etc/passwd>", without the marks */
	struct mlv_str error;      /* "ENOENT", "ERESTARTSYS" */
	struct mlv_str error_text;
	struct mlv_str detail;    /* "Timeout", "flags O_RDONLY" */
	struct mlv_str tampering; /* "(INJECTED)", "(DELAYED)" */
	int64_t duration_ns;      /* of "<0.000012>"; -1: none */
	bool rest;                /* something follows that is not strace's */
};

struct mlv_strace_line {
	struct mlv_strace_leader leader;
	enum mlv_strace_kind kind;
	struct mlv_str name; /* of the call or signal */
	struct mlv_str args; /* without the parentheses; of RESUMED: the second half */
	struct mlv_strace_result result;
	struct mlv_str text;   /* of SIGNAL, EXITED, KILLED, SUPERSEDED, MESSAGE: the statement */
	int64_t number;        /* exit status; pid of SUPERSEDED and ATTACHED */
	bool never_returned;   /* "<unfinished ...>) = ?" */
	bool still_unfinished; /* RESUMED and again unfinished */
};

/* Take the leader off `s`; what is left is the body. */
struct mlv_str mlv_strace_leader(struct mlv_str s, struct mlv_strace_leader *leader);

/* The whole line; kind is MLV_STRACE_OTHER where it is none of strace's. */
void mlv_strace_parse(struct mlv_str s, struct mlv_strace_line *line);

/* The result behind "=". False if there is none. */
bool mlv_strace_result(struct mlv_str s, struct mlv_strace_result *result);

/*
 * Where a line ends that begins within the arguments of a call: at ") = 3" or
 * "<unfinished ...>". False if it does not.
 */
bool mlv_strace_tail(struct mlv_str s);

/* The end of what begins at `i`, which is `stop` or a closing bracket on the level of `i`; s.n if
 * it does not come. `in_string` (may be NULL) tells that a string was open there. */
size_t mlv_strace_scan(struct mlv_str s, size_t i, char stop, bool *in_string);

/* Walk through arguments: false at the end. Begin with `at` = 0. */
bool mlv_strace_next_arg(struct mlv_str args, size_t *at, struct mlv_str *arg);
/* The n-th argument; empty if there is none. */
struct mlv_str mlv_strace_arg(struct mlv_str args, unsigned n);

/* A number at the beginning: decimal, 0x…, or octal with a leading 0. `used` gets its length. */
bool mlv_strace_number(struct mlv_str s, size_t *used, uint64_t *number, bool *negative);
/* The argument as a number that fits; false if it begins with none. */
bool mlv_strace_arg_number(struct mlv_str arg, int64_t *number);
bool mlv_strace_arg_address(struct mlv_str arg, uint64_t *number);

/* "path" of 3</path>(deleted); empty if there is none. */
struct mlv_str mlv_strace_decoration(struct mlv_str arg);

/* Without escapes, into `out`, which has room for as many bytes: the length. Of a quoted string its
 * content; 0 if it is none. */
size_t mlv_strace_unescape(struct mlv_str s, char *out);
size_t mlv_strace_unquote(struct mlv_str arg, char *out);

/* What a call is about, by its name. */
enum mlv_strace_shape {
	MLV_STRACE_UNKNOWN, /* no call that is known */
	MLV_STRACE_PLAIN,
	MLV_STRACE_FD,     /* a descriptor first */
	MLV_STRACE_IO,     /* the same, and the result is a number of bytes */
	MLV_STRACE_PATH,   /* a path first */
	MLV_STRACE_PATH_1, /* a path second */
	MLV_STRACE_AT,     /* a folder's descriptor and a path */
	MLV_STRACE_AT_1,   /* the same, second and third */
	MLV_STRACE_CREATE, /* a path; the result is a descriptor */
	MLV_STRACE_CREATE_AT,
	MLV_STRACE_NEW_FD, /* the result is a descriptor without a path */
	MLV_STRACE_MEMFD,
	MLV_STRACE_SOCKET,
	MLV_STRACE_PAIR, /* pipe, socketpair: two descriptors */
	MLV_STRACE_ACCEPT,
	MLV_STRACE_CONNECT,
	MLV_STRACE_BIND,
	MLV_STRACE_CLOSE,
	MLV_STRACE_CLOSE_RANGE,
	MLV_STRACE_DUP,
	MLV_STRACE_DUP_TO,
	MLV_STRACE_FCNTL,
	MLV_STRACE_EXEC,
	MLV_STRACE_EXEC_AT,
	MLV_STRACE_FORK,
	MLV_STRACE_EXIT,
	MLV_STRACE_GETPID,
	MLV_STRACE_GETTID,
	MLV_STRACE_MMAP,
	MLV_STRACE_MUNMAP,
	MLV_STRACE_MREMAP,
	MLV_STRACE_BRK,
};

enum mlv_strace_shape mlv_strace_shape(struct mlv_str name);

#endif
