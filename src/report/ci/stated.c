/* SPDX-License-Identifier: MIT */
#include "report/ci/stated.h"

#include "base/buf.h"
#include "base/utf8.h"
#include "report/ci/report.h"

enum { TEXT_MOST = 400, SUBJECT_MOST = 160 };

static bool is_one_of(struct mlv_str s, const struct mlv_str *list, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (mlv_str_eq(s, list[i]))
			return true;
	}
	return false;
}

bool mlv_stated_oom(struct mlv_str code, struct mlv_str text)
{
	static const struct mlv_str codes[] = {
		MLV_STR_INIT("cuda-oom"),
		MLV_STR_INIT("hip-oom"),
		MLV_STR_INIT("xpu-oom"),
		MLV_STR_INIT("mps-oom"),
	};
	return is_one_of(code, codes, sizeof(codes) / sizeof(codes[0])) ||
	       mlv_str_contains(text, MLV_STR("OutOfMemoryError")) ||
	       mlv_str_contains(text, MLV_STR("CUDA out of memory"));
}

bool mlv_stated_of_hang(struct mlv_str code, struct mlv_str text)
{
	static const struct mlv_str codes[] = {
		MLV_STR_INIT("process-failed"),
		MLV_STR_INIT("child-failed"),
	};
	static const struct mlv_str words[] = {
		MLV_STR_INIT("ChildFailedError"), MLV_STR_INIT("DistBackendError"),
		MLV_STR_INIT("DistNetworkError"), MLV_STR_INIT("DistStoreError"),
		MLV_STR_INIT("SignalException"),  MLV_STR_INIT("ProcessExitedException"),
	};
	if (mlv_str_has_prefix(code, MLV_STR("nccl-")))
		return true;
	if (is_one_of(code, codes, sizeof(codes) / sizeof(codes[0])))
		return true;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (mlv_str_contains(text, words[i]))
			return true;
	}
	return false;
}

static bool is_word(char c)
{
	return mlv_is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Digits, and what hangs together with them: 0x7fc6, 12.5, 1,024. */
static size_t number(struct mlv_str s, size_t i)
{
	size_t n = i;
	while (n < s.n && (is_word(s.p[n]) || ((s.p[n] == '.' || s.p[n] == ',') && n + 1 < s.n &&
					       mlv_is_digit(s.p[n + 1]))))
		n++;
	return n - i;
}

/* The length of "/dir/dir/" at `i`. */
static size_t directories(struct mlv_str s, size_t i)
{
	size_t end = i, n = i;
	for (; n < s.n && (is_word(s.p[n]) || s.p[n] == '/' || s.p[n] == '.' || s.p[n] == '-'); n++)
		end = s.p[n] == '/' ? n + 1 : end;
	return end - i;
}

const char *mlv_stated_subject(struct mlv_report *r, struct mlv_str code, struct mlv_str text)
{
	struct mlv_buf b = { 0 };
	mlv_buf_str(&b, code);
	mlv_buf_puts(&b, ": ");
	for (size_t i = 0; i < text.n && b.len < SUBJECT_MOST;) {
		bool begins = i == 0 || !is_word(text.p[i - 1]);
		size_t n = begins && text.p[i] == '/' ? directories(text, i) : 0;
		if (!n && begins && mlv_is_digit(text.p[i])) {
			n = number(text, i);
			mlv_buf_putc(&b, '#');
		}
		if (!n)
			mlv_buf_putc(&b, text.p[i++]);
		i += n;
	}
	const char *subject = mlv_report_copy(r, (struct mlv_str){ b.data, b.len });
	r->failed |= b.failed;
	mlv_buf_fini(&b);
	return subject;
}

const char *mlv_stated_cut(struct mlv_report *r, struct mlv_str text)
{
	char buf[TEXT_MOST + 8];
	mlv_utf8_fit(buf, sizeof(buf), text.p, text.n);
	return mlv_report_copy(r, mlv_str_of(buf));
}
