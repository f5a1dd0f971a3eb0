/* SPDX-License-Identifier: MIT */
#include "report/replay.h"

static void site(struct mlv_json *j, struct mlv_sites *sites, mlv_stackid stack)
{
	char text[400];
	uint32_t id;
	if (!mlv_site_of(sites, stack, &id))
		return;
	mlv_site_function(sites, id, text, sizeof(text));
	mlv_json_key_text(j, "function", text);
	mlv_site_place(sites, id, text, sizeof(text));
	mlv_json_key_text(j, "place", text);
	mlv_json_key_uint(j, "stack", stack.i);
}

static void shares(struct mlv_json *j, const struct mlv_free_space *s)
{
	mlv_json_key(j, "free_by_pool");
	mlv_json_array(j);
	for (size_t i = 0; i < s->shares.len; i++) {
		const struct mlv_free_share *f = &s->shares.data[i];
		mlv_json_object(j);
		mlv_json_key_uint(j, "pool", f->pool);
		mlv_json_key_bool(j, "small", f->small);
		mlv_json_key_uint(j, "stream", f->stream);
		mlv_json_key_uint(j, "bytes", f->bytes);
		mlv_json_key_uint(j, "blocks", f->blocks);
		mlv_json_key_uint(j, "largest_bytes", f->largest);
		mlv_json_object_end(j);
	}
	mlv_json_array_end(j);
}

static void pins(struct mlv_json *j, const struct mlv_free_space *s, struct mlv_sites *sites,
		 size_t top)
{
	mlv_json_key(j, "pinned_by");
	mlv_json_array(j);
	for (size_t i = 0; i < s->pins.len && i < top; i++) {
		const struct mlv_pin *p = &s->pins.data[i];
		mlv_json_object(j);
		site(j, sites, p->stack);
		mlv_json_key_uint(j, "blocks", p->blocks);
		mlv_json_key_uint(j, "bytes", p->bytes);
		mlv_json_key_uint(j, "pinned_bytes", p->pinned);
		mlv_json_key_int(j, "oldest_event",
				 p->oldest == MLV_NEVER ? -1 : (int64_t)p->oldest);
		mlv_json_object_end(j);
	}
	mlv_json_array_end(j);
}

void mlv_postmortem_json(const struct mlv_postmortem *p, struct mlv_sites *sites, size_t top,
			 struct mlv_json *j)
{
	static const char *const kinds[] = { [MLV_LIMIT_GIVEN] = "given",
					     [MLV_LIMIT_INFERRED] = "inferred",
					     [MLV_LIMIT_DEVICE] = "device" };
	mlv_json_object(j);
	mlv_json_key_text(j, "verdict", mlv_oom_verdict_name(p->verdict));
	mlv_json_key_uint(j, "event", p->event);
	mlv_json_key_uint(j, "at_alloc", p->at_alloc);
	site(j, sites, p->stack);
	mlv_json_key_uint(j, "rounded_bytes", p->rounded);
	mlv_json_key_uint(j, "segment_bytes", p->segment);
	mlv_json_key_text(j, "limit_kind", kinds[p->limit_kind]);
	mlv_json_key_uint(j, "limit_least_bytes", p->limit);
	mlv_json_key_uint(j, "limit_most_bytes", p->limit_most);
	mlv_json_key(j, "device_free_bytes");
	if (p->device_free == UINT64_MAX)
		mlv_json_null(j);
	else
		mlv_json_uint(j, p->device_free);
	mlv_json_key_uint(j, "outside_bytes", p->outside);
	mlv_json_key_uint(j, "requested_bytes", p->at.requested_bytes.now);
	mlv_json_key_uint(j, "active_bytes", p->at.active_bytes.now);
	mlv_json_key_uint(j, "reserved_bytes", p->at.reserved_bytes.now);
	mlv_json_key_uint(j, "free_bytes", p->space.bytes);
	mlv_json_key_uint(j, "usable_free_bytes", p->usable);
	mlv_json_key_uint(j, "largest_free_bytes", p->usable_largest);
	mlv_json_key_uint(j, "pending_free_bytes", p->space.pending);
	mlv_json_key_uint(j, "rounding_bytes", p->space.internal);
	shares(j, &p->space);
	pins(j, &p->space, sites, top);
	mlv_json_object_end(j);
}
