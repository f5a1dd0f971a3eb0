/* SPDX-License-Identifier: MIT */
/* FAKECUDA: what README.md lists, and nothing else. A mistake in it ends the program. */
#include <stdlib.h>
#include <string.h>

#include "fake.h"

#define MIB (UINT64_C(1) << 20)

static const struct {
	mlv_cu_result error;
	const char *name;
} errors[] = {
	{ 0, "CUDA_SUCCESS" },
	{ MLV_CU_INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE" },
	{ MLV_CU_OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY" },
	{ 3, "CUDA_ERROR_NOT_INITIALIZED" },
	{ 46, "CUDA_ERROR_DEVICE_UNAVAILABLE" },
	{ MLV_CU_NO_DEVICE, "CUDA_ERROR_NO_DEVICE" },
	{ 101, "CUDA_ERROR_INVALID_DEVICE" },
	{ 201, "CUDA_ERROR_INVALID_CONTEXT" },
	{ 218, "CUDA_ERROR_INVALID_PTX" },
	{ 500, "CUDA_ERROR_NOT_FOUND" },
	{ 700, "CUDA_ERROR_ILLEGAL_ADDRESS" },
	{ 719, "CUDA_ERROR_LAUNCH_FAILED" },
	{ MLV_CU_NOT_SUPPORTED, "CUDA_ERROR_NOT_SUPPORTED" },
	{ 803, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH" },
	{ 999, "CUDA_ERROR_UNKNOWN" },
};

static const char *const call_names[] = {
#define FAKE_NAME(name, symbol, need, parameters) #name,
	MLV_CU_CALLS(FAKE_NAME)
#undef FAKE_NAME
};

const char *fake_error_name(mlv_cu_result error)
{
	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
		if (errors[i].error == error)
			return errors[i].name;
	}
	return NULL;
}

/* ---- values ---- */

static uint64_t number(const char *key, const char *text)
{
	char *end;
	uint64_t n = strtoull(text, &end, 10);
	const char *units = "KMGT", *unit = *end ? strchr(units, *end) : NULL;
	if (end == text || *text == '-' || (*end && !unit) || (unit && end[1]))
		fake_fatal("FAKECUDA: %s=%s is no number (12, 64K, 2M, 8G, 1T)", key, text);
	return unit ? n << (10 * (unit - units + 1)) : n;
}

static bool yes(const char *key, const char *text)
{
	bool is = !strcmp(text, "yes");
	if (!is && strcmp(text, "no"))
		fake_fatal("FAKECUDA: %s=%s is neither yes nor no", key, text);
	return is;
}

static enum mlv_cu_call call(const char *key, const char *text)
{
	for (int i = 0; i < MLV_CU_CALL_COUNT; i++) {
		if (!strcmp(call_names[i], text))
			return (enum mlv_cu_call)i;
	}
	fake_fatal("FAKECUDA: %s: there is no call %s", key, text);
}

/* "OUT_OF_MEMORY" */
static mlv_cu_result error(const char *key, const char *text)
{
	for (size_t i = 1; i < sizeof(errors) / sizeof(errors[0]); i++) {
		if (!strcmp(errors[i].name + strlen("CUDA_ERROR_"), text))
			return errors[i].error;
	}
	fake_fatal("FAKECUDA: %s: there is no error %s", key, text);
}

static enum fake_policy policy(const char *text)
{
	static const char *const names[] = { "chunks", "ascending", "descending" };
	for (int i = 0; i < 3; i++) {
		if (!strcmp(names[i], text))
			return (enum fake_policy)i;
	}
	fake_fatal("FAKECUDA: there is no policy %s", text);
}

/* Cut "A:B" behind A. */
static char *after_colon(const char *key, char *text)
{
	char *colon = strchr(text, ':');
	if (!colon)
		fake_fatal("FAKECUDA: %s=%s lacks a part", key, text);
	*colon = 0;
	return colon + 1;
}

/* ---- keys ---- */

static bool set_number(struct fake_options *o, const char *key, const char *value)
{
	const struct {
		const char *key;
		uint64_t *value;
	} numbers[] = {
		{ "devices", &o->devices }, { "capacity", &o->capacity },
		{ "context", &o->context }, { "granularity", &o->granularity },
		{ "step", &o->step },       { "overhead", &o->overhead },
		{ "lazy", &o->lazy },       { "lost", &o->lost },
		{ "damage", &o->damage },   { "alias", &o->alias },
	};
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		if (strcmp(numbers[i].key, key))
			continue;
		*numbers[i].value = number(key, value);
		return true;
	}
	return false;
}

static void add_failure(struct fake_options *o, char *value)
{
	char *at = after_colon("fail", value), *name = after_colon("fail", at);
	size_t i = 0;
	while (i < FAKE_INJECTIONS && o->fail[i].at)
		i++;
	if (i == FAKE_INJECTIONS)
		fake_fatal("FAKECUDA: more than %d times fail", FAKE_INJECTIONS);
	o->fail[i] = (struct fake_failure){ call("fail", value), number("fail", at),
					    error("fail", name) };
}

static void add_foreign(struct fake_options *o, char *value)
{
	char *bytes = after_colon("foreign", value);
	bool gives = *bytes == '-';
	size_t i = 0;
	while (i < FAKE_INJECTIONS && o->foreign[i].at)
		i++;
	if (i == FAKE_INJECTIONS)
		fake_fatal("FAKECUDA: more than %d times foreign", FAKE_INJECTIONS);
	int64_t n = (int64_t)number("foreign", bytes + gives);
	o->foreign[i] = (struct fake_foreign){ number("foreign", value), gives ? -n : n };
}

static void set(struct fake_options *o, const char *key, char *value)
{
	if (set_number(o, key, value))
		return;
	if (!strcmp(key, "policy"))
		o->policy = policy(value);
	else if (!strcmp(key, "mapping"))
		o->mapping = yes(key, value);
	else if (!strcmp(key, "modules"))
		o->modules = yes(key, value);
	else if (!strcmp(key, "fail"))
		add_failure(o, value);
	else if (!strcmp(key, "foreign"))
		add_foreign(o, value);
	else if (!strcmp(key, "interrupt")) {
		char *at = after_colon(key, value);
		o->interrupt = (struct fake_failure){ call(key, value), number(key, at), 0 };
	} else if (!strcmp(key, "report") && strlen(value) < sizeof(o->report))
		strcpy(o->report, value);
	else
		fake_fatal("FAKECUDA: there is no %s=%s (tests/fakecuda/README.md)", key, value);
}

void fake_read_options(struct fake_options *o)
{
	const char *text = getenv("FAKECUDA");
	*o = (struct fake_options){ .devices = 1,
				    .capacity = 8192 * MIB,
				    .granularity = 2 * MIB,
				    .step = 2 * MIB,
				    .mapping = true,
				    .modules = true };
	char *copy = strdup(text ? text : ""), *save;
	if (!copy)
		fake_fatal("no memory");
	for (char *word = strtok_r(copy, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
		char *value = strchr(word, '=');
		if (!value)
			fake_fatal("FAKECUDA: %s is not KEY=VALUE", word);
		*value = 0;
		set(o, word, value + 1);
	}
	free(copy);
	if (o->devices > FAKE_DEVICES || !o->step || o->step % 4096 || !o->granularity ||
	    o->granularity % 4096 || o->capacity > (UINT64_C(1) << 40) || o->context > o->capacity)
		fake_fatal(
			"FAKECUDA: devices, capacity, context, step or granularity make no sense");
}
