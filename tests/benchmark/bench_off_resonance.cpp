// Off-resonance: accuracy and cost of time segments against the sums with the frequency in the exponent.
//
// For each size and tolerance: segments of the sums and of the Toeplitz form, errors (relative L2 of the operator
// applied to random numbers, against exact sums in double precision), time of a segmented Toeplitz apply as a multiple
// of L plain ones, and pairs a second of the exact sums. Usage: bench_off_resonance [--device cpu|cuda] [--threads T]
// [--json] [--maps FOLDER] [--tol 1e-3,1e-6]
//                            [--precision single|double] [--readouts R] [--length S] [NxNxN[:coils] ...]
// --maps: folder of the shared data with phfit_re.raw and phfit_im.raw, for the 64 x 64 cases; else a simulated map.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "core/backend/cpu/cpu_backend.hpp"
#include "core/operators/toeplitz_of_samples.hpp"
#include "gpu/backend/gpu_backend.hpp"
#include "tests/benchmark/support/stopwatch.hpp"
#include "tests/support/random.hpp"
#include "tests/support/sums/off_resonance_case.hpp"

namespace {

using namespace recon;

struct Options {
    std::string device = "cpu";
    int thread_count = 2;
    bool json = false;
    std::string maps;
    std::vector<double> tolerances{1e-3, 1e-4, 1e-5, 1e-6};
    std::string precision = "single";
    Index readout_count = 4;
    Index readout_length = 750;
    std::vector<std::string> sizes{"64x64x1", "64x64x16", "64x64x1:8"};
};

struct Size {
    PerAxis<Index> n{1, 1, 1};
    Index coil_count = 1;

    explicit Size(const std::string& text) {
        const std::size_t colon = text.find(':');
        std::sscanf(text.c_str(), "%ldx%ldx%ld", &n[0], &n[1], &n[2]);
        coil_count = colon == std::string::npos ? 1 : std::atol(text.c_str() + colon + 1);
    }
};

class Study {
public:
    Study(Backend& backend, const Options& options, const Size& size)
        : backend_(backend),
          options_(options),
          size_(size),
          precision_(options.precision == "double" ? Precision::double_ : Precision::single),
          scan_(test::simulated_off_resonance(size.n, options.readout_count, options.readout_length)) {
        if (!options.maps.empty() && size.n[0] == 64 && size.n[1] == 64) {
            scan_.frequency_hz = test::measured_field_map(options.maps, size.n[2]);
            if (scan_.frequency_hz.empty()) {
                throw std::runtime_error("no field map in " + options.maps);
            }
        }
        exact_ = backend.make_off_resonance_sums(scan_.trajectory, grid(), scan_.sample_times_s, scan_.maps(),
                                                 Precision::double_);
        exact_forward_ = through_forward(*exact_);
        exact_adjoint_ = through_adjoint(*exact_);
        exact_normal_ = through_exact_normal();
    }

    nlohmann::json pairs_a_second() const {
        nlohmann::json result{{"matrix", grid().shape.text()}, {"samples", scan_.sample_count()}};
        for (const Precision precision : {Precision::single, Precision::double_}) {
            const auto sums = backend_.make_off_resonance_sums(scan_.trajectory, grid(), scan_.sample_times_s,
                                                               scan_.maps(), precision);
            const double pairs = static_cast<double>(scan_.sample_count() * scan_.voxel_count());
            Array image = test::random_array(backend_, grid().shape, precision, 1);
            Array samples = test::random_array(backend_, samples_shape(), precision, 2);
            const std::string name(name_of(precision));
            result["forward_pairs_a_second_" + name] = pairs / seconds([&] { sums->forward(image, samples); });
            result["adjoint_pairs_a_second_" + name] = pairs / seconds([&] { sums->adjoint(samples, image); });
            result["forward_error_" + name] = test::relative_difference(through_forward(*sums), exact_forward_);
            result["adjoint_error_" + name] = test::relative_difference(through_adjoint(*sums), exact_adjoint_);
        }
        return result;
    }

    nlohmann::json segments(double tolerance) const {
        const SumsOptions sums{SumsMethod::automatic, tolerance, precision_};
        const SumsOptions q_sums{SumsMethod::automatic, tolerance, Precision::double_};
        TimeSegments fit;
        const double fit_s = benchmark::seconds_of(
            [&] { fit = TimeSegments::fit(RateHistogram::of(scan_.maps()), scan_.sample_times_s, tolerance); });
        const SumsChoice choice = choose_sums(backend_, sums, scan_.sample_count(), grid(), 1);
        const SegmentedSums segmented(backend_, make_fourier_sums(backend_, scan_.trajectory, choice), scan_.maps(),
                                      fit);
        const ToeplitzSamples samples{scan_.trajectory, size_.n, {}, q_sums, precision_};
        TimeSegments pairs;
        const double pairs_s = benchmark::seconds_of(
            [&] { pairs = TimeSegments::fit(RateHistogram::of_pairs(scan_.maps()), scan_.sample_times_s, tolerance); });
        const auto toeplitz = toeplitz_of_samples(backend_, samples, scan_.maps(), pairs);
        const auto plain = toeplitz_of_samples(backend_, samples);

        const Array image = test::random_array(backend_, grid().shape, precision_, 1);
        Array result(backend_, grid().shape, precision_);
        const Array maps =
            test::random_array(backend_, grid().shape.with_axis("coil", size_.coil_count), precision_, 3);
        const auto coil_maps =
            size_.coil_count > 1 ? std::optional<ConstArrayView>(maps.view()) : std::optional<ConstArrayView>();
        const double one_s = seconds([&] { plain->apply(image, coil_maps, result); });
        // As many plain plans of their own: what is left is the cost of the modulation, not that of more spectra.
        std::vector<std::unique_ptr<ToeplitzPlan>> many;
        for (Index l = 0; l < pairs.count(); ++l) {
            many.push_back(toeplitz_of_samples(backend_, samples));
        }
        const double many_s = seconds([&] {
            for (const auto& plan : many) {
                plan->apply(image, coil_maps, result);
            }
        });
        many.clear();
        const double segmented_s = seconds([&] { toeplitz->apply(image, coil_maps, result, Accumulate::no); });
        toeplitz->apply(image, std::nullopt, result, Accumulate::no);
        return {{"matrix", grid().shape.text()},
                {"coils", size_.coil_count},
                {"precision", name_of(precision_)},
                {"tolerance", tolerance},
                {"segments", fit.count()},
                {"toeplitz_segments", pairs.count()},
                {"fit_s", fit_s},
                {"toeplitz_fit_s", pairs_s},
                {"forward_error", test::relative_difference(through_forward(segmented), exact_forward_)},
                {"adjoint_error", test::relative_difference(through_adjoint(segmented), exact_adjoint_)},
                {"normal_error", test::relative_difference(download<double>(result), exact_normal_)},
                {"one_toeplitz_apply_s", one_s},
                {"segmented_toeplitz_apply_s", segmented_s},
                {"many_plain_applies_s", many_s},
                {"multiple_of_many_plain_applies", segmented_s / many_s},
                {"multiple_of_plain_applies", segmented_s / (static_cast<double>(pairs.count()) * one_s)}};
    }

private:
    VoxelGrid grid() const { return VoxelGrid::image(size_.n); }
    Shape samples_shape() const { return Shape::samples(scan_.sample_count()); }

    template <class Function>
    double seconds(Function&& function) const {
        function();
        backend_.synchronize();
        return benchmark::shortest_seconds_of(
            [&] {
                function();
                backend_.synchronize();
            },
            0.5);
    }

    std::vector<cdouble> through_forward(const FourierSums& sums) const {
        const Array image = test::random_array(backend_, grid().shape, sums.precision(), 1);
        Array samples(backend_, samples_shape(), sums.precision());
        sums.forward(image, samples);
        return download<double>(samples);
    }
    std::vector<cdouble> through_adjoint(const FourierSums& sums) const {
        const Array samples = test::random_array(backend_, samples_shape(), sums.precision(), 2);
        Array image(backend_, grid().shape, sums.precision());
        sums.adjoint(samples, image);
        return download<double>(image);
    }
    std::vector<cdouble> through_exact_normal() const {
        Array samples(backend_, samples_shape(), Precision::double_);
        Array image(backend_, grid().shape, Precision::double_);
        upload(exact_forward_, samples);
        exact_->adjoint(samples, image);
        return download<double>(image);
    }

    Backend& backend_;
    const Options& options_;
    Size size_;
    Precision precision_;
    test::OffResonanceCase scan_;
    std::unique_ptr<FourierSums> exact_;
    std::vector<cdouble> exact_forward_;
    std::vector<cdouble> exact_adjoint_;
    std::vector<cdouble> exact_normal_;
};

void print(const nlohmann::json& row) {
    if (row.contains("tolerance")) {
        fmt::print(
            "{:>12} {:>2} coils, {}, tol {:.0e}: L {:>2} (sums), {:>2} (Toeplitz), fitted in {:.2f} and {:.2f} s; "
            "errors {:.1e} forward, {:.1e} adjoint, {:.1e} normal; one apply {:.3f} ms, segmented {:.3f} ms = "
            "{:.3f} x L = {:.3f} x L plans without modulation\n",
            row["matrix"].get<std::string>(), row["coils"].get<int>(), row["precision"].get<std::string>(),
            row["tolerance"].get<double>(), row["segments"].get<int>(), row["toeplitz_segments"].get<int>(),
            row["fit_s"].get<double>(), row["toeplitz_fit_s"].get<double>(), row["forward_error"].get<double>(),
            row["adjoint_error"].get<double>(), row["normal_error"].get<double>(),
            1e3 * row["one_toeplitz_apply_s"].get<double>(), 1e3 * row["segmented_toeplitz_apply_s"].get<double>(),
            row["multiple_of_plain_applies"].get<double>(), row["multiple_of_many_plain_applies"].get<double>());
    } else {
        fmt::print(
            "{:>12}, {} samples, exact sums: single {:.2e} pairs/s forward, {:.2e} adjoint (errors {:.1e}, {:.1e}); "
            "double {:.2e}, {:.2e}\n",
            row["matrix"].get<std::string>(), row["samples"].get<Index>(),
            row["forward_pairs_a_second_single"].get<double>(), row["adjoint_pairs_a_second_single"].get<double>(),
            row["forward_error_single"].get<double>(), row["adjoint_error_single"].get<double>(),
            row["forward_pairs_a_second_double"].get<double>(), row["adjoint_pairs_a_second_double"].get<double>());
    }
    std::fflush(stdout);
}

}  // namespace

int main(int argument_count, char** arguments) {
    Options options;
    CLI::App app("Off-resonance: accuracy and cost of time segments");
    app.add_option("--device", options.device);
    app.add_option("--threads", options.thread_count);
    app.add_flag("--json", options.json);
    app.add_flag("--cpu-time", benchmark::count_processor_time);
    app.add_option("--maps", options.maps);
    app.add_option("--tol", options.tolerances)->delimiter(',');
    app.add_option("--precision", options.precision);
    app.add_option("--readouts", options.readout_count);
    app.add_option("--length", options.readout_length);
    app.add_option("sizes", options.sizes);
    CLI11_PARSE(app, argument_count, arguments);
    const auto backend = options.device == "cpu" ? make_cpu_backend(options.thread_count) : make_cuda_backend(0);
    nlohmann::json record{{"device", backend->description()}, {"map", options.maps.empty() ? "simulated" : "measured"}};
    for (const std::string& size : options.sizes) {
        const Study study(*backend, options, Size(size));
        record["exact"].push_back(study.pairs_a_second());
        options.json ? void() : print(record["exact"].back());
        for (const double tolerance : options.tolerances) {
            record["segments"].push_back(study.segments(tolerance));
            options.json ? void() : print(record["segments"].back());
        }
    }
    if (options.json) {
        fmt::print("{}\n", record.dump(1));
    }
}
