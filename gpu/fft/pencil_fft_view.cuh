#pragma once

#include <cstdint>

#include "gpu/fft/butterfly.cuh"

namespace recon {

/// Exact quotient of n >= 0 by a fixed divisor, for n * divisor < 2^32.
struct FastDivision {
    std::uint32_t divisor = 1;
    std::uint64_t reciprocal = std::uint64_t{1} << 32;  ///< ceil(2^32 / divisor)

    __host__ __device__ int operator()(int n) const {
        return static_cast<int>((static_cast<std::uint32_t>(n) * reciprocal) >> 32);
    }
};

/// FFT of pencils in shared memory by the threads of a block; what a kernel needs to know of it. Made by PencilFft.
///
/// Forward is decimation in frequency, X[k] = sum_j x[j] exp(-i 2 pi j k / n): each pass splits blocks of length
/// radix * stride into `radix` blocks of length `stride`, in place. Inverse (unscaled, sign +) is decimation in time
/// and goes back. Its numbers are kept with real and imaginary part swapped, which turns the conjugate transform into
/// the forward one. The first pass reads through `load(i)`, the last writes through `store(i, value)`, both in natural
/// order: the threads of the last pass are dealt the blocks in the order of their lowest frequency.
/// [Cooley 1965, Gentleman 1966]
template <class T>
struct PencilFftView {
    static constexpr int max_pass_count = 8;
    using Complex = DeviceComplex<T>;
    using Part = butterfly::Part;

    struct Pass {
        int radix;
        int stride;
        int first_twiddle;
        FastDivision by_stride;
    };

    int length;
    int pass_count;
    Part part;  ///< lower_half if inputs (of the inverse: outputs) from n / 2 on are zero (not wanted)
    int pitch;  ///< distance in shared memory between the blocks of the first pass: its stride, or one more
    Pass passes[max_pass_count];
    FastDivision by_first_stride;
    const Complex* twiddles;        ///< of each pass: exp(-i 2 pi j k / (radix stride)), [j = 1..][k]
    const int* last_block_address;  ///< in shared memory, of the block whose lowest frequency is the index

    /// Elements of shared memory that a pencil needs.
    __host__ __device__ int shared_size() const { return pass_count > 1 ? passes[0].radix * pitch : 0; }

    __host__ __device__ const Pass& first_pass() const { return passes[0]; }
    __host__ __device__ const Pass& last_pass() const { return passes[pass_count - 1]; }
    template <class Function>
    __device__ void for_middle_passes(const Function& function) const {
        for (int i = 1; i < pass_count - 1; ++i) {
            function(passes[i]);
        }
    }
    template <class Function>
    __device__ void for_middle_passes_backwards(const Function& function) const {
        for (int i = pass_count - 2; i > 0; --i) {
            function(passes[i]);
        }
    }
    /// Calls function(std::integral_constant<int, radix of the pass>).
    template <class Function>
    __device__ static void with_radix(const Pass& pass, const Function& function) {
        butterfly::with_radix<T>(pass.radix, function);
    }
};

/// The passes of a transform of these radices.
template <int... radices>
struct RadixList {
    static constexpr int count = sizeof...(radices);

    __host__ __device__ static constexpr int radix(int index) {
        const int list[] = {radices...};
        return list[index];
    }
    /// The product of the radices after `index`.
    __host__ __device__ static constexpr int stride(int index) {
        int product = 1;
        for (int i = index + 1; i < count; ++i) {
            product *= radix(i);
        }
        return product;
    }
    /// Twiddle factors of the passes before `index`.
    __host__ __device__ static constexpr int twiddle_count(int index) {
        int sum = 0;
        for (int i = 0; i < index; ++i) {
            sum += (radix(i) - 1) * stride(i);
        }
        return sum;
    }
};

/// A PencilFftView of one length, made of a RadixList, whose upper half is zero: constants for the compiler.
template <class T, class Radices>
struct FixedPencilFft {
    using Complex = DeviceComplex<T>;
    using Part = butterfly::Part;

    template <int index>
    struct Pass {
        static constexpr int radix = Radices::radix(index);
        static constexpr int stride = Radices::stride(index);
        static constexpr int first_twiddle = Radices::twiddle_count(index);
        __device__ static int by_stride(int n) { return n / stride; }
    };

    static constexpr int length = Radices::radix(0) * Radices::stride(0);
    static constexpr int pass_count = Radices::count;
    static constexpr Part part = Part::lower_half;
    static constexpr int pitch = Pass<0>::stride | 1;
    __device__ static int by_first_stride(int n) { return n / Pass<0>::stride; }
    const Complex* twiddles;
    const int* last_block_address;

    __device__ static constexpr int shared_size() { return Pass<0>::radix * pitch; }

    __device__ static constexpr Pass<0> first_pass() { return {}; }
    __device__ static constexpr Pass<pass_count - 1> last_pass() { return {}; }
    template <class Function>
    __device__ static void for_middle_passes(const Function& function) {
        butterfly::for_constants<pass_count - 2>([&](auto i) { function(Pass<i() + 1>{}); });
    }
    template <class Function>
    __device__ static void for_middle_passes_backwards(const Function& function) {
        butterfly::for_constants<pass_count - 2>([&](auto i) { function(Pass<pass_count - 2 - i()>{}); });
    }
    template <int index, class Function>
    __device__ static void with_radix(Pass<index>, const Function& function) {
        function(std::integral_constant<int, Pass<index>::radix>{});
    }
};

/// Lengths for which kernels are compiled: the embeddings of 128, 192 and 256 voxels. The radices are those that
/// pencil_radices() chooses.
template <class T, int length>
struct FixedLength;
template <class T>
struct FixedLength<T, 256> {
    using Fft = FixedPencilFft<T, RadixList<16, 16>>;
};
template <class T>
struct FixedLength<T, 384> {
    using Fft = FixedPencilFft<T, RadixList<8, 8, 6>>;
};
template <class T>
struct FixedLength<T, 512> {
    using Fft = FixedPencilFft<T, RadixList<8, 8, 8>>;
};

/// `view`, or for a fixed length (other than 0) the same as constants for the compiler.
template <int length, class T>
__device__ decltype(auto) with_constants(const PencilFftView<T>& view) {
    if constexpr (length == 0) {
        return (view);  // the kernel's own parameter
    } else {
        return typename FixedLength<T, length>::Fft{view.twiddles, view.last_block_address};
    }
}

}  // namespace recon
