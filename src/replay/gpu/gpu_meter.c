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

bool mlv_gpu_meter_before(struct mlv_gpu_meter *m, uint32_t event)
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
	if (m->every == 1)
		foreign(m, (int64_t)(m->free_now - left), event);
	m->free_now = left;
	return true;
}

/*
 * While nobody else has been seen, what an operation changes beside what was
 * asked is what the driver adds, unless it is more than any driver would. From
 * then on only what it was seen to add before is its.
 */
static bool is_foreign(struct mlv_gpu_meter *m, int64_t excess, int64_t change)
{
	const int64_t most = 64 * (int64_t)MLV_MIB + (change < 0 ? -change : change) / 16;
	if (excess >= m->excess_least && excess <= m->excess_most)
		return false;
	if (m->foreign_changes || excess > most || excess < -most)
		return true;
	if (excess < m->excess_least)
		m->excess_least = excess;
	else
		m->excess_most = excess;
	return false;
}

bool mlv_gpu_meter_after(struct mlv_gpu_meter *m, uint32_t event)
{
	uint64_t left;
	if (!m->measuring)
		return true;
	if (mlv_gpu_free_bytes(m->gpu, &left))
		return false;
	int64_t change = (int64_t)(m->gpu->taken - m->taken_before);
	int64_t excess = (int64_t)(m->free_now - left) - change;
	if (m->every == 1 && is_foreign(m, excess, change))
		foreign(m, excess, event);
	m->free_now = left;
	int64_t used = (int64_t)(m->free_at_start - left) - m->foreign;
	struct mlv_gpu_sample sample = { event, used > 0 ? (uint64_t)used : 0, m->gpu->taken };
	int64_t overhead = used - (int64_t)m->gpu->taken;
	if (sample.used > m->used_peak)
		m->used_peak = sample.used;
	if (!m->samples.len || overhead > m->overhead_most)
		m->overhead_most = overhead;
	if (!m->samples.len || overhead < m->overhead_least)
		m->overhead_least = overhead;
	if (mlv_vec_push(&m->samples, sample))
		return true;
	mlv_err_nomem(&m->gpu->err);
	return false;
}
