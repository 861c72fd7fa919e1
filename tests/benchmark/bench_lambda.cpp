// How near the error of the image comes, with `--lambda auto`, to that of the best lambda there is: three phantoms,
// three noise levels, three undersamplings, every method. The best lambda is found by a sweep that knows the truth.
//
//   bench_lambda [--prior NAME] [--json FILE]
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <map>

#include "core/log.hpp"
#include "data/json_writer.hpp"
#include "tests/benchmark/support/lambda_cases.hpp"

namespace {

using namespace recon;

nlohmann::json measure(Backend& backend, const benchmark::LambdaCase& c, const std::string& prior) {
    const Simulation simulation = benchmark::simulate(c, backend);
    ReconstructOptions options;
    options.cg.iterations = 60;
    options.measure_accuracy = false;
    options.regularisation.terms = parse_regularisation({prior}, {"auto"}).terms;
    nlohmann::json record = {
        {"prior", prior}, {"phantom", c.phantom}, {"snr", c.snr}, {"undersampling", c.undersampling}};
    std::string line = fmt::format("{:>12} {:>4} x{:g}", c.phantom, c.snr, c.undersampling);
    const benchmark::Oracle oracle = benchmark::best_lambda(simulation, backend, options);
    record["best_lambda"] = oracle.lambda;
    record["best_nrmse"] = oracle.nrmse;
    line += fmt::format("  best {:.1e} {:.4f} |", oracle.lambda, oracle.nrmse);
    for (const LambdaMethod method : {LambdaMethod::image, LambdaMethod::gcv, LambdaMethod::risk,
                                      LambdaMethod::discrepancy, LambdaMethod::lcurve}) {
        options.regularisation.lambda.method = method;
        const FrameResult result = benchmark::reconstructed(simulation, backend, options);
        const double excess = benchmark::nrmse(result.image, simulation.truth) / oracle.nrmse - 1;
        record[name_of(method)] = {{"lambda", result.lambda->choice.lambda},
                                   {"excess", excess},
                                   {"solutions", result.lambda->choice.curve.size()},
                                   {"iterations", result.lambda->choice.iterations},
                                   {"seconds", result.lambda->seconds}};
        if (method == LambdaMethod::risk) {
            record["noise_sigma_over_true"] = result.lambda->noise.sigma / simulation.noise_standard_deviation;
            line += fmt::format(" (sigma x{:.3f})", result.lambda->noise.sigma / simulation.noise_standard_deviation);
        }
        line += fmt::format(" {} {:.1e} +{:.1f}% {}it", name_of(method), result.lambda->choice.lambda, 100 * excess,
                            result.lambda->choice.iterations);
    }
    fmt::print(stderr, "{}\n", line);
    return record;
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{"How near --lambda auto comes to the best lambda"};
    std::string prior = "identity", json;
    app.add_option("--prior", prior);
    app.add_option("--json", json);
    CLI11_PARSE(app, argc, argv);
    set_log_level(LogLevel::error);
    const auto backend = make_cpu_backend();
    nlohmann::json results = nlohmann::json::array();
    std::map<std::string, int> within;
    for (const std::string phantom : {"brain", "shepp-logan", "blobs"}) {
        for (const double snr : {5.0, 15.0, 50.0}) {
            for (const double undersampling : {1.0, 2.0, 4.0}) {
                results.push_back(measure(*backend, {phantom, snr, undersampling}, prior));
                for (const char* method : {"image", "gcv", "risk", "discrepancy", "lcurve"}) {
                    within[method] += results.back()[method]["excess"].get<double>() <= 0.1 ? 1 : 0;
                }
            }
        }
    }
    for (const auto& [method, count] : within) {
        fmt::print(stderr, "{}: {} of {} within 10 % of the best\n", method, count, results.size());
    }
    if (!json.empty()) {
        write_json(json, {{"benchmark", "bench_lambda"},
                          {"machine", backend->description()},
                          {"within_10_percent", within},
                          {"results", results}});
    }
    return 0;
}
