// Iterations of conjugate gradients until the image is near the one that they converge to, with preconditioners and
// start values, on simulated scans. The limit is the solution in double precision after many iterations; the error is
// |x - limit| / |limit|.
//
//   bench_convergence [--json FILE] [--png FOLDER]
//
// --png draws the error over the iterations of every case: circulant from zero in white, plain and Jacobi in grey.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <limits>

#include "core/cpu/cpu_backend.hpp"
#include "core/operators/circulant_preconditioner.hpp"
#include "data/json_writer.hpp"
#include "data/line_plot.hpp"
#include "solver/conjugate_gradient.hpp"
#include "tests/benchmark/support/simulated_problem.hpp"
#include "tests/benchmark/support/stopwatch.hpp"

namespace {

using namespace recon;
using benchmark::SimulatedProblem;

constexpr int limit_iterations = 400;
constexpr int most_iterations = 300;
constexpr double targets[] = {1e-1, 3e-2, 1e-2};

struct Case {
    const char* trajectory;
    PerAxis<Index> matrix_size;
    Index coil_count;
    double undersampling;
    double lambda;
};

/// Errors of the iterates, and the iteration at which each target is met.
class ErrorObserver final : public IterationObserver {
public:
    explicit ErrorObserver(std::vector<cdouble> limit) : limit_(std::move(limit)) {}
    bool iteration_done(int iteration, double, ConstArrayView x) override {
        const double error = error_of(x);
        errors.emplace_back(iteration, error);
        for (std::size_t i = 0; i < std::size(targets); ++i) {
            if (met[i] < 0 && error < targets[i]) {
                met[i] = iteration;
            }
        }
        if (iteration == 10) {
            after_10 = error;
        }
        return met.back() < 0;
    }
    double error_of(ConstArrayView x) const {
        const std::vector<cdouble> image = download<double>(x);
        double difference = 0, size = 0;
        for (std::size_t i = 0; i < image.size(); ++i) {
            difference += std::norm(image[i] - limit_[i]);
            size += std::norm(limit_[i]);
        }
        return std::sqrt(difference / size);
    }
    std::array<int, std::size(targets)> met{-1, -1, -1};
    std::vector<std::pair<double, double>> errors;
    double after_10 = std::numeric_limits<double>::quiet_NaN();

private:
    std::vector<cdouble> limit_;
};

std::unique_ptr<LinearOperator> make_preconditioner(const std::string& name, const SimulatedProblem& problem,
                                                    double lambda) {
    Backend& backend = problem.encoding.backend();
    const Shape image = problem.encoding.domain();
    const double regularisation = lambda * problem.q_centre;
    if (name == "jacobi") {
        Array diagonal(backend, image, problem.encoding.precision());
        backend.fill(problem.coils->has_maps() ? 0 : 1, diagonal);
        std::optional<Array> buffer;
        for (Index coil = 0; problem.coils->has_maps() && coil < problem.coils->coil_count(); ++coil) {
            const ConstArrayView map = problem.coils->map(coil, problem.encoding.precision(), buffer);
            backend.multiply(Conjugate::yes, map, map, Accumulate::yes, diagonal);
        }
        backend.scale(problem.q_centre, diagonal);
        Array constant(backend, image, problem.encoding.precision());
        backend.fill(std::max(regularisation, 1e-6 * problem.q_centre), constant);
        backend.axpby(1, constant, 1, diagonal);
        return std::make_unique<DiagonalPreconditioner>(std::move(diagonal));
    }
    if (name == "circulant") {
        std::vector<double> spectrum = circulant_spectrum(backend, problem.q, *problem.coils, image.matrix_size());
        const double floor = 1e-6 * *std::max_element(spectrum.begin(), spectrum.end());
        for (double& value : spectrum) {
            value += std::max(regularisation, floor);
        }
        return std::make_unique<CirculantPreconditioner>(backend, image, spectrum, problem.encoding.precision());
    }
    return nullptr;
}

std::vector<cdouble> solution(Backend& backend, const Simulation& simulation, double lambda) {
    const SimulatedProblem problem(backend, simulation, Precision::double_);
    const Identity identity(backend, problem.encoding.domain(), Precision::double_);
    const Normal normal(problem.encoding);
    const Sum system(normal, lambda * problem.q_centre, identity);
    Array x(backend, problem.encoding.domain(), Precision::double_);
    backend.fill(0, x);
    const auto preconditioner = make_preconditioner("circulant", problem, lambda);
    solve_cg(system, problem.right_side, x, {.iterations = limit_iterations, .stop = 1e-9}, nullptr,
             preconditioner.get());
    return download<double>(x);
}

nlohmann::json measure(Backend& backend, const Case& c, const std::string& png_folder) {
    SimulationOptions options;
    options.trajectory = c.trajectory;
    options.request.matrix_size = c.matrix_size;
    options.request.undersampling = c.undersampling;
    options.coil_count = c.coil_count;
    options.snr = 20;
    const Simulation simulation = simulate_scan(options);
    const std::vector<cdouble> limit = solution(backend, simulation, c.lambda);
    const SimulatedProblem problem(backend, simulation, Precision::single);
    const Identity identity(backend, problem.encoding.domain(), Precision::single);
    const Normal normal(problem.encoding);
    const Sum system(normal, c.lambda * problem.q_centre, identity);

    LogPlot plot{.title = fmt::format("{} {} coils lambda {:.0E}", c.trajectory, c.coil_count, c.lambda),
                 .x_title = "iteration",
                 .y_title = "error",
                 .points = {},
                 .marked = {}};
    nlohmann::json results = nlohmann::json::array();
    for (const std::string start : {"zero", "gridded"}) {
        for (const std::string name : {"none", "jacobi", "circulant"}) {
            std::unique_ptr<LinearOperator> preconditioner;
            const double making =
                benchmark::seconds_of([&] { preconditioner = make_preconditioner(name, problem, c.lambda); });
            Array x(backend, problem.encoding.domain(), Precision::single);
            backend.fill(0, x);
            if (start == "gridded") {
                x = problem.gridded();
                Array mx(backend, x.shape(), x.precision());
                system.forward(x, mx);
                backend.scale(backend.dot(x, problem.right_side) / backend.dot(x, mx).real(), x);
            }
            ErrorObserver observer(limit);
            const double start_error = observer.error_of(x);
            Array again = x.clone();
            solve_cg(system, problem.right_side, x, {.iterations = most_iterations}, &observer, preconditioner.get());
            if (start == "zero") {
                (name == "circulant" ? plot.points : plot.others.emplace_back()) = observer.errors;
            }
            const double seconds = benchmark::seconds_of([&] {
                solve_cg(system, problem.right_side, again, {.iterations = 10}, nullptr, preconditioner.get());
            });
            results.push_back({{"trajectory", c.trajectory},
                               {"matrix", c.matrix_size},
                               {"coils", c.coil_count},
                               {"undersampling", c.undersampling},
                               {"lambda", c.lambda},
                               {"start", start},
                               {"preconditioner", name},
                               {"start_error", start_error},
                               {"error_after_10", observer.after_10},
                               {"iterations_to_0.1", observer.met[0]},
                               {"iterations_to_0.03", observer.met[1]},
                               {"iterations_to_0.01", observer.met[2]},
                               {"iteration_s", seconds / 12},
                               {"preparation_s", making}});
            fmt::print("{:>18} {:>14} {:>2} x{:g} {:7g} {:>8} {:>10} {:8.3f} {:8.4f} {:>5} {:>5} {:>5} {:8.2f} ms\n",
                       c.trajectory, fmt::format("{}x{}x{}", c.matrix_size[0], c.matrix_size[1], c.matrix_size[2]),
                       c.coil_count, c.undersampling, c.lambda, start, name, start_error, observer.after_10,
                       observer.met[0], observer.met[1], observer.met[2], 1e3 * seconds / 12);
            std::fflush(stdout);
        }
    }
    if (!png_folder.empty()) {
        write_png(fmt::format("{}/{}-{}d-{}-coils-{:g}.png", png_folder, c.trajectory, c.matrix_size[2] > 1 ? 3 : 2,
                              c.coil_count, c.lambda),
                  log_plot(plot));
    }
    return results;
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{"Iterations with preconditioners and start images"};
    std::string json, png;
    app.add_option("--json", json);
    app.add_option("--png", png);
    CLI11_PARSE(app, argc, argv);
    const auto backend = make_cpu_backend();
    nlohmann::json results = nlohmann::json::array();
    for (const double lambda : {1e-2, 1e-3}) {
        for (const Case& c : {Case{"radial", {96, 96, 1}, 1, 1, lambda}, Case{"radial", {96, 96, 1}, 8, 3, lambda},
                              Case{"spiral", {96, 96, 1}, 1, 1, lambda}, Case{"spiral", {96, 96, 1}, 8, 2, lambda},
                              Case{"radial", {28, 28, 28}, 1, 1, lambda}, Case{"radial", {28, 28, 28}, 8, 4, lambda},
                              Case{"cones", {32, 32, 32}, 1, 1, lambda}, Case{"cones", {32, 32, 32}, 8, 3, lambda}}) {
            for (const auto& one : measure(*backend, c, png)) {
                results.push_back(one);
            }
        }
    }
    if (!json.empty()) {
        write_json(json,
                   {{"benchmark", "bench_convergence"}, {"machine", backend->description()}, {"results", results}});
    }
    return 0;
}
