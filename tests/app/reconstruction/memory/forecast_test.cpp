// The forecast of memory is the work itself on a backend that only books: never below what a run then books, and close.
#include <gtest/gtest.h>

#include <functional>

#include "app/reconstruction/reconstruction.hpp"
#include "core/base/error.hpp"
#include "data/simulation/simulate_scan.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/cpu_team.hpp"
#include "tests/support/memory_limit.hpp"
#include "tests/support/thread_count.hpp"

namespace recon {
namespace {

struct Case {
    Scan scan;
    ReconstructOptions options;
};

struct Kind {
    const char* name;
    std::function<void(Case&)> change;
    PerAxis<Index> matrix{44, 36, 1};
    Index coils = 5;
};

void PrintTo(const Kind& kind, std::ostream* out) { *out << kind.name; }

Case case_of(const Kind& kind) {
    SimulationOptions simulation;
    simulation.request.matrix_size = kind.matrix;
    simulation.coil_count = kind.coils;
    simulation.store_coil_maps = true;
    simulation.trajectory = "radial";
    Case result{simulate_scan(simulation).scan, {}};
    result.options.cg.iterations = 4;
    result.options.admm.iterations = 3;
    result.options.measure_accuracy = false;
    kind.change(result);
    return result;
}

void with_priors(Case& c, const std::vector<std::string>& priors, const std::vector<std::string>& lambdas) {
    const auto images = c.options.regularisation.images;
    c.options.regularisation = parse_regularisation(priors, lambdas);
    c.options.regularisation.images = images;
}

void with_images(Case& c, bool reference, bool mask) {
    auto images = std::make_shared<PriorImages>();
    Image image;
    image.geometry = c.scan.geometry;
    image.voxels.assign(static_cast<std::size_t>(Shape::image(image.geometry.matrix_size).element_count()), 1);
    for (std::size_t i = 0; i < image.voxels.size(); i += 3) {
        image.voxels[i] = static_cast<float>(2 + i % 5);
    }
    if (reference) {
        images->reference = image;
    }
    if (mask) {
        image.voxels[3] = 0;
        images->mask = image;
    }
    c.options.regularisation.images = images;
}

void with_off_resonance(Case& c, OffResonanceMethod method) {
    const Index voxels = Shape::image(c.scan.geometry.matrix_size).element_count();
    for (Index n = 0; n < voxels; ++n) {
        c.scan.off_resonance_hz.push_back(static_cast<float>(n % 80) - 20);
    }
    for (Frame& frame : c.scan.frames) {
        for (Index m = 0; m < frame.sample_count(); ++m) {
            frame.sample_times_s.push_back(1e-4F * static_cast<float>(m % 100));
        }
    }
    c.options.off_resonance.correct = true;
    c.options.off_resonance.method = method;
}

/// As many frames of one slice, the last ones with a trajectory of their own.
void with_frames(Case& c, int count) {
    const Frame first = c.scan.frames.front();
    for (int i = 1; i < count; ++i) {
        Frame frame = first;
        frame.label.repetition = i;
        if (i > 1) {
            frame.trajectory = std::make_shared<const Trajectory>(*first.trajectory);
        }
        c.scan.frames.push_back(frame);
    }
}

void on_demand(Case& c) {
    for (Frame& frame : c.scan.frames) {
        frame.read_kspace = [kspace = std::move(frame.kspace)] { return kspace; };
        frame.kspace.clear();
    }
}

const std::vector<Kind>& kinds() {
    static const std::vector<Kind> all{
        {"Plain", [](Case&) {}},
        {"Plain3d", [](Case&) {}, {16, 15, 14}, 3},
        {"OneCoil", [](Case& c) { c.scan.coil_maps.clear(); }, {44, 36, 1}, 1},
        {"EstimatedMaps", [](Case& c) { c.scan.coil_maps.clear(); }},
        {"ExactSums", [](Case& c) { c.options.sums = SumsMethod::exact; }},
        {"Nufft", [](Case& c) { c.options.sums = SumsMethod::nufft; }},
        {"Double", [](Case& c) { c.options.precision = Precision::double_; }},
        {"Accuracy", [](Case& c) { c.options.measure_accuracy = true; }},
        {"Density", [](Case& c) { c.options.weighting = SampleWeighting::density; }},
        {"Box", [](Case& c) { c.options.voxel_basis = VoxelBasis::box; }},
        {"Baseline", [](Case& c) { c.options.baseline = true; }},
        {"GriddedStart", [](Case& c) { c.options.start = StartImage::gridded; }},
        {"Jacobi", [](Case& c) { c.options.preconditioner = PreconditionerKind::jacobi; }},
        {"Circulant", [](Case& c) { c.options.preconditioner = PreconditionerKind::circulant; }},
        {"Identity", [](Case& c) { with_priors(c, {"identity"}, {"1e-3"}); }},
        {"IdentityAuto", [](Case& c) { with_priors(c, {"identity"}, {"auto"}); }},
        {"Mask",
         [](Case& c) {
             with_images(c, false, true);
             with_priors(c, {"roughness"}, {"1e-2"});
         }},
        {"Anatomical",
         [](Case& c) {
             with_images(c, true, true);
             with_priors(c, {"anatomical", "identity"}, {"0.1", "1e-3"});
         }},
        {"TotalVariation", [](Case& c) { with_priors(c, {"tv"}, {"1e-2"}); }},
        {"TotalVariationAuto", [](Case& c) { with_priors(c, {"tv"}, {"auto"}); }},
        {"TotalVariation3d", [](Case& c) { with_priors(c, {"tv"}, {"1e-2"}); }, {16, 15, 14}, 2},
        {"Wavelet",
         [](Case& c) {
             with_images(c, false, true);
             with_priors(c, {"wavelet", "roughness"}, {"1e-2", "1e-3"});
         }},
        {"Scan", [](Case& c) { with_priors(c, {"scan"}, {}); }},
        {"Scan3d", [](Case& c) { with_priors(c, {"scan"}, {}); }, {16, 15, 14}, 2},
        {"ScanOneCoil",
         [](Case& c) {
             c.scan.coil_maps.clear();
             with_priors(c, {"scan"}, {});
         },
         {40, 44, 1},
         1},
        {"ScanOfModelErrors",
         [](Case& c) {
             for (cfloat& map : c.scan.coil_maps) {
                 map *= std::polar(1.0F, static_cast<float>(std::abs(map)));
             }
             with_priors(c, {"scan"}, {});
         }},
        {"ScanMasked",
         [](Case& c) {
             with_images(c, false, true);
             with_priors(c, {"scan", "identity"}, {"1e-3"});
         }},
        {"ScanUncertainty",
         [](Case& c) {
             with_priors(c, {"scan"}, {});
             c.options.regularisation.uncertainty_samples = 3;
             c.options.regularisation.noise_sd_draws = 3;
         }},
        {"ScanExactOffResonance",
         [](Case& c) {
             with_priors(c, {"scan"}, {});
             with_off_resonance(c, OffResonanceMethod::exact);
         },
         {24, 20, 1}},
        {"Spectrum", [](Case& c) { with_priors(c, {"spectrum"}, {}); }},
        {"SpectrumDensity",
         [](Case& c) {
             with_priors(c, {"spectrum"}, {});
             c.options.weighting = SampleWeighting::density;
             c.options.regularisation.uncertainty_samples = 2;
         }},
        {"GFactor", [](Case& c) { c.options.regularisation.g_factor_draws = 3; }},
        {"OffResonance", [](Case& c) { with_off_resonance(c, OffResonanceMethod::segments); }},
        {"ExactOffResonance", [](Case& c) { with_off_resonance(c, OffResonanceMethod::exact); }, {24, 20, 1}},
        {"Series", [](Case& c) { with_frames(c, 3); }},
        {"SeriesOnDemand",
         [](Case& c) {
             with_frames(c, 3);
             on_demand(c);
         }},
        {"LowRank",
         [](Case& c) {
             with_frames(c, 4);
             with_priors(c, {"llr"}, {"1e-2"});
         }},
        {"LowRankOnDemand",
         [](Case& c) {
             with_frames(c, 3);
             on_demand(c);
             with_images(c, false, true);
             with_priors(c, {"llr", "tv"}, {"1e-2", "1e-2"});
         }},
        {"Slices",
         [](Case& c) {
             c.scan.coil_maps.clear();
             with_frames(c, 3);
             for (std::size_t i = 0; i < 3; ++i) {
                 c.scan.frames[i].label.slice = static_cast<Index>(i);
             }
         }},
    };
    return all;
}

class ForecastOf : public ::testing::TestWithParam<std::tuple<test::BackendFactory, Kind>> {};

TEST_P(ForecastOf, ARunIsNeverBelowWhatItBooksAndClose) {
    const auto backend = std::get<0>(GetParam()).make();
    const test::ThreadCount on_any_machine(2);
    const Kind& kind = std::get<1>(GetParam());
    std::size_t limit = MemoryBudget::unlimited;
    for (const bool divided : {false, true}) {
        Case c = case_of(kind);
        const test::MemoryLimit at_most(*backend, limit);
        RunControl control;
        try {
            const MemoryPlan plan = reconstruct(c.scan, *backend, c.options, control).front().memory;
            const std::size_t booked = backend->memory().peak();
            EXPECT_LE(booked, plan.peak_bytes) << plan.text();
            const auto above_host = static_cast<double>(plan.peak_bytes - plan.host_bytes);
            // Tiles that a GPU divides depend on the trajectory: the forecast is for the worst.
            if (backend->memory_is_host() && !divided) {
                constexpr double as_sizes_of_plans = 2;  // plan_sizes_test.cpp
                EXPECT_LT(above_host, as_sizes_of_plans * static_cast<double>(booked - plan.host_bytes) + 700e3)
                    << plan.text();
            }
            limit = plan.host_bytes + static_cast<std::size_t>(0.6 * above_host);
        } catch (const DeviceError& error) {
            EXPECT_NE(std::string(error.what()).find("needs at least"), std::string::npos) << error.what();
            EXPECT_TRUE(divided);
        }
        EXPECT_EQ(backend->memory().in_use(), 0U);
    }
}

INSTANTIATE_TEST_SUITE_P(, ForecastOf, ::testing::Combine(test::every_backend(), ::testing::ValuesIn(kinds())),
                         [](const auto& info) {
                             return std::get<0>(info.param).name + "_" + std::get<1>(info.param).name;
                         });

TEST(ForecastOfRanks, IsForTheLargestShare) {
    for (const Index coils : {Index{5}, Index{2}}) {  // divided by coils, and by samples
        // By itself the choice of sums, by predicted times, may be another for a share than for the whole.
        Case c = case_of({"Ranks", [](Case& of) { of.options.sums = SumsMethod::nufft; }, {44, 36, 1}, coils});
        const Team team = test::cpu_team(3);
        const test::ThreadCount on_any_machine(2);
        RunControl control;
        // Ranks on the CPU share one memory. What the program holds beside it is in the books already: each would count
        // it, or what the others have left of it.
        MemoryBudget& memory = team.backends.front()->memory();
        constexpr std::size_t program_bytes = std::size_t{1} << 40;
        const MemoryClaim program(memory, program_bytes);
        const MemoryPlan plan = reconstruct(c.scan, team, c.options, control).front().memory;
        const std::size_t booked = memory.peak() - program_bytes;
        EXPECT_LE(booked, 3 * plan.peak_bytes);
        EXPECT_LT(plan.peak_bytes - plan.host_bytes,
                  plan_of_reconstruction(c.scan, *team.backends.front(), c.options).peak_bytes - plan.host_bytes);
    }
}

}  // namespace
}  // namespace recon
