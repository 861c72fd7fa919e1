// Mirrors core/backend/cpu/fft/batched_fft.hpp.
#pragma once

#include "gpu/fft/pencil_fft_view.cuh"

namespace recon {

/// The numbers of `count` neighbouring pencils at one place: one instruction moves them.
template <class Number, int count>
struct alignas(count * sizeof(Number)) Neighbours {
    Number of[count];
};

/// The part of one thread in the transforms of `lanes` pencils that lie side by side: butterflies first, first + step,
/// ..; the elements p of the pencils are at shared[p * element_step]. What loads and stores takes and gives is of all
/// of them, Neighbours<., lanes>.
template <class T, int lanes, int element_step, class Fft>
class PencilWorker {
public:
    using Complex = DeviceComplex<T>;
    using Elements = Neighbours<Complex, lanes>;
    using Part = butterfly::Part;

    __device__ PencilWorker(const Fft& fft, Elements* shared, int first, int step)
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
                Complex x[lanes][R];
                read<R>(last_block(lowest), 1, x);
                transform<Part::all>(x);
#pragma unroll
                for (int j = 0; j < R; ++j) {
                    store(lowest + j * count, elements(x, j));
                }
            }
        });
    }

    template <class Load, class Store>
    __device__ void inverse(const Load& load, const Store& store) const {
        if (fft_.pass_count == 1) {
            single_pass([&](int i) { return swapped(load(i)); },
                        [&](int i, const Elements& values) { store(i, swapped(values)); });
            return;
        }
        fft_.with_radix(fft_.last_pass(), [&](auto radix) {
            constexpr int R = radix();
            const int count = fft_.length / R;
            for (int lowest = first_; lowest < count; lowest += step_) {
                Complex x[lanes][R];
#pragma unroll
                for (int j = 0; j < R; ++j) {
                    take(swapped(load(lowest + j * count)), j, x);
                }
                transform<Part::all>(x);
                write(x, last_block(lowest), 1);
            }
        });
        inverse_but_first(store);
    }

    /// Inverse transform of the forward transform times factor(frequency), Neighbours<T, lanes>: real numbers.
    template <class Load, class Factor, class Store>
    __device__ void convolve(const Load& load, const Factor& factor, const Store& store) const {
        if (fft_.pass_count > 1) {
            forward_but_last(load);
        }
        fft_.with_radix(fft_.last_pass(), [&](auto radix) {
            constexpr int R = radix();
            const int count = fft_.length / R;
            for (int lowest = first_; lowest < count; lowest += step_) {
                Neighbours<T, lanes> factors[R];
#pragma unroll
                for (int j = 0; j < R; ++j) {
                    factors[j] = factor(lowest + j * count);
                }
                Complex x[lanes][R];
                if (fft_.pass_count > 1) {
                    read<R>(last_block(lowest), 1, x);
                } else {
#pragma unroll
                    for (int j = 0; j < R; ++j) {
                        take(load(j), j, x);
                    }
                }
                transform<Part::all>(x);
#pragma unroll
                for (int lane = 0; lane < lanes; ++lane) {
#pragma unroll
                    for (int j = 0; j < R; ++j) {
                        x[lane][j] = swapped(factors[j].of[lane] * x[lane][j]);
                    }
                }
                transform<Part::all>(x);
                if (fft_.pass_count > 1) {
                    write(x, last_block(lowest), 1);
                } else {
#pragma unroll
                    for (int j = 0; j < R; ++j) {
                        store(j, swapped(elements(x, j)));
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
    __device__ static Elements swapped(Elements values) {
#pragma unroll
        for (int lane = 0; lane < lanes; ++lane) {
            values.of[lane] = swapped(values.of[lane]);
        }
        return values;
    }
    __device__ int last_block(int lowest) const { return fft_.last_block_address[lowest]; }

    template <int R>
    __device__ static void take(const Elements& values, int j, Complex (&x)[lanes][R]) {
#pragma unroll
        for (int lane = 0; lane < lanes; ++lane) {
            x[lane][j] = values.of[lane];
        }
    }
    template <int R>
    __device__ static Elements elements(const Complex (&x)[lanes][R], int j) {
        Elements values;
#pragma unroll
        for (int lane = 0; lane < lanes; ++lane) {
            values.of[lane] = x[lane][j];
        }
        return values;
    }
    template <int R>
    __device__ void read(int address, int stride, Complex (&x)[lanes][R]) const {
#pragma unroll
        for (int j = 0; j < R; ++j) {
            take(shared_[(address + j * stride) * element_step], j, x);
        }
    }
    template <int R>
    __device__ void write(const Complex (&x)[lanes][R], int address, int stride) const {
#pragma unroll
        for (int j = 0; j < R; ++j) {
            shared_[(address + j * stride) * element_step] = elements(x, j);
        }
    }
    template <Part input, int R>
    __device__ static void transform(Complex (&x)[lanes][R]) {
#pragma unroll
        for (int lane = 0; lane < lanes; ++lane) {
            butterfly::transform<R, input>(x[lane]);
        }
    }
    template <int R, class Pass>
    __device__ void twiddle(const Pass& pass, int k, Complex (&x)[lanes][R]) const {
        const Complex* twiddles = fft_.twiddles + pass.first_twiddle + k;
#pragma unroll
        for (int j = 1; j < R; ++j) {
            const Complex factor = load_constant(twiddles + (j - 1) * pass.stride);
#pragma unroll
            for (int lane = 0; lane < lanes; ++lane) {
                x[lane][j] = x[lane][j] * factor;
            }
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
            Complex x[lanes][R];
#pragma unroll
            for (int j = 0; j < R; ++j) {
                take(load(j), j, x);
            }
            transform<Part::all>(x);
#pragma unroll
            for (int j = 0; j < R; ++j) {
                store(j, elements(x, j));
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
            Complex x[lanes][R];
#pragma unroll
            for (int j = 0; j < (input == Part::all ? R : R / 2); ++j) {
                take(load(k + j * pass.stride), j, x);
            }
            transform<input>(x);
            twiddle(pass, k, x);
            write(x, k, fft_.pitch);
        }
    }

    template <int R, int wanted, class Store>
    __device__ void final_pass(const Store& store) const {
        const auto& pass = fft_.first_pass();
        for (int k = first_; k < pass.stride; k += step_) {
            Complex x[lanes][R];
            read<R>(k, fft_.pitch, x);
            twiddle(pass, k, x);
            transform<Part::all>(x);
#pragma unroll
            for (int j = 0; j < wanted; ++j) {
                store(k + j * pass.stride, swapped(elements(x, j)));
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
                Complex x[lanes][R];
                read<R>(address, pass.stride, x);
                if (direction == Direction::inverse) {
                    twiddle(pass, k, x);
                }
                transform<Part::all>(x);
                if (direction == Direction::forward) {
                    twiddle(pass, k, x);
                }
                write(x, address, pass.stride);
            }
        });
        __syncthreads();
    }

    const Fft& fft_;
    Elements* shared_;
    int first_;
    int step_;
};

}  // namespace recon
