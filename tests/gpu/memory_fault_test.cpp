// A device without memory: refused by the books at every amount, or taken by somebody else. Errors, no leaks, and the
// same bytes as soon as there is memory again.
#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

#include "core/operators/sampling/nufft.hpp"
#include "core/operators/toeplitz_normal.hpp"
#include "solver/conjugate_gradient.hpp"
#include "tests/gpu/gpu_fixture.hpp"
#include "tests/support/memory_limit.hpp"
#include "tests/support/random.hpp"

namespace recon {
namespace {

class GpuMemoryFaults : public test::OnGpu<> {
protected:
    /// Plans and arrays of all sorts: NUFFT, Toeplitz product, conjugate gradients. 3-D, some 30 MB.
    std::vector<cdouble> work() {
        const PerAxis<Index> n{48, 40, 36};
        const Shape shape = Shape::image(n);
        constexpr Index sample_count = 20'000;
        const Trajectory trajectory = test::random_trajectory(sample_count, n, 1);
        const Nufft nufft(gpu(), trajectory, VoxelGrid::image(n), 1e-4, Precision::single);
        Array samples(gpu(), Shape::samples(sample_count), Precision::single);
        const Array start = test::random_array(gpu(), shape, Precision::single, 2);
        nufft.forward(start, samples);
        Array right(gpu(), shape, Precision::single);
        nufft.adjoint(samples, right);
        Array q(gpu(), VoxelGrid::differences(n).shape, Precision::double_);
        gpu().fill(0.5, q);
        const ToeplitzNormal normal(gpu(), shape, q, Precision::single);
        Array image(gpu(), shape, Precision::single);
        gpu().fill(0, image);
        CgOptions options;
        options.iterations = 2;
        options.stop = 0;
        solve_cg(normal, right, image, options);
        return download<double>(image);
    }
    /// None: there was no memory.
    std::optional<std::vector<cdouble>> work_or_refusal() {
        try {
            return work();
        } catch (const DeviceError&) {
            return std::nullopt;
        }
    }
    void expect_same(const std::optional<std::vector<cdouble>>& found, const std::vector<cdouble>& expected) const {
        ASSERT_TRUE(found);
        EXPECT_EQ(0, std::memcmp(found->data(), expected.data(), expected.size() * sizeof(cdouble)));
    }
};

TEST_F(GpuMemoryFaults, RefusedAtEveryAmountByTheBooks) {
    const std::size_t before = gpu().memory().in_use();
    gpu().memory().restart_peak();
    const std::vector<cdouble> whole = work();
    const std::size_t peak = gpu().memory().peak() - before;
    constexpr std::size_t amounts = 40;
    std::size_t refused = 0;
    for (std::size_t i = 0; i < amounts; ++i) {
        const test::MemoryLimit limit(gpu(), before + i * peak / amounts);
        refused += work_or_refusal() ? 0 : 1;
        EXPECT_EQ(gpu().memory().in_use(), before) << "leaked at " << i << " of " << amounts;
    }
    EXPECT_EQ(refused, amounts);
    expect_same(work_or_refusal(), whole);
}

/// All of the device's memory is taken, and given back in halves of what is left, down to 1 MB.
TEST_F(GpuMemoryFaults, TakenBySomebodyElse) {
    const std::vector<cdouble> whole = work();
    std::vector<Array> hoard;
    constexpr Index smallest = Index{1} << 17;  // of 8 bytes
    for (Index count = Index{1} << 34; count >= smallest; count /= 2) {
        try {
            for (;;) {
                hoard.emplace_back(gpu(), Shape::samples(count), Precision::single);
            }
        } catch (const DeviceError&) {  // half of that, then
        }
    }
    ASSERT_FALSE(hoard.empty());
    EXPECT_FALSE(work_or_refusal());
    while (!hoard.empty()) {
        hoard.pop_back();
        const auto result = work_or_refusal();
        if (result) {
            expect_same(result, whole);
            break;
        }
    }
    hoard.clear();
    expect_same(work_or_refusal(), whole);
}

}  // namespace
}  // namespace recon
