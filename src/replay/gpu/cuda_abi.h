/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPLAY_GPU_CUDA_ABI_H
#define MLV_REPLAY_GPU_CUDA_ABI_H
/*
 * What mlviz needs of the CUDA driver's binary interface, in declarations of
 * its own: neither the toolkit nor its header is needed to build. Layouts and
 * values are those of cuda.h since CUDA 10.2, asserted below; the test
 * t_cuda_abi compares them with cuda.h where that is installed.
 *
 * Only plain device memory: managed memory is none of it.
 */
#include <stddef.h>

typedef int mlv_cu_result; /* CUresult */
typedef int mlv_cu_device; /* CUdevice: an ordinal */
typedef void *mlv_cu_context;
typedef void *mlv_cu_module;
typedef void *mlv_cu_function;
typedef void *mlv_cu_stream;              /* NULL: the default stream */
typedef unsigned long long mlv_cu_ptr;    /* CUdeviceptr: an address on the device */
typedef unsigned long long mlv_cu_handle; /* CUmemGenericAllocationHandle */

enum {
	MLV_CU_SUCCESS = 0,
	MLV_CU_INVALID_VALUE = 1,
	MLV_CU_OUT_OF_MEMORY = 2,
	MLV_CU_NO_DEVICE = 100,
	MLV_CU_NOT_SUPPORTED = 801,
};

enum {
	MLV_CU_ALLOCATION_PINNED = 1,   /* CU_MEM_ALLOCATION_TYPE_PINNED */
	MLV_CU_LOCATION_DEVICE = 1,     /* CU_MEM_LOCATION_TYPE_DEVICE */
	MLV_CU_ACCESS_READWRITE = 3,    /* CU_MEM_ACCESS_FLAGS_PROT_READWRITE */
	MLV_CU_GRANULARITY_MINIMUM = 0, /* CU_MEM_ALLOC_GRANULARITY_MINIMUM */
	/* CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED */
	MLV_CU_ATTRIBUTE_VIRTUAL_MEMORY = 102,
};

struct mlv_cu_location { /* CUmemLocation */
	int type, id;
};

struct mlv_cu_allocation { /* CUmemAllocationProp */
	int type;
	int handle_types;
	struct mlv_cu_location location;
	void *windows;
	unsigned char compression, rdma;
	unsigned short usage;
	unsigned char reserved[4];
};

struct mlv_cu_access { /* CUmemAccessDesc */
	struct mlv_cu_location location;
	int flags;
};

_Static_assert(sizeof(mlv_cu_ptr) == 8 && sizeof(mlv_cu_handle) == 8, "CUdeviceptr");
_Static_assert(sizeof(size_t) == 8 && sizeof(void *) == 8, "the driver has 64 bits");
_Static_assert(sizeof(struct mlv_cu_location) == 8, "CUmemLocation");
_Static_assert(sizeof(struct mlv_cu_allocation) == 32, "CUmemAllocationProp");
_Static_assert(offsetof(struct mlv_cu_allocation, handle_types) == 4, "requestedHandleTypes");
_Static_assert(offsetof(struct mlv_cu_allocation, location) == 8, "location");
_Static_assert(offsetof(struct mlv_cu_allocation, windows) == 16, "win32HandleMetaData");
_Static_assert(offsetof(struct mlv_cu_allocation, compression) == 24, "allocFlags");
_Static_assert(sizeof(struct mlv_cu_access) == 12, "CUmemAccessDesc");
_Static_assert(offsetof(struct mlv_cu_access, flags) == 8, "flags");

/*
 * The functions: name, symbol as the driver exports it (the version that
 * cuda.h maps the name to), whether mlviz can do without it, parameters.
 */
enum { MLV_CU_NEEDED, MLV_CU_OPTIONAL };

#define MLV_CU_CALLS(X)                                                                            \
	X(cuInit, "cuInit", NEEDED, (unsigned flags))                                              \
	X(cuDriverGetVersion, "cuDriverGetVersion", NEEDED, (int *version))                        \
	X(cuGetErrorName, "cuGetErrorName", NEEDED, (mlv_cu_result, const char **name))            \
	X(cuDeviceGetCount, "cuDeviceGetCount", NEEDED, (int *count))                              \
	X(cuDeviceGet, "cuDeviceGet", NEEDED, (mlv_cu_device *, int ordinal))                      \
	X(cuDeviceGetName, "cuDeviceGetName", NEEDED, (char *name, int size, mlv_cu_device))       \
	X(cuDeviceGetAttribute, "cuDeviceGetAttribute", NEEDED,                                    \
	  (int *value, int attribute, mlv_cu_device))                                              \
	X(cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain", NEEDED,                            \
	  (mlv_cu_context *, mlv_cu_device))                                                       \
	X(cuDevicePrimaryCtxRelease, "cuDevicePrimaryCtxRelease_v2", NEEDED, (mlv_cu_device))      \
	X(cuCtxSetCurrent, "cuCtxSetCurrent", NEEDED, (mlv_cu_context))                            \
	X(cuCtxSynchronize, "cuCtxSynchronize", NEEDED, (void))                                    \
	X(cuMemGetInfo, "cuMemGetInfo_v2", NEEDED, (size_t * free_bytes, size_t * total))          \
	X(cuMemAlloc, "cuMemAlloc_v2", NEEDED, (mlv_cu_ptr *, size_t bytes))                       \
	X(cuMemFree, "cuMemFree_v2", NEEDED, (mlv_cu_ptr))                                         \
	X(cuMemAddressReserve, "cuMemAddressReserve", OPTIONAL,                                    \
	  (mlv_cu_ptr *, size_t bytes, size_t alignment, mlv_cu_ptr at, unsigned long long flags)) \
	X(cuMemAddressFree, "cuMemAddressFree", OPTIONAL, (mlv_cu_ptr, size_t bytes))              \
	X(cuMemCreate, "cuMemCreate", OPTIONAL,                                                    \
	  (mlv_cu_handle *, size_t bytes, const struct mlv_cu_allocation *,                        \
	   unsigned long long flags))                                                              \
	X(cuMemRelease, "cuMemRelease", OPTIONAL, (mlv_cu_handle))                                 \
	X(cuMemMap, "cuMemMap", OPTIONAL,                                                          \
	  (mlv_cu_ptr, size_t bytes, size_t offset, mlv_cu_handle, unsigned long long flags))      \
	X(cuMemUnmap, "cuMemUnmap", OPTIONAL, (mlv_cu_ptr, size_t bytes))                          \
	X(cuMemSetAccess, "cuMemSetAccess", OPTIONAL,                                              \
	  (mlv_cu_ptr, size_t bytes, const struct mlv_cu_access *, size_t count))                  \
	X(cuMemGetAllocationGranularity, "cuMemGetAllocationGranularity", OPTIONAL,                \
	  (size_t * bytes, const struct mlv_cu_allocation *, int option))                          \
	X(cuMemsetD32Async, "cuMemsetD32Async", OPTIONAL,                                          \
	  (mlv_cu_ptr, unsigned value, size_t words, mlv_cu_stream))                               \
	X(cuMemcpyDtoH, "cuMemcpyDtoH_v2", OPTIONAL, (void *, mlv_cu_ptr, size_t bytes))           \
	X(cuModuleLoadData, "cuModuleLoadData", OPTIONAL, (mlv_cu_module *, const void *image))    \
	X(cuModuleUnload, "cuModuleUnload", OPTIONAL, (mlv_cu_module))                             \
	X(cuModuleGetFunction, "cuModuleGetFunction", OPTIONAL,                                    \
	  (mlv_cu_function *, mlv_cu_module, const char *name))                                    \
	X(cuLaunchKernel, "cuLaunchKernel", OPTIONAL,                                              \
	  (mlv_cu_function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,   \
	   unsigned block_y, unsigned block_z, unsigned shared, mlv_cu_stream, void **parameters,  \
	   void **extra))

enum mlv_cu_call {
#define MLV_CU_ENUM(name, symbol, need, parameters) MLV_CU_##name,
	MLV_CU_CALLS(MLV_CU_ENUM)
#undef MLV_CU_ENUM
		MLV_CU_CALL_COUNT,
};

struct mlv_cu_table {
#define MLV_CU_POINTER(name, symbol, need, parameters) mlv_cu_result(*name) parameters;
	MLV_CU_CALLS(MLV_CU_POINTER)
#undef MLV_CU_POINTER
};

#endif
