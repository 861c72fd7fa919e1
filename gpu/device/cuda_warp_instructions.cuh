#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace recon::warp {

// Matrix instructions of one warp and asynchronous copies, compute capability 8.0 [PTX ISA 7.0,
// sections 9.7.8, 9.7.14].

/// d (16 x 8) += a (16 x 16) b (16 x 8): fp16 in, fp32 out.
__device__ inline void multiply_16_8_16(float (&d)[4], const std::uint32_t (&a)[4], std::uint32_t b0,
                                        std::uint32_t b1) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

/// d (16 x 8) = a (16 x 16) b (16 x 8), likewise.
__device__ inline void multiply_16_8_16_anew(float (&d)[4], const std::uint32_t (&a)[4], std::uint32_t b0,
                                             std::uint32_t b1) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%10, %10, %10, %10};"
        : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1), "f"(0.0f));
}

/// d (8 x 8) += a (8 x 4) b (4 x 8) in double: lane l holds a[l / 4][l % 4], b[l % 4][l / 4], d[l / 4][2 (l % 4) + {0,
/// 1}].
__device__ inline void multiply_8_8_4(double (&d)[2], double a, double b) {
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                 : "+d"(d[0]), "+d"(d[1])
                 : "d"(a), "d"(b));
}

/// Four blocks of 8 x 8 fp16 numbers; lane l gives the address of row l % 8 of block l / 8.
__device__ inline void load_matrices(std::uint32_t (&r)[4], const void* shared) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(static_cast<std::uint32_t>(__cvta_generic_to_shared(shared)))
                 : "memory");
}

__device__ inline void copy_16(void* shared, const void* global) {
    asm volatile(
        "cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(static_cast<std::uint32_t>(__cvta_generic_to_shared(shared))),
        "l"(global)
        : "memory");
}
__device__ inline void copy_commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
/// Waits until at most `pending` of the committed groups are unfinished.
template <int pending>
__device__ inline void copy_wait() {
    asm volatile("cp.async.wait_group %0;" ::"n"(pending) : "memory");
}

}  // namespace recon::warp
