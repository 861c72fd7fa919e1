#include "app/cli/parboil_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/shell/named_choice.hpp"
#include "app/cli/shell/number_range.hpp"
#include "app/studies/parboil/parboil_check.hpp"
#include "app/studies/parboil/parboil_sums.hpp"
#include "core/base/error.hpp"
#include "core/base/log.hpp"
#include "core/devices/device_choice.hpp"
#include "data/files/atomic_output.hpp"
#include "data/files/file_identity.hpp"
#include "data/files/json_writer.hpp"
#include "data/simulation/random_phantom.hpp"

namespace recon {
namespace {

struct ParboilArguments {
    std::string input;
    bool random_phantom = false;
    std::vector<Index> size{64};
    Index samples = 0;
    std::uint64_t seed = 1;
    std::string written_input;
    std::string out;
    std::string reference;
    std::string json;
    std::string device = "auto";
    int thread_count = 0;
    bool quiet = false;
    ParboilSumsOptions sums;
};

const char* name_of(ParboilSum sum) { return sum == ParboilSum::q ? "Q" : "F^H d"; }

/// Parboil's own number of samples for its 64^3 set.
constexpr Index default_phantom_samples = 2048;

ParboilInput load(const ParboilArguments& arguments, ParboilSum sum) {
    if (arguments.random_phantom == !arguments.input.empty()) {
        throw UsageError("expected an input file or --random-phantom, one of the two");
    }
    if (!arguments.random_phantom) {
        ParboilInput input = read_parboil_input(arguments.input);
        if (sum == ParboilSum::fhd && input.kspace.empty()) {
            throw InputError(arguments.input +
                             ": has no data d, which F^H d needs; it is a file of mri-q, not of mri-fhd");
        }
        if (arguments.samples > 0) {
            input.keep_samples(arguments.samples);
        }
        return input;
    }
    PerAxis<Index> size{1, 1, 1};
    std::ranges::copy(arguments.size, size.begin());
    if (arguments.size.size() == 1) {
        size.fill(arguments.size.front());
    }
    ParboilInput input =
        random_phantom(size, arguments.samples > 0 ? arguments.samples : default_phantom_samples, arguments.seed);
    if (sum == ParboilSum::q) {
        input.kspace.clear();
    }
    return input;
}

nlohmann::json check_record(const ParboilCheck& check) {
    return {{"largest_difference", check.largest_difference},
            {"largest_expected", check.largest_expected},
            {"relative_difference", check.relative_difference},
            {"wrong_count", check.wrong_count},
            {"number_count", check.number_count},
            {"passed", check.passed()}};
}

/// Prints the verdict, which belongs to stdout as the result of the command.
ParboilCheck check(const ParboilArguments& arguments, const std::vector<cfloat>& values,
                   const std::vector<cfloat>& reference) {
    const ParboilCheck check = check_as_parboil(values, reference);
    fmt::print(
        "check {}: {}; largest difference {:.3g} (largest value {:.4g}), relative L2 difference {:.3g}, {} of {} "
        "numbers "
        "outside Parboil's tolerance\n",
        arguments.reference, check.passed() ? "passed" : "FAILED", check.largest_difference, check.largest_expected,
        check.relative_difference, check.wrong_count, check.number_count);
    return check;
}

void compute(const ParboilArguments& arguments, const ParboilInput& input, ParboilSum sum) {
    for (const std::string& path : {arguments.out, arguments.json}) {
        if (!path.empty()) {
            const AtomicOutput probe(path);  // fails now rather than after the work
        }
    }
    std::vector<cfloat> reference;
    if (!arguments.reference.empty()) {
        reference = read_parboil_output(arguments.reference);
        if (static_cast<Index>(reference.size()) != input.voxel_count()) {
            throw InputError(fmt::format("{}: holds {} voxels, the input {}; is it the reference of this input?",
                                         arguments.reference, reference.size(), input.voxel_count()));
        }
    }
    const auto backend = make_backend(arguments.device, {.thread_count = arguments.thread_count});
    log_info("{}: {}", backend->name(), backend->description());
    const ParboilResult result = compute_parboil_sum(input, sum, *backend, arguments.sums);
    const auto lost = std::ranges::find_if_not(
        result.values, [](cfloat value) { return std::isfinite(value.real()) && std::isfinite(value.imag()); });
    if (lost != result.values.end()) {
        throw InputError(fmt::format(
            "{}: {} at voxel {} is beyond what single precision holds, 3.4e38; scale the input",
            arguments.random_phantom ? "random phantom" : arguments.input, name_of(sum), lost - result.values.begin()));
    }
    const double pairs = static_cast<double>(input.sample_count()) * static_cast<double>(input.voxel_count());
    log_info("{}: {} samples, {} voxels, {} precision, {}", name_of(sum), input.sample_count(), input.voxel_count(),
             name_of(arguments.sums.precision), result.description);
    log_info("{}: {:.4g} s, {:.3g} pairs/s on {} (plan {:.3g} s)", name_of(sum), result.seconds, pairs / result.seconds,
             backend->name(), result.plan_seconds);
    if (!arguments.out.empty()) {
        write_parboil_output(arguments.out, result.values);
        log_info("{}: {} at {} voxels", arguments.out, name_of(sum), result.values.size());
    }
    nlohmann::json record = {{"version", RECON_VERSION},
                             {"sum", sum == ParboilSum::q ? "q" : "fhd"},
                             {"sample_count", input.sample_count()},
                             {"voxel_count", input.voxel_count()},
                             {"device", backend->name()},
                             {"device_description", backend->description()},
                             {"precision", name_of(arguments.sums.precision)},
                             {"method", result.description},
                             {"seconds", result.seconds},
                             {"plan_seconds", result.plan_seconds},
                             {"pairs_per_second", pairs / result.seconds}};
    std::optional<ParboilCheck> verdict;
    if (!reference.empty()) {
        verdict = check(arguments, result.values, reference);
        record["check"] = check_record(*verdict);
    }
    if (!arguments.json.empty()) {
        write_json(arguments.json, record);
    }
    if (verdict && !verdict->passed()) {
        throw CheckFailed(fmt::format("{} differs from {}: {} of {} numbers are outside Parboil's tolerance",
                                      name_of(sum), arguments.reference, verdict->wrong_count, verdict->number_count));
    }
}

void run(const ParboilArguments& arguments, ParboilSum sum) {
    set_log_level(arguments.quiet ? LogLevel::warning : LogLevel::info);
    require_outputs_apart(
        std::vector<NamedFile>{{"the command", arguments.input}, {"--check", arguments.reference}},
        std::vector<NamedFile>{
            {"--write-input", arguments.written_input}, {"--out", arguments.out}, {"--json", arguments.json}});
    const ParboilInput input = load(arguments, sum);
    const bool writes_input = !arguments.written_input.empty();
    if (writes_input) {
        write_parboil_input(arguments.written_input, input);
        log_info("{}: {} samples, {} voxels{}", arguments.written_input, input.sample_count(), input.voxel_count(),
                 input.kspace.empty() ? "" : ", with data");
    }
    if (!writes_input || !arguments.out.empty() || !arguments.reference.empty() || !arguments.json.empty()) {
        compute(arguments, input, sum);
    }
}

void add_input_options(CLI::App& command, ParboilArguments& a) {
    const std::string group = "Input";
    command.add_option("input", a.input, "File of Parboil's layout (docs/file-formats.md)");
    command
        .add_option("--samples", a.samples, "Use the first so many samples; of a random phantom, make so many [2048]")
        ->check(whole_number(1, 1e9))
        ->group(group);
    CLI::Option* phantom = command
                               .add_flag("--random-phantom", a.random_phantom,
                                         "No input file: random ellipsoids, random samples, voxels on a grid")
                               ->group(group);
    command.add_option("--size", a.size, "Voxels of the random phantom along x y z; one number for a cube")
        ->check(whole_number(1, 4096))
        ->expected(1, 3)
        ->needs(phantom)
        ->capture_default_str()
        ->group(group);
    command.add_option("--seed", a.seed, "Seed of the random phantom")
        ->check(seeds())
        ->needs(phantom)
        ->capture_default_str()
        ->group(group);
    command
        .add_option("--write-input", a.written_input,
                    "Write the input as used (random, or cut by --samples); alone, nothing is computed")
        ->group(group);
}

void add_command(CLI::App& app, const char* name, const char* description, ParboilSum sum) {
    CLI::App* command = app.add_subcommand(name, description);
    const auto arguments = std::make_shared<ParboilArguments>();
    ParboilArguments& a = *arguments;
    command->footer(
        fmt::format("Exit code 5 if --check fails. docs/parboil.md goes through it.\n\n"
                    "  recon {0} 32_32_32_dataset.bin --out 32_32_32_dataset.out\n"
                    "  recon {0} --random-phantom --size 128 --samples 65536 --write-input large.bin",
                    name));
    add_input_options(*command, a);
    command->add_option("--out", a.out, "Result in Parboil's output layout");
    command->add_option(
        "--check", a.reference,
        "Compare with this output by Parboil's own tolerance: 1e-4 of the largest number or 0.2 % of each");
    command->add_option("--json", a.json, "Write times and the verdict as JSON");
    command
        ->add_option("--method", a.sums.method,
                     "direct: a sine and a cosine for every pair; separable: factors, where voxels are a grid; auto")
        ->transform(named_choice<PositionMethod>({{"auto", PositionMethod::automatic},
                                                  {"direct", PositionMethod::direct},
                                                  {"separable", PositionMethod::separable}}))
        ->default_str("auto");
    command->add_option("--precision", a.sums.precision, "single or double")
        ->transform(named_choice<Precision>({{"single", Precision::single}, {"double", Precision::double_}}))
        ->default_str("single");
    command->add_option("--repeat", a.sums.repeat, "Compute so many times and report the median time")
        ->check(whole_number(1, 1e6))
        ->capture_default_str();
    command->add_option("--device", a.device, "auto, cpu or cuda:N")->capture_default_str();
    command->add_option("--threads", a.thread_count, "CPU threads (default: all cores)")->check(threads());
    command->add_flag("--quiet", a.quiet, "Warnings and errors only");
    command->callback([arguments, sum] { run(*arguments, sum); });
}

}  // namespace

void add_parboil_commands(CLI::App& app) {
    add_command(app, "q", "Q at the voxels of a Parboil mri-q file: sum of |phi|^2 exp(i 2 pi k.r)", ParboilSum::q);
    add_command(app, "fhd", "F^H d at the voxels of a Parboil mri-fhd file: sum of conj(phi) d exp(i 2 pi k.r)",
                ParboilSum::fhd);
}

}  // namespace recon
