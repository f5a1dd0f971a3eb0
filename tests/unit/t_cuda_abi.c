/* SPDX-License-Identifier: MIT */
/*
 * Our own declarations of the CUDA driver's interface against the toolkit's
 * cuda.h, where that is installed.
 */
#include "replay/gpu/cuda_abi.h"

#include <stdio.h>

#ifdef HAVE_CUDA_H
#include <cuda.h>
#include <string.h>

#include "unit.h"

/* Other values than ours do not compile. */
#define SAME(ours, theirs) _Static_assert((int)(ours) == (int)(theirs), #theirs)
SAME(MLV_CU_SUCCESS, CUDA_SUCCESS);
SAME(MLV_CU_INVALID_VALUE, CUDA_ERROR_INVALID_VALUE);
SAME(MLV_CU_OUT_OF_MEMORY, CUDA_ERROR_OUT_OF_MEMORY);
SAME(MLV_CU_NO_DEVICE, CUDA_ERROR_NO_DEVICE);
SAME(MLV_CU_NOT_SUPPORTED, CUDA_ERROR_NOT_SUPPORTED);
SAME(MLV_CU_ALLOCATION_PINNED, CU_MEM_ALLOCATION_TYPE_PINNED);
SAME(MLV_CU_LOCATION_DEVICE, CU_MEM_LOCATION_TYPE_DEVICE);
SAME(MLV_CU_ACCESS_READWRITE, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
SAME(MLV_CU_GRANULARITY_MINIMUM, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
SAME(MLV_CU_ATTRIBUTE_VIRTUAL_MEMORY, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED);

#define SAME_SIZE(ours, theirs) _Static_assert(sizeof(ours) == sizeof(theirs), #theirs)
SAME_SIZE(mlv_cu_result, CUresult);
SAME_SIZE(mlv_cu_device, CUdevice);
SAME_SIZE(mlv_cu_context, CUcontext);
SAME_SIZE(mlv_cu_module, CUmodule);
SAME_SIZE(mlv_cu_function, CUfunction);
SAME_SIZE(mlv_cu_stream, CUstream);
SAME_SIZE(mlv_cu_ptr, CUdeviceptr);
SAME_SIZE(mlv_cu_handle, CUmemGenericAllocationHandle);
SAME_SIZE(struct mlv_cu_location, CUmemLocation);
SAME_SIZE(struct mlv_cu_allocation, CUmemAllocationProp);
SAME_SIZE(struct mlv_cu_access, CUmemAccessDesc);

#define SAME_PLACE(ours, member, theirs, their_member)                                             \
	_Static_assert(offsetof(ours, member) == offsetof(theirs, their_member), #their_member);   \
	_Static_assert(sizeof(((ours *)0)->member) == sizeof(((theirs *)0)->their_member),         \
		       #their_member)
SAME_PLACE(struct mlv_cu_location, type, CUmemLocation, type);
SAME_PLACE(struct mlv_cu_location, id, CUmemLocation, id);
SAME_PLACE(struct mlv_cu_allocation, type, CUmemAllocationProp, type);
SAME_PLACE(struct mlv_cu_allocation, handle_types, CUmemAllocationProp, requestedHandleTypes);
SAME_PLACE(struct mlv_cu_allocation, location, CUmemAllocationProp, location);
SAME_PLACE(struct mlv_cu_allocation, windows, CUmemAllocationProp, win32HandleMetaData);
SAME_PLACE(struct mlv_cu_allocation, compression, CUmemAllocationProp, allocFlags.compressionType);
SAME_PLACE(struct mlv_cu_allocation, rdma, CUmemAllocationProp, allocFlags.gpuDirectRDMACapable);
SAME_PLACE(struct mlv_cu_allocation, usage, CUmemAllocationProp, allocFlags.usage);
SAME_PLACE(struct mlv_cu_access, location, CUmemAccessDesc, location);
SAME_PLACE(struct mlv_cu_access, flags, CUmemAccessDesc, flags);

/* Pointers and integers of one size pass; another parameter, or one more, does not compile. */
#pragma GCC diagnostic error "-Wcast-function-type"
START_TEST(signatures){
#define CHECK(name, symbol, need, parameters)                                                      \
	{                                                                                          \
		__typeof__(&name) theirs = NULL;                                                   \
		mlv_cu_result(*ours) parameters = (mlv_cu_result(*) parameters)theirs;             \
		unit_check(!ours);                                                                 \
	}
	MLV_CU_CALLS(CHECK)
#undef CHECK
} END_TEST

	/* The version of each function that cuda.h gives to a program that is compiled today. */
	START_TEST(symbols)
{
#define STRING_(x) #x
#define STRING(x) STRING_(x)
#define CHECK(name, symbol, need, parameters) ck_assert_str_eq(STRING(name), symbol);
	MLV_CU_CALLS(CHECK)
#undef CHECK
}
END_TEST

UNIT_MAIN("cuda_abi", signatures, symbols)
#else
int main(void)
{
	puts("1..0 # SKIP there is no cuda.h to compare with (nor in /usr/local/cuda/include)");
	return 0;
}
#endif
