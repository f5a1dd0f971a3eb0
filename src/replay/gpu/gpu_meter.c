/* SPDX-License-Identifier: MIT */
#include "replay/gpu/gpu_meter.h"

#include "replay/conf.h"

bool mlv_gpu_meter_init(struct mlv_gpu_meter *m, struct mlv_gpu *gpu, uint32_t every)
{
	*m = (struct mlv_gpu_meter){ .gpu = gpu, .every = every };
	if (mlv_gpu_free_bytes(gpu, &m->free_at_start))
		return false;
	m->free_now = m->free_at_start;
	return true;
}

void mlv_gpu_meter_fini(struct mlv_gpu_meter *m)
{
	mlv_vec_free(&m->samples);
}

bool mlv_gpu_meter_before(struct mlv_gpu_meter *m)
{
	uint64_t left;
	m->measuring = ++m->skipped >= m->every;
	if (!m->measuring)
		return true;
	m->skipped = 0;
	m->taken_before = m->gpu->taken;
	if (mlv_gpu_free_bytes(m->gpu, &left))
		return false;
	/* Where operations were passed over, nobody knows whose change it was. */
	m->before = m->every == 1 ? (int64_t)(m->free_now - left) : 0;
	m->free_now = left;
	return true;
}

bool mlv_gpu_meter_after(struct mlv_gpu_meter *m, uint32_t event)
{
	uint64_t left;
	if (!m->measuring)
		return true;
	if (mlv_gpu_free_bytes(m->gpu, &left))
		return false;
	int64_t asked = (int64_t)(m->gpu->taken - m->taken_before);
	struct mlv_gpu_sample sample = { .event = event,
					 .used = m->free_at_start - left,
					 .taken = m->gpu->taken,
					 .before = m->before,
					 .within = (int64_t)(m->free_now - left) - asked };
	m->free_now = left;
	if (mlv_vec_push(&m->samples, sample))
		return true;
	mlv_err_nomem(&m->gpu->err);
	return false;
}

/* ---- the end ---- */

/* More than any driver adds to an operation, or takes from it. */
static bool is_too_much(int64_t within)
{
	const int64_t most = 256 * (int64_t)MLV_MIB;
	return within > most || within < -most;
}

static bool others_seen(const struct mlv_gpu_meter *m)
{
	for (size_t i = 0; i < m->samples.len; i++) {
		const struct mlv_gpu_sample *s = &m->samples.data[i];
		if (s->before || is_too_much(s->within))
			return true;
	}
	return false;
}

/* Where others were seen: whether it is theirs what changed within an operation. */
static bool is_foreign(const struct mlv_gpu_meter *m, int64_t within)
{
	const int64_t step = (int64_t)(m->gpu->granularity ? m->gpu->granularity : 2 * MLV_MIB);
	return within < 0 || within >= step;
}

static void foreign(struct mlv_gpu_meter *m, int64_t bytes, uint32_t event)
{
	if (!bytes)
		return;
	if (!m->foreign_changes++)
		m->foreign_event = event;
	m->foreign += bytes;
	if (m->foreign > m->foreign_most)
		m->foreign_most = m->foreign;
}

void mlv_gpu_meter_end(struct mlv_gpu_meter *m)
{
	bool others = m->every == 1 && others_seen(m);
	for (size_t i = 0; i < m->samples.len; i++) {
		struct mlv_gpu_sample *s = &m->samples.data[i];
		foreign(m, s->before, s->event);
		if (others && is_foreign(m, s->within))
			foreign(m, s->within, s->event);
		int64_t used = (int64_t)s->used - m->foreign, overhead = used - (int64_t)s->taken;
		s->used = used > 0 ? (uint64_t)used : 0;
		if (s->used > m->used_peak)
			m->used_peak = s->used;
		if (!i || overhead > m->overhead_most)
			m->overhead_most = overhead;
		if (!i || overhead < m->overhead_least)
			m->overhead_least = overhead;
	}
}
