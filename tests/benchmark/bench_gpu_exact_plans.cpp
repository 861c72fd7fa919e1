// Exact sums of the CUDA backend, forward and adjoint, by every method: median seconds, pairs a second, error against
// the sums in double, and what the cost model chose. One JSON object a line; ratios hold within one run.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>

#include "core/base/error.hpp"
#include "gpu/backend/gpu_backend.hpp"
#include "gpu/exact/exact_sums_method.hpp"
#include "tests/support/random.hpp"

namespace recon {
namespace {

using Method = ExactSumsMethod;

struct Case {
    std::string name;
    VoxelGrid grid;
    Index sample_count;
    Index batch;
    bool is_q;     ///< samples are ones; every pair stands for two of the full grid
    double range;  ///< largest over smallest magnitude of the samples
    int repeats;
};

VoxelGrid half_differences(Index n) {
    VoxelGrid grid = VoxelGrid::differences({n, n, n});
    grid.shape = Shape::image({2 * n - 1, n, 2 * n - 1});
    grid.origin[1] = 0;
    return grid;
}

double median_seconds(Backend& backend, int repeats, const std::function<void()>& work) {
    work();
    backend.synchronize();
    std::vector<double> seconds;
    for (int i = 0; i < repeats; ++i) {
        const auto start = std::chrono::steady_clock::now();
        work();
        backend.synchronize();
        seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    std::nth_element(seconds.begin(), seconds.begin() + repeats / 2, seconds.end());
    return seconds[repeats / 2];
}

std::vector<cdouble> samples_of(const Case& c) {
    std::vector<cdouble> values = test::random_values(c.sample_count * c.batch, 5);
    for (Index i = 0; i < static_cast<Index>(values.size()); ++i) {
        values[i] *= std::pow(c.range, -static_cast<double>(i * 7919 % 10007) / 10007);
    }
    if (c.is_q) {
        std::fill(values.begin(), values.end(), 1.0);
    }
    return values;
}

/// rms over frequencies of FFT(error of Q), relative to the mean of FFT(Q), which is Q(0).
double operator_error(const Case& c, const std::vector<cdouble>& found, const std::vector<cdouble>& exact) {
    const PerAxis<Index> n = c.grid.shape.matrix_size();
    double sum = 0;
    for (std::size_t i = 0; i < exact.size(); ++i) {
        const bool mirrored = static_cast<Index>(i) / n[0] % n[1] > 0;
        sum += (mirrored ? 2 : 1) * std::norm(found[i] - exact[i]);
    }
    return std::sqrt(sum) / static_cast<double>(c.sample_count);
}

void run(Backend& gpu, const Case& c) {
    PerAxis<Index> bandwidth{};
    for (int axis = 0; axis < 3; ++axis) {
        bandwidth[axis] = std::lround(1 / c.grid.spacing[axis]);
    }
    const Trajectory trajectory = test::random_trajectory(c.sample_count, bandwidth, 3);
    const Shape image_shape = c.grid.shape.with_axis("coil", c.batch);
    const Shape sample_shape = Shape::samples(c.sample_count).with_axis("coil", c.batch);
    const std::vector<cdouble> values = samples_of(c);
    const std::vector<cdouble> voxels = test::random_values(image_shape.element_count(), 6);
    std::vector<cdouble> exact[2];
    const struct {
        const char* name;
        Method method;
        Precision precision;
    } ways[] = {{"double", Method::automatic, Precision::double_},
                {"warp groups", Method::warp_group_matrix, Precision::single},
                {"warps", Method::warp_matrix, Precision::single},
                {"special functions", Method::special_functions, Precision::single},
                {"automatic", Method::automatic, Precision::single}};
    for (const auto& way : ways) {
        Array samples(gpu, sample_shape, way.precision);
        Array image(gpu, image_shape, way.precision);
        std::unique_ptr<FourierSums> sums;
        try {
            sums = make_cuda_exact_sums(gpu, trajectory, c.grid, way.precision, way.method);
        } catch (const UsageError& error) {
            std::printf("{\"case\":\"%s\",\"method\":\"%s\",\"skipped\":\"%s\"}\n", c.name.c_str(), way.name,
                        error.what());
            continue;
        }
        for (const bool adjoint : {true, false}) {
            if (c.is_q && !adjoint) {
                continue;
            }
            Array& in = adjoint ? samples : image;
            Array& out = adjoint ? image : samples;
            upload(adjoint ? values : voxels, in);
            const double seconds =
                median_seconds(gpu, c.repeats, [&] { adjoint ? sums->adjoint(in, out) : sums->forward(in, out); });
            const std::vector<cdouble> found = download<double>(out);
            if (way.precision == Precision::double_) {
                exact[adjoint] = found;
            }
            double worst = 0;
            const auto each = static_cast<std::ptrdiff_t>(found.size()) / c.batch;
            for (Index b = 0; b < c.batch; ++b) {
                const auto first = [&](const std::vector<cdouble>& all) {
                    return std::vector<cdouble>(all.begin() + b * each, all.begin() + (b + 1) * each);
                };
                worst = std::max(worst, test::relative_difference(first(found), first(exact[adjoint])));
            }
            const double pairs = static_cast<double>(image_shape.element_count()) *
                                 static_cast<double>(c.sample_count) * (c.is_q ? 2 : 1);
            std::printf(
                "{\"case\":\"%s\",\"method\":\"%s\",\"direction\":\"%s\",\"ms\":%.4f,\"pairs_per_s\":%.3e,"
                "\"error_against_double\":%.2e",
                c.name.c_str(), way.name, adjoint ? "adjoint" : "forward", seconds * 1e3, pairs / seconds, worst);
            if (c.is_q) {
                std::printf(",\"operator_error\":%.2e", operator_error(c, found, exact[adjoint]));
            }
            if (way.method == Method::automatic && adjoint) {
                std::printf(",\"description\":\"%s\"", sums->description().c_str());
            }
            std::printf("}\n");
            std::fflush(stdout);
        }
    }
}

}  // namespace
}  // namespace recon

int main() {
    using namespace recon;
    try {
        const auto gpu = make_cuda_backend(0);
        std::printf("{\"device\":\"%s\"}\n", gpu->description().c_str());
        const Case cases[] = {
            {"Q 127^3, M=65536", half_differences(64), 65536, 1, true, 1, 5},
            {"128^3 x 8, M=65536", VoxelGrid::image({128, 128, 128}), 65536, 8, false, 1, 3},
            {"128^3 x 8, range 1e5, M=65536", VoxelGrid::image({128, 128, 128}), 65536, 8, false, 1e5, 3},
            {"128^3, M=65536", VoxelGrid::image({128, 128, 128}), 65536, 1, false, 1, 3},
            {"64^3, M=300000", VoxelGrid::image({64, 64, 64}), 300000, 1, false, 1, 5},
            {"192x160x96 x 4, M=30000", VoxelGrid::image({192, 160, 96}), 30000, 4, false, 1, 3},
            {"220^2 x 8, M=50000", VoxelGrid::image({220, 220, 1}), 50000, 8, false, 1, 5},
            {"220^2, M=50000", VoxelGrid::image({220, 220, 1}), 50000, 1, false, 1, 5},
            {"32^3, M=5000", VoxelGrid::image({32, 32, 32}), 5000, 1, false, 1, 9},
            {"16^3, M=1000", VoxelGrid::image({16, 16, 16}), 1000, 1, false, 1, 9},
            {"7x5x3, M=100", VoxelGrid::image({7, 5, 3}), 100, 1, false, 1, 9},
        };
        for (const Case& c : cases) {
            run(*gpu, c);
        }
    } catch (const Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return EXIT_FAILURE;
    }
    return 0;
}
