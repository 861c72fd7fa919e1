// A scan that does not fit in one piece is reconstructed in pieces: the same image, and never more memory than allowed.
#include <gmock/gmock.h>

#include "app/reconstruction/reconstruction.hpp"
#include "core/base/error.hpp"
#include "data/simulation/simulate_scan.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/memory_limit.hpp"
#include "tests/support/random.hpp"
#include "tests/support/thread_count.hpp"

namespace recon {
namespace {

struct ScanKind {
    const char* name;
    PerAxis<Index> matrix;
    Index coils;
    bool given_maps = true;
    bool off_resonance = false;
    OffResonanceMethod off_resonance_method = OffResonanceMethod::segments;
    SumsMethod sums = SumsMethod::automatic;
    SampleWeighting weighting = SampleWeighting::none;
    bool baseline = false;
    Precision precision = Precision::single;
    bool priors = false;
};

/// All quadratic terms, a reference on the scan's grid and a mask.
RegularisationOptions all_priors(const Scan& scan) {
    RegularisationOptions options;
    options.terms = {{"identity", 1e-3}, {"roughness", 1e-2}, {"anatomical", 0.1}};
    auto images = std::make_shared<PriorImages>();
    images->reference.emplace();
    images->reference->geometry = scan.geometry;
    images->reference->voxels.resize(Shape::image(scan.geometry.matrix_size).element_count());
    for (std::size_t i = 0; i < images->reference->voxels.size(); ++i) {
        images->reference->voxels[i] = static_cast<float>(1 + i % 5);
    }
    images->mask = images->reference;
    images->mask->voxels[3] = 0;
    options.images = images;
    return options;
}

void PrintTo(const ScanKind& kind, std::ostream* out) { *out << kind.name; }

Scan scan_of(const ScanKind& kind) {
    SimulationOptions options;
    options.request.matrix_size = kind.matrix;
    options.coil_count = kind.coils;
    options.store_coil_maps = kind.given_maps;
    options.trajectory = "radial";
    Scan scan = simulate_scan(options).scan;
    if (kind.off_resonance) {
        const Index voxels = Shape::image(kind.matrix).element_count();
        for (Index n = 0; n < voxels; ++n) {
            scan.off_resonance_hz.push_back(60.0F * static_cast<float>(n % kind.matrix[0]) / kind.matrix[0] - 20);
            if (kind.off_resonance_method == OffResonanceMethod::exact) {
                scan.relaxation_rate_per_s.push_back(static_cast<float>(n % 30));
            }
        }
        Frame& frame = scan.frames.front();
        for (Index m = 0; m < frame.sample_count(); ++m) {
            frame.sample_times_s.resize(frame.sample_count());
            frame.sample_times_s[m] = 1e-4F * static_cast<float>(m % 100);
        }
    }
    return scan;
}

class UnderAMemoryLimit : public ::testing::TestWithParam<std::tuple<test::BackendFactory, ScanKind>> {
protected:
    struct Run {
        MemoryPlan plan;
        FrameResult result;
        std::size_t peak_bytes;
    };

    UnderAMemoryLimit() {
        options_.cg.iterations = 6;
        options_.sums = kind().sums;
        options_.weighting = kind().weighting;
        options_.baseline = kind().baseline;
        options_.off_resonance.correct = kind().off_resonance;
        options_.off_resonance.method = kind().off_resonance_method;
        options_.precision = kind().precision;
        if (kind().priors) {
            options_.regularisation = all_priors(scan_);
        }
        options_.measure_accuracy = kind().baseline;  // takes long, and once will do
    }

    const ScanKind& kind() const { return std::get<1>(GetParam()); }

    Run run(std::size_t limit) {
        const test::MemoryLimit at_most(*backend_, limit);
        RunControl control;
        auto results = reconstruct(scan_, *backend_, options_, control);
        return {results.front().memory, std::move(results.front()), backend_->memory().peak()};
    }

    /// On the CPU no sum changes its order, but those of time segments, which go over the coils of a piece first. On
    /// the GPU the exact sums are cut into slices as memory allows. Rounding, then, which six iterations amplify.
    bool same_bytes() const { return backend_->memory_is_host() && !kind().off_resonance; }
    void expect_same(const std::vector<cfloat>& image, const std::vector<cfloat>& whole, const std::string& way) const {
        if (same_bytes()) {
            EXPECT_EQ(image, whole) << way;
        } else {
            const auto wide = [](const std::vector<cfloat>& x) { return std::vector<cdouble>(x.begin(), x.end()); };
            EXPECT_LT(test::relative_difference(wide(image), wide(whole)), 2e-5) << way;
        }
    }

    std::unique_ptr<Backend> backend_ = std::get<0>(GetParam()).make();
    test::ThreadCount on_any_machine_{2};
    Scan scan_ = scan_of(kind());
    ReconstructOptions options_;
};

TEST_P(UnderAMemoryLimit, TheImageIsTheSameDownToTheSmallestPieces) {
    const Run whole = run(MemoryBudget::unlimited);
    EXPECT_LE(whole.peak_bytes, whole.plan.peak_bytes);
    // What gridding on a GPU needs depends on the trajectory, and the forecast is for the worst.
    const bool is_worst_case = !backend_->memory_is_host() && kind().sums == SumsMethod::nufft;
    if (!is_worst_case) {  // no more than 1.6 times what it turns out to be, half a megabyte for small things aside
        EXPECT_LT(whole.plan.peak_bytes - whole.plan.host_bytes,
                  1.6 * static_cast<double>(whole.peak_bytes - whole.plan.host_bytes) + 600e3);
    }
    bool streams_kspace = false;
    bool streams_maps = false;
    std::size_t smallest = MemoryBudget::unlimited;
    std::string refusal;
    for (const int percent : {100, 98, 85, 70, 50, 30, 10}) {
        const std::size_t host = plan_of_reconstruction(scan_, *backend_, options_).host_bytes;
        const std::size_t limit = host + (whole.plan.peak_bytes - whole.plan.host_bytes) * percent / 100;
        try {
            const Run piecewise = run(limit);
            const std::string way = piecewise.plan.text();
            EXPECT_LE(piecewise.peak_bytes, limit) << way;
            EXPECT_LE(piecewise.plan.peak_bytes, limit) << way;
            EXPECT_LE(piecewise.peak_bytes, piecewise.plan.peak_bytes) << way;
            expect_same(piecewise.result.image, whole.result.image, way);
            if (kind().baseline) {
                expect_same(piecewise.result.baseline, whole.result.baseline, way);
            }
            EXPECT_NEAR(piecewise.result.data_residual, whole.result.data_residual, 1e-5 * whole.result.data_residual)
                << way;
            streams_kspace = streams_kspace || piecewise.plan.kspace == Residency::streamed;
            streams_maps = streams_maps || piecewise.plan.coil_maps == Residency::streamed;
            smallest = limit;
        } catch (const DeviceError& error) {
            EXPECT_THAT(error.what(), ::testing::HasSubstr("the reconstruction needs at least")) << percent;
            refusal = error.what();
            break;
        }
    }
    EXPECT_LT(smallest, MemoryBudget::unlimited) << whole.plan.text() << "; " << refusal;
    EXPECT_EQ(backend_->memory().in_use(), 0);
    if (kind().coils > 4 && !is_worst_case) {
        EXPECT_TRUE(streams_kspace);
        EXPECT_TRUE(streams_maps);
    }
}

INSTANTIATE_TEST_SUITE_P(
    , UnderAMemoryLimit,
    ::testing::Combine(
        test::every_backend(),
        ::testing::Values(
            ScanKind{.name = "OneCoil3d", .matrix = {16, 18, 15}, .coils = 1, .sums = SumsMethod::exact},
            ScanKind{.name = "Priors", .matrix = {60, 56, 1}, .coils = 2, .priors = true},
            ScanKind{.name = "Priors3d", .matrix = {24, 25, 22}, .coils = 1, .priors = true},
            ScanKind{.name = "ManyCoilsNufft", .matrix = {64, 60, 1}, .coils = 16, .sums = SumsMethod::nufft},
            ScanKind{.name = "ManyCoilsExact", .matrix = {40, 36, 1}, .coils = 12, .sums = SumsMethod::exact},
            ScanKind{.name = "ManyCoils3d", .matrix = {14, 16, 12}, .coils = 12},
            ScanKind{.name = "EstimatedMaps", .matrix = {48, 40, 1}, .coils = 16, .given_maps = false},
            ScanKind{.name = "WeightsAndBaseline",
                     .matrix = {48, 40, 1},
                     .coils = 12,
                     .weighting = SampleWeighting::density,
                     .baseline = true},
            ScanKind{.name = "OffResonance", .matrix = {48, 40, 1}, .coils = 12, .off_resonance = true},
            ScanKind{.name = "ExactOffResonance",
                     .matrix = {24, 20, 1},
                     .coils = 12,
                     .off_resonance = true,
                     .off_resonance_method = OffResonanceMethod::exact},
            ScanKind{.name = "Double",
                     .matrix = {48, 40, 1},
                     .coils = 8,
                     .baseline = true,
                     .precision = Precision::double_})),
    [](const auto& info) { return std::get<0>(info.param).name + "_" + std::get<1>(info.param).name; });

using ArraysUnderAMemoryLimit = test::EveryBackend;

TEST_P(ArraysUnderAMemoryLimit, AreRefusedBeyondItAndBookedBelow) {
    const std::size_t before = backend_->memory().in_use();
    const test::MemoryLimit at_most(*backend_, before + 1'000'000);
    {
        const Array fits(*backend_, Shape::samples(100'000), Precision::single);
        EXPECT_EQ(backend_->memory().in_use(), before + 800'000);
        EXPECT_LE(backend_->memory_free_bytes(), 200'000);
        EXPECT_THROW(Array(*backend_, Shape::samples(25'001), Precision::single), DeviceError);
    }
    EXPECT_EQ(backend_->memory().in_use(), before);
    EXPECT_NO_THROW(Array(*backend_, Shape::samples(125'000), Precision::single));
}

INSTANTIATE_TEST_SUITE_P(, ArraysUnderAMemoryLimit, test::every_backend(), test::backend_name);

}  // namespace
}  // namespace recon
