// Mirrors core/backend/cpu/fft/batched_fft.hpp.
#pragma once

#include "gpu/fft/pencil_fft_view.cuh"

namespace recon {

/// The part of one thread in the transform of one pencil: butterflies first, first + step, ..; element p of the pencil
/// is at shared[p * element_step].
template <class T, int element_step, class Fft>
class PencilWorker {
public:
    using Complex = DeviceComplex<T>;
    using Part = butterfly::Part;

    __device__ PencilWorker(const Fft& fft, Complex* shared, int first, int step)
        : fft_(fft), shared_(shared), first_(first), step_(step) {}

    template <class Load, class Store>
    __device__ void forward(const Load& load, const Store& store) const {
        if (fft_.pass_count == 1) {
            single_pass([&](int i) { return load(i); }, store);
            return;
        }
        forward_but_last(load);
        fft_.with_radix(fft_.last_pass(), [&](auto radix) {
            constexpr int R = radix();
            const int count = fft_.length / R;
            for (int lowest = first_; lowest < count; lowest += step_) {
                Complex x[R];
                read<R>(last_block(lowest), 1, x);
                butterfly::transform<R, Part::all>(x);
#pragma unroll
                for (int j = 0; j < R; ++j) {
                    store(lowest + j * count, x[j]);
                }
            }
        });
    }

    template <class Load, class Store>
    __device__ void inverse(const Load& load, const Store& store) const {
        if (fft_.pass_count == 1) {
            single_pass([&](int i) { return swapped(load(i)); },
                        [&](int i, Complex value) { store(i, swapped(value)); });
            return;
        }
        fft_.with_radix(fft_.last_pass(), [&](auto radix) {
            constexpr int R = radix();
            const int count = fft_.length / R;
            for (int lowest = first_; lowest < count; lowest += step_) {
                Complex x[R];
#pragma unroll
                for (int j = 0; j < R; ++j) {
                    x[j] = swapped(load(lowest + j * count));
                }
                butterfly::transform<R, Part::all>(x);
                write<R>(x, last_block(lowest), 1);
            }
        });
        inverse_but_first(store);
    }

    /// Inverse transform of the forward transform times factor(frequency), a real number.
    template <class Load, class Factor, class Store>
    __device__ void convolve(const Load& load, const Factor& factor, const Store& store) const {
        if (fft_.pass_count > 1) {
            forward_but_last(load);
        }
        fft_.with_radix(fft_.last_pass(), [&](auto radix) {
            constexpr int R = radix();
            const int count = fft_.length / R;
            for (int lowest = first_; lowest < count; lowest += step_) {
                T factors[R];
#pragma unroll
                for (int j = 0; j < R; ++j) {
                    factors[j] = factor(lowest + j * count);
                }
                Complex x[R];
                if (fft_.pass_count > 1) {
                    read<R>(last_block(lowest), 1, x);
                } else {
#pragma unroll
                    for (int j = 0; j < R; ++j) {
                        x[j] = load(j);
                    }
                }
                butterfly::transform<R, Part::all>(x);
#pragma unroll
                for (int j = 0; j < R; ++j) {
                    x[j] = swapped(factors[j] * x[j]);
                }
                butterfly::transform<R, Part::all>(x);
                if (fft_.pass_count > 1) {
                    write<R>(x, last_block(lowest), 1);
                } else {
#pragma unroll
                    for (int j = 0; j < R; ++j) {
                        store(j, swapped(x[j]));
                    }
                }
            }
        });
        if (fft_.pass_count > 1) {
            inverse_but_first(store);
        }
    }

private:
    enum class Direction { forward, inverse };

    __device__ static Complex swapped(Complex x) { return {x.im, x.re}; }
    __device__ int last_block(int lowest) const { return fft_.last_block_address[lowest]; }

    template <int R>
    __device__ void read(int address, int stride, Complex (&x)[R]) const {
#pragma unroll
        for (int j = 0; j < R; ++j) {
            x[j] = shared_[(address + j * stride) * element_step];
        }
    }
    template <int R>
    __device__ void write(const Complex (&x)[R], int address, int stride) const {
#pragma unroll
        for (int j = 0; j < R; ++j) {
            shared_[(address + j * stride) * element_step] = x[j];
        }
    }
    template <int R, class Pass>
    __device__ void twiddle(const Pass& pass, int k, Complex (&x)[R]) const {
        const Complex* twiddles = fft_.twiddles + pass.first_twiddle + k;
#pragma unroll
        for (int j = 1; j < R; ++j) {
            x[j] = x[j] * load_constant(twiddles + (j - 1) * pass.stride);
        }
    }

    /// A transform of one butterfly needs no shared memory.
    template <class Load, class Store>
    __device__ void single_pass(const Load& load, const Store& store) const {
        if (first_ > 0) {
            return;
        }
        butterfly::with_radix<T>(fft_.length, [&](auto radix) {
            constexpr int R = radix();
            Complex x[R];
#pragma unroll
            for (int j = 0; j < R; ++j) {
                x[j] = load(j);
            }
            butterfly::transform<R, Part::all>(x);
#pragma unroll
            for (int j = 0; j < R; ++j) {
                store(j, x[j]);
            }
        });
    }

    template <class Load>
    __device__ void forward_but_last(const Load& load) const {
        fft_.with_radix(fft_.first_pass(), [&](auto radix) {
            constexpr int R = radix();
            if constexpr (R % 2 == 0) {
                if (fft_.part == Part::lower_half) {
                    return first_pass<R, Part::lower_half>(load);
                }
            }
            first_pass<R, Part::all>(load);
        });
        __syncthreads();
        fft_.for_middle_passes([&](const auto& pass) { middle_pass<Direction::forward>(pass); });
    }

    template <class Store>
    __device__ void inverse_but_first(const Store& store) const {
        __syncthreads();
        fft_.for_middle_passes_backwards([&](const auto& pass) { middle_pass<Direction::inverse>(pass); });
        fft_.with_radix(fft_.first_pass(), [&](auto radix) {
            constexpr int R = radix();
            if constexpr (R % 2 == 0) {
                if (fft_.part == Part::lower_half) {
                    return final_pass<R, R / 2>(store);
                }
            }
            final_pass<R, R>(store);
        });
    }

    template <int R, Part input, class Load>
    __device__ void first_pass(const Load& load) const {
        const auto& pass = fft_.first_pass();
        for (int k = first_; k < pass.stride; k += step_) {
            Complex x[R];
#pragma unroll
            for (int j = 0; j < (input == Part::all ? R : R / 2); ++j) {
                x[j] = load(k + j * pass.stride);
            }
            butterfly::transform<R, input>(x);
            twiddle(pass, k, x);
            write<R>(x, k, fft_.pitch);
        }
    }

    template <int R, int wanted, class Store>
    __device__ void final_pass(const Store& store) const {
        const auto& pass = fft_.first_pass();
        for (int k = first_; k < pass.stride; k += step_) {
            Complex x[R];
            read<R>(k, fft_.pitch, x);
            twiddle(pass, k, x);
            butterfly::transform<R, Part::all>(x);
#pragma unroll
            for (int j = 0; j < wanted; ++j) {
                store(k + j * pass.stride, swapped(x[j]));
            }
        }
    }

    template <Direction direction, class Pass>
    __device__ void middle_pass(const Pass& pass) const {
        fft_.with_radix(pass, [&](auto radix) {
            constexpr int R = radix();
            const int count = fft_.length / R;
            for (int butterfly = first_; butterfly < count; butterfly += step_) {
                const int block = pass.by_stride(butterfly);
                const int k = butterfly - block * pass.stride;
                const int position = block * R * pass.stride + k;
                const int address = position + fft_.by_first_stride(position) * (fft_.pitch - fft_.first_pass().stride);
                Complex x[R];
                read<R>(address, pass.stride, x);
                if (direction == Direction::inverse) {
                    twiddle(pass, k, x);
                }
                butterfly::transform<R, Part::all>(x);
                if (direction == Direction::forward) {
                    twiddle(pass, k, x);
                }
                write<R>(x, address, pass.stride);
            }
        });
        __syncthreads();
    }

    const Fft& fft_;
    Complex* shared_;
    int first_;
    int step_;
};

}  // namespace recon
