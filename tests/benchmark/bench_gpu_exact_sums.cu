// Exact adjoint sums on the GPU, kernels by themselves: promotion intervals, slices, and a naive kernel to compare
// with, in one run. Output: one JSON object a line.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "gpu/device/cuda_check.cuh"
#include "gpu/exact/cuda_exact_sums_kernels.cuh"

namespace recon {

namespace {

using namespace exact_sums;

template <class T>
struct Device {
    T* data = nullptr;
    Index size = 0;
    explicit Device(Index count) : size(count) { check(cudaMalloc(&data, count * sizeof(T))); }
    explicit Device(const std::vector<T>& host) : Device(static_cast<Index>(host.size())) {
        check(cudaMemcpy(data, host.data(), size * sizeof(T), cudaMemcpyHostToDevice));
    }
    Device(const Device&) = delete;
    ~Device() { cudaFree(data); }
    std::vector<T> host() const {
        std::vector<T> out(size);
        check(cudaMemcpy(out.data(), data, size * sizeof(T), cudaMemcpyDeviceToHost));
        return out;
    }
};

struct Case {
    std::string name;
    int n[3];
    int origin[3];
    double spacing[3];
    Index samples;
    int batch;
    enum Data { ones, random, wide } data;
    double counted;  ///< pairs counted for one computed: 2 where Hermitian symmetry gives the other half
};

/// sum_m d_m exp(i 2 pi k_m.r) in double at chosen voxels; one block a voxel, fixed order.
__global__ void reference_kernel(Positions positions, const Complex* samples, int batch, const int* voxels, int nx,
                                 int ny, const int* origin, const double* spacing, double* result) {
    __shared__ double re[256];
    __shared__ double im[256];
    const int n = voxels[blockIdx.x];
    const int b = static_cast<int>(blockIdx.y);
    const double r[3] = {(n % nx - origin[0]) * spacing[0], (n / nx % ny - origin[1]) * spacing[1],
                         (n / nx / ny - origin[2]) * spacing[2]};
    double sr = 0;
    double si = 0;
    for (Index m = threadIdx.x; m < positions.count; m += blockDim.x) {
        double turns = 0;
        for (int a = 0; a < 3; ++a) {
            const double p = positions.k[a][m] * r[a];
            turns += p - rint(p);
        }
        double s = 0;
        double c = 0;
        sincospi(2 * turns, &s, &c);
        const Complex d = samples[b * positions.count + m];
        sr += d.re * c - d.im * s;
        si += d.re * s + d.im * c;
    }
    re[threadIdx.x] = sr;
    im[threadIdx.x] = si;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int i = 1; i < 256; ++i) {
            sr += re[i];
            si += im[i];
        }
        result[2 * (blockIdx.y * gridDim.x + blockIdx.x)] = sr;
        result[2 * (blockIdx.y * gridDim.x + blockIdx.x) + 1] = si;
    }
    (void)batch;
}

/// As in the seeds of the field: one thread a voxel, sinf and cosf of the unreduced phase, one running sum.
__global__ void naive_kernel(const float4* samples, Index count, int batch, const Complex* d, int nx, int ny, int nz,
                             int ox, int oy, int oz, float dx, float dy, float dz, Complex* image) {
    const Index n = blockIdx.x * Index{blockDim.x} + threadIdx.x;
    if (n >= Index{nx} * ny * nz) {
        return;
    }
    const float x = (n % nx - ox) * dx;
    const float y = (n / nx % ny - oy) * dy;
    const float z = (n / nx / ny - oz) * dz;
    for (int b = 0; b < batch; ++b) {
        float re = 0;
        float im = 0;
        for (Index m = 0; m < count; ++m) {
            const float4 k = samples[m];
            const float phase = 6.283185307F * (k.x * x + k.y * y + k.z * z);
            const float c = cosf(phase);
            const float s = sinf(phase);
            const Complex v = d[b * count + m];
            re += v.re * c - v.im * s;
            im += v.re * s + v.im * c;
        }
        image[b * Index{nx} * ny * nz + n] = {re, im};
    }
}

class Bench {
public:
    explicit Bench(const Case& c) : case_(c) {
        std::mt19937_64 random(7);
        std::uniform_real_distribution<double> uniform(-0.5, 0.5);
        std::vector<double> k[3];
        for (int a = 0; a < 3; ++a) {
            for (Index m = 0; m < c.samples; ++m) {
                k[a].push_back(uniform(random) / c.spacing[a]);
            }
            k_[a] = std::make_unique<Device<double>>(k[a]);
            positions_.k[a] = k_[a]->data;
        }
        positions_.count = c.samples;
        std::vector<Complex> d;
        for (int b = 0; b < c.batch; ++b) {
            for (Index m = 0; m < c.samples; ++m) {
                if (c.data == Case::ones) {
                    d.push_back({1, 0});
                    continue;
                }
                double size = 1;
                if (c.data == Case::wide) {  // magnitudes from 1 to 1e-5, few of them large
                    size = std::pow(10.0, -5 * std::sqrt(uniform(random) + 0.5)) * std::pow(0.1, b % 4);
                }
                d.push_back(
                    {static_cast<float>(2 * size * uniform(random)), static_cast<float>(2 * size * uniform(random))});
            }
        }
        samples_ = std::make_unique<Device<Complex>>(d);
        image_ = std::make_unique<Device<Complex>>(voxels() * c.batch);
        make_reference();
    }

    Index voxels() const { return Index{case_.n[0]} * case_.n[1] * case_.n[2]; }

    void run(const std::string& method, int repeats, const std::function<void()>& work) {
        check(cudaMemset(image_->data, 0xFF, image_->size * sizeof(Complex)));
        work();
        check(cudaDeviceSynchronize());
        const std::vector<Complex> first = image_->host();
        cudaEvent_t start;
        cudaEvent_t stop;
        check(cudaEventCreate(&start));
        check(cudaEventCreate(&stop));
        std::vector<float> times;
        for (int i = 0; i < repeats; ++i) {
            check(cudaEventRecord(start));
            work();
            check(cudaEventRecord(stop));
            check(cudaEventSynchronize(stop));
            float ms = 0;
            check(cudaEventElapsedTime(&ms, start, stop));
            times.push_back(ms);
        }
        std::sort(times.begin(), times.end());
        const std::vector<Complex> last = image_->host();
        bool same = true;
        for (Index i = 0; i < image_->size; ++i) {
            same = same && std::memcmp(&first[i], &last[i], sizeof(Complex)) == 0;
        }
        double worst = 0;
        double operator_error = 0;
        for (int b = 0; b < case_.batch; ++b) {
            double error = 0;
            double size = 0;
            double at_origin = 0;
            for (std::size_t i = 0; i < chosen_.size(); ++i) {
                const double* r = &reference_[2 * (b * chosen_.size() + i)];
                const Complex v = last[b * voxels() + chosen_[i]];
                error += (v.re - r[0]) * (v.re - r[0]) + (v.im - r[1]) * (v.im - r[1]);
                size += r[0] * r[0] + r[1] * r[1];
                at_origin = (v.re - r[0]) * (v.re - r[0]) + (v.im - r[1]) * (v.im - r[1]);  // the last one
            }
            const double relative = std::sqrt(error / size);
            worst = relative <= worst ? worst : relative;
            // rms over frequencies of FFT(error) relative to the mean of FFT(Q), which is Q(0) = M for ones
            operator_error =
                std::sqrt((error - at_origin) / chosen_.size() * voxels() * case_.counted + at_origin) / case_.samples;
        }
        const double seconds = times[times.size() / 2] * 1e-3;
        std::printf(
            "{\"case\":\"%s\",\"method\":\"%s\",\"ms\":%.3f,\"pairs_per_s\":%.3e,\"error\":%.2e,%s\"same_bytes\":%s}\n",
            case_.name.c_str(), method.c_str(), seconds * 1e3,
            case_.counted * voxels() * case_.batch * case_.samples / seconds, worst,
            case_.data == Case::ones ? ("\"operator_error\":" + std::to_string(operator_error * 1e6) + "e-6,").c_str()
                                     : "",
            same ? "true" : "false");
        std::fflush(stdout);
    }

    void separable(const std::string& method, int repeats, bool hopper, int promotion, Index chunk_size, int slices) {
        Tiling tiling;
        tiling.parts = 2 * case_.batch;
        Fold fold;
        for (int a = 0; a < 3; ++a) {
            tiling.axis[a] = {case_.n[a], case_.spacing[a]};
            fold.offset[a] = ((case_.n[a] - 1) / 2.0 - case_.origin[a]) * case_.spacing[a];
        }
        const auto up = [](int n, int to) { return (n + to - 1) / to * to; };
        tiling.u_padded = up(tiling.u_count(), 8);
        tiling.y_padded = up(case_.n[1], 32);
        tiling.x_padded = up(case_.n[0], tiling.column_tile);
        const Chunk largest{0, static_cast<int>(std::min(chunk_size, case_.samples))};
        const Index padded = Index{largest.groups()} * Tiling::group;
        Device<float> peaks(case_.batch);
        Device<float> parts(Index{tiling.parts} * largest.count);
        Device<float> w(padded * tiling.u_padded);
        Device<float> v(padded * tiling.y_padded);
        Device<__half> b(Index{largest.groups()} * packed_group(tiling.column_tile) * tiling.column_tiles());
        Device<float> sums(slices * tiling.sums_size());
        run(method, repeats, [&] {
            check(cudaMemsetAsync(peaks.data, 0, case_.batch * sizeof(float), nullptr));
            find_peaks(samples_->data, case_.samples, case_.batch, peaks.data, nullptr);
            for (Index first = 0; first < case_.samples; first += chunk_size) {
                const Chunk chunk{first, static_cast<int>(std::min(chunk_size, case_.samples - first))};
                fold_samples(positions_, fold, samples_->data, case_.batch, peaks.data, chunk, parts.data, nullptr);
                make_row_factors(positions_, tiling, parts.data, chunk, w.data, nullptr);
                make_y_factors(positions_, tiling, chunk, v.data, nullptr);
                make_column_factors(positions_, tiling, chunk, b.data, nullptr);
                const TensorSums work{tiling,         w.data, v.data,    b.data,   sums.data,
                                      chunk.groups(), slices, promotion, first > 0};
                hopper ? hopper_adjoint(work, nullptr) : tensor_adjoint(work, nullptr);
            }
            unfold_sums(tiling, sums.data, slices, peaks.data, image_->data, nullptr);
        });
    }

    void special(int repeats) {
        SpecialSums work{positions_, {}, {}, {}};
        for (int a = 0; a < 3; ++a) {
            work.extent[a] = case_.n[a];
            work.origin[a] = case_.origin[a];
            work.spacing[a] = case_.spacing[a];
        }
        run("special functions", repeats,
            [&] { special_adjoint(work, samples_->data, case_.batch, image_->data, 1, nullptr, nullptr); });
    }

    void naive() {
        std::vector<double> k[3] = {k_[0]->host(), k_[1]->host(), k_[2]->host()};
        std::vector<float4> host;
        for (Index m = 0; m < case_.samples; ++m) {
            host.push_back({static_cast<float>(k[0][m]), static_cast<float>(k[1][m]), static_cast<float>(k[2][m]), 0});
        }
        Device<float4> samples(host);
        run("naive", 1, [&] {
            naive_kernel<<<static_cast<unsigned>((voxels() + 255) / 256), 256>>>(
                samples.data, case_.samples, case_.batch, samples_->data, case_.n[0], case_.n[1], case_.n[2],
                case_.origin[0], case_.origin[1], case_.origin[2], case_.spacing[0], case_.spacing[1], case_.spacing[2],
                image_->data);
            check_launch();
        });
    }

private:
    void make_reference() {
        std::mt19937_64 random(11);
        const Index count = std::min<Index>(voxels(), 2000);
        for (Index i = 0; i < count; ++i) {
            chosen_.push_back(static_cast<int>(count == voxels() ? i : random() % voxels()));
        }
        chosen_.back() =
            static_cast<int>((Index{case_.origin[2]} * case_.n[1] + case_.origin[1]) * case_.n[0] + case_.origin[0]);
        Device<int> chosen(chosen_);
        Device<int> origin(std::vector<int>(case_.origin, case_.origin + 3));
        Device<double> spacing(std::vector<double>(case_.spacing, case_.spacing + 3));
        Device<double> result(2 * count * case_.batch);
        reference_kernel<<<dim3(static_cast<unsigned>(count), case_.batch), 256>>>(
            positions_, samples_->data, case_.batch, chosen.data, case_.n[0], case_.n[1], origin.data, spacing.data,
            result.data);
        check_launch();
        check(cudaDeviceSynchronize());
        reference_ = result.host();
    }

    Case case_;
    std::unique_ptr<Device<double>> k_[3];
    Positions positions_{};
    std::unique_ptr<Device<Complex>> samples_;
    std::unique_ptr<Device<Complex>> image_;
    std::vector<int> chosen_;
    std::vector<double> reference_;
};

Case image_case(const std::string& name, int nx, int ny, int nz, Index samples, int batch, Case::Data data) {
    return {name, {nx, ny, nz}, {nx / 2, ny / 2, nz / 2}, {1.0 / nx, 1.0 / ny, 1.0 / nz}, samples, batch, data, 1};
}

}  // namespace
}  // namespace recon

int main() {
    using namespace recon;
    {
        Bench small(image_case("3-D 20x17x9, M=777, 3 coils", 20, 17, 9, 777, 3, Case::random));
        small.separable("mma", 2, false, 16, 65536, 1);
        small.separable("mma, chunks of 300, 2 slices", 2, false, 16, 300, 2);
        small.separable("wgmma", 2, true, 16, 65536, 1);
        small.separable("wgmma, chunks of 300, 2 slices", 2, true, 16, 300, 2);
        small.special(2);
        small.naive();
    }
    {
        Case q{"Q half of 127^3, M=65536",
               {127, 127, 64},
               {63, 63, 0},
               {1.0 / 64, 1.0 / 64, 1.0 / 64},
               65536,
               1,
               Case::ones,
               127.0 / 64};
        Bench bench(q);
        for (const int promotion : {4, 8, 16, 32, 4096}) {
            bench.separable("wgmma, promotion " + std::to_string(32 * promotion), 7, true, promotion, 65536, 2);
        }
        bench.separable("wgmma, 8 slices", 7, true, 16, 65536, 8);
        for (const int promotion : {8, 16}) {
            bench.separable("mma, promotion " + std::to_string(32 * promotion), 5, false, promotion, 65536, 1);
        }
        bench.special(2);
        bench.naive();
    }
    for (const auto data : {Case::random, Case::wide}) {
        Bench bench(image_case(data == Case::random ? "FHd 128^3 x 8, M=65536" : "FHd 128^3 x 8, range 1e5, M=65536",
                               128, 128, 128, 65536, 8, data));
        for (const int promotion : {8, 16}) {
            bench.separable("wgmma, promotion " + std::to_string(32 * promotion), 5, true, promotion, 16384, 1);
        }
        bench.separable("mma, promotion 256", 3, false, 8, 16384, 1);
        if (data == Case::random) {
            bench.special(1);
        }
    }
    return 0;
}
