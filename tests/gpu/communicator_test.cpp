// Reductions over several GPUs by NCCL, against the same sums on the CPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "core/backend/cpu/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "core/parallel/run_ranks.hpp"
#include "gpu/backend/gpu_backend.hpp"
#include "gpu/device/device_count.hpp"
#include "gpu/nccl/gpu_communicator.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/random.hpp"

namespace recon {
namespace {

/// As many GPUs as the parameter says, a rank each.
class GpuRanks : public ::testing::TestWithParam<int> {
protected:
    void SetUp() override {
        try {
            if (cuda_device_count() < GetParam()) {
                GTEST_SKIP() << "needs " << GetParam() << " GPUs, found " << cuda_device_count();
            }
            for (int ordinal = 0; ordinal < GetParam(); ++ordinal) {
                gpus_.push_back(make_cuda_backend(ordinal));
            }
            ranks_ = make_gpu_communicators(gpus_);
        } catch (const BackendUnavailable& unavailable) {
            GTEST_SKIP() << unavailable.what();
        }
    }
    Backend& gpu(const Communicator& rank) { return *gpus_[rank.rank()]; }

    std::vector<std::unique_ptr<Backend>> gpus_;
    std::vector<std::unique_ptr<Communicator>> ranks_;
};

TEST_P(GpuRanks, OfDevicesConnectedAheadAddUpAlike) {
    std::vector<int> ordinals(static_cast<std::size_t>(GetParam()));
    std::iota(ordinals.begin(), ordinals.end(), 0);
    const std::shared_ptr<void> kept = connect_gpus_ahead(ordinals);
    const std::shared_ptr<void> of_others = connect_gpus_ahead(std::vector<int>{0});  // taken by nobody
    for (int team = 0; team < 2; ++team) {
        const auto ranks = make_gpu_communicators(gpus_);
        std::vector<std::vector<cdouble>> sums(ordinals.size());
        run_ranks(ranks, [&](Communicator& rank) {
            Array array = test::random_array(gpu(rank), {{"n", 1021}}, Precision::double_, 1 + rank.rank());
            rank.all_reduce_sum(array);
            sums[static_cast<std::size_t>(rank.rank())] = download<double>(array);
        });
        std::vector<cdouble> expected(1021);
        for (int rank = 0; rank < GetParam(); ++rank) {
            const std::vector<cdouble> values = test::random_values(1021, 1 + rank);
            std::ranges::transform(values, expected, expected.begin(), std::plus());
        }
        for (const std::vector<cdouble>& sum : sums) {
            EXPECT_LT(test::relative_difference(sum, expected), 1e-15 * GetParam());
        }
    }
}

TEST_P(GpuRanks, EveryRankGetsTheSameBytesOfTheSumInTheOrderOfItsQueue) {
    for (const Precision precision : {Precision::single, Precision::double_}) {
        for (const Index size : {1, 2, 7, 1021, 300'007}) {
            std::vector<cdouble> expected(size);
            for (int rank = 0; rank < GetParam(); ++rank) {
                const std::vector<cdouble> values = test::random_values(size, 1 + rank);
                std::transform(values.begin(), values.end(), expected.begin(), expected.begin(),
                               [](cdouble value, cdouble sum) { return sum + 2.0 * value; });
            }
            std::vector<std::vector<cdouble>> sums(GetParam());
            run_ranks(ranks_, [&](Communicator& rank) {
                Array array = test::random_array(gpu(rank), {{"n", size}}, precision, 1 + rank.rank());
                gpu(rank).scale(2, array);  // queued before the reduction, without waiting
                rank.all_reduce_sum(array);
                sums[rank.rank()] = download<double>(array);
            });
            for (const std::vector<cdouble>& sum : sums) {
                EXPECT_EQ(sum, sums.front());
                // every term and every partial sum is rounded once
                EXPECT_LT(test::relative_difference(sum, expected),
                          GetParam() * (precision == Precision::single ? 2e-7 : 1e-15));
            }
        }
    }
}

TEST_P(GpuRanks, TheErrorOfOneEndsAllAndIsTheOneThrown) {
    const auto job = [&](Communicator& rank) {
        Array array = test::random_array(gpu(rank), {{"n", 1000}}, Precision::single, 1);
        rank.all_reduce_sum(array);
        if (rank.rank() == rank.size() - 1) {
            throw InputError("the last rank has a bad file");
        }
        rank.all_reduce_sum(array);
        gpu(rank).synchronize();
    };
    test::expect_error<InputError>([&] { run_ranks(ranks_, job); }, {"the last rank has a bad file"});
}

TEST_P(GpuRanks, ArraysOfAnotherBackendAreRefused) {
    const auto job = [&](Communicator& rank) {
        const auto cpu = make_cpu_backend(1);
        Array array = test::random_array(*cpu, {{"n", 8}}, Precision::single, 1);
        rank.all_reduce_sum(array);
    };
    test::expect_error<ShapeError>([&] { run_ranks(ranks_, job); }, {"cpu"});
}

INSTANTIATE_TEST_SUITE_P(, GpuRanks, ::testing::Values(1, 2, 3, 4));

}  // namespace
}  // namespace recon
