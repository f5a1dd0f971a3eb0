/* SPDX-License-Identifier: MIT */
#include "parsers/strace/strace_files.h"

bool mlv_strace_files_set(struct mlv_strace_files *f, int64_t fd, mlv_strid path, bool cloexec)
{
	if (fd < 0 || path.i > UINT32_MAX / 2)
		return true;
	return mlv_map_set(&f->paths, (uint64_t)fd, path.i << 1 | cloexec);
}

mlv_strid mlv_strace_files_get(const struct mlv_strace_files *f, int64_t fd)
{
	const struct mlv_map_slot *s = mlv_map_find(&f->paths, (uint64_t)fd);
	return (mlv_strid){ s ? s->value >> 1 : 0 };
}

void mlv_strace_files_close(struct mlv_strace_files *f, int64_t fd)
{
	struct mlv_map_slot *s = mlv_map_find(&f->paths, (uint64_t)fd);
	if (s)
		mlv_map_remove(&f->paths, s);
}

void mlv_strace_files_cloexec(struct mlv_strace_files *f, int64_t fd, bool cloexec)
{
	struct mlv_map_slot *s = mlv_map_find(&f->paths, (uint64_t)fd);
	if (s)
		s->value = (s->value & ~UINT32_C(1)) | cloexec;
}

/* Whether there is enough left for a walk over the table. */
static bool affordable(const struct mlv_strace_files *f, uint64_t *work)
{
	uint64_t cost = f->paths.len ? f->paths.mask + 1 : 0;
	if (cost > *work)
		return false;
	*work -= cost;
	return true;
}

bool mlv_strace_files_copy(struct mlv_strace_files *to, const struct mlv_strace_files *from,
			   bool to_exec, uint64_t *work)
{
	if (!from->paths.len || !affordable(from, work))
		return true;
	for (size_t i = 0; i <= from->paths.mask; i++) {
		const struct mlv_map_slot *s = &from->paths.slots[i];
		if (s->used && !(to_exec && s->value & 1) &&
		    !mlv_map_set(&to->paths, s->key, s->value))
			return false;
	}
	return true;
}

bool mlv_strace_files_exec(struct mlv_strace_files *f, uint64_t *work)
{
	struct mlv_strace_files kept = { .users = f->users };
	bool ok = mlv_strace_files_copy(&kept, f, true, work);
	mlv_map_fini(&f->paths);
	*f = kept;
	return ok;
}

bool mlv_strace_files_close_range(struct mlv_strace_files *f, uint64_t first, uint64_t last,
				  bool on_exec, uint64_t *work)
{
	struct mlv_strace_files kept = { .users = f->users };
	bool ok = true;
	if (!f->paths.len)
		return true;
	bool known = affordable(f, work);
	for (size_t i = 0; known && ok && i <= f->paths.mask; i++) {
		struct mlv_map_slot *s = &f->paths.slots[i];
		bool hit = s->used && s->key >= first && s->key <= last;
		if (hit && on_exec)
			s->value |= 1;
		if (s->used && (!hit || on_exec))
			ok = mlv_map_set(&kept.paths, s->key, s->value);
	}
	mlv_map_fini(&f->paths);
	*f = kept;
	return ok;
}
