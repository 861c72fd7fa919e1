#include "tests/benchmark/support/fftw_reference.hpp"

#include <fftw3.h>

#include <algorithm>
#include <cstring>

namespace recon::benchmark {
namespace {

struct PlanDeleter {
    void operator()(fftwf_plan plan) const { fftwf_destroy_plan(plan); }
};
using Plan = std::unique_ptr<std::remove_pointer_t<fftwf_plan>, PlanDeleter>;

struct Memory {
    explicit Memory(Index size) : data(fftwf_alloc_complex(size)) { std::memset(data, 0, size * sizeof(cfloat)); }
    ~Memory() { fftwf_free(data); }
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;
    cfloat* numbers() { return reinterpret_cast<cfloat*>(data); }

    fftwf_complex* data;
};

class Pencils final : public FftwPencils {
public:
    Pencils(Index length, Index count, PencilLayout layout) : memory_(length * count) {
        const int n = static_cast<int>(length), many = static_cast<int>(count);
        const bool contiguous = layout == PencilLayout::contiguous;
        const int stride = contiguous ? 1 : many, distance = contiguous ? n : 1;
        plan_.reset(fftwf_plan_many_dft(1, &n, many, memory_.data, nullptr, stride, distance, memory_.data, nullptr,
                                        stride, distance, FFTW_FORWARD, FFTW_PATIENT));
        std::memset(memory_.data, 0, length * count * sizeof(cfloat));
    }
    void forward() override { fftwf_execute(plan_.get()); }

private:
    Memory memory_;
    Plan plan_;
};

class Convolution final : public FftwConvolution {
public:
    Convolution(PerAxis<Index> image, PerAxis<Index> grid, std::vector<float> spectrum, int thread_count)
        : image_(image), grid_(grid), spectrum_(std::move(spectrum)), memory_(grid[0] * grid[1] * grid[2]) {
        fftwf_init_threads();
        fftwf_plan_with_nthreads(thread_count);
        const auto plan = [&](int sign) {
            return fftwf_plan_dft_3d(static_cast<int>(grid[2]), static_cast<int>(grid[1]), static_cast<int>(grid[0]),
                                     memory_.data, memory_.data, sign, FFTW_MEASURE);
        };
        forward_.reset(plan(FFTW_FORWARD));
        inverse_.reset(plan(FFTW_BACKWARD));
        fftwf_plan_with_nthreads(1);
    }

    void apply(const cfloat* image, cfloat* result) override {
        cfloat* grid = memory_.numbers();
        const Index size = static_cast<Index>(spectrum_.size());
#pragma omp parallel for schedule(static)
        for (Index row = 0; row < grid_[1] * grid_[2]; ++row) {
            const Index y = row % grid_[1], z = row / grid_[1];
            cfloat* to = grid + row * grid_[0];
            std::fill_n(to, grid_[0], cfloat{});
            if (y < image_[1] && z < image_[2]) {
                std::copy_n(image + (z * image_[1] + y) * image_[0], image_[0], to);
            }
        }
        fftwf_execute(forward_.get());
#pragma omp parallel for schedule(static)
        for (Index i = 0; i < size; ++i) {
            grid[i] *= spectrum_[i];
        }
        fftwf_execute(inverse_.get());
#pragma omp parallel for schedule(static)
        for (Index row = 0; row < image_[1] * image_[2]; ++row) {
            const Index y = row % image_[1], z = row / image_[1];
            std::copy_n(grid + (z * grid_[1] + y) * grid_[0], image_[0], result + row * image_[0]);
        }
    }

private:
    PerAxis<Index> image_, grid_;
    std::vector<float> spectrum_;
    Memory memory_;
    Plan forward_, inverse_;
};

}  // namespace

std::unique_ptr<FftwPencils> make_fftw_pencils(Index length, Index pencil_count, PencilLayout layout) {
    return std::make_unique<Pencils>(length, pencil_count, layout);
}

std::unique_ptr<FftwConvolution> make_fftw_convolution(PerAxis<Index> image, PerAxis<Index> grid,
                                                       std::vector<float> spectrum, int thread_count) {
    return std::make_unique<Convolution>(image, grid, std::move(spectrum), thread_count);
}

}  // namespace recon::benchmark
