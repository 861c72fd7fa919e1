// A lambda that was chosen, for images that are kept. Bound by number, so that a member that is added is missed here.
#include "app/reconstruction/regularisation/lambda_choice.hpp"
#include "solver/archive.hpp"

namespace recon {
namespace {

/// Points of a curve, each its numbers one after the other.
void visit_curve(Archive& archive, std::vector<LambdaPoint>& curve) {
    auto count = std::ssize(curve);
    archive.count("lambda/points", count);
    curve.resize(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < curve.size(); ++i) {
        auto& [lambda, misfit, penalty, freedom, image_misfit, image_freedom, image_noise, seen_noise, iterations] =
            curve[i];
        std::vector<double> numbers{lambda,      misfit,       penalty,
                                    freedom,     image_misfit, image_freedom,
                                    image_noise, seen_noise,   static_cast<double>(iterations)};
        archive.numbers("lambda/point " + std::to_string(i), numbers);
        lambda = numbers.at(0);
        misfit = numbers.at(1);
        penalty = numbers.at(2);
        freedom = numbers.at(3);
        image_misfit = numbers.at(4);
        image_freedom = numbers.at(5);
        image_noise = numbers.at(6);
        seen_noise = numbers.at(7);
        iterations = static_cast<int>(numbers.at(8));
    }
}

}  // namespace

void visit(Archive& archive, ChosenLambda& chosen) {
    auto& [method, choice, noise, seconds] = chosen;
    auto& [lambda, is_inside, curve, data, iterations] = choice;
    auto& [count, image_count, noise_variance, image_gain] = data;
    archive.count("lambda/method", method);
    archive.number("lambda/lambda", lambda);
    archive.count("lambda/is_inside", is_inside);
    visit_curve(archive, curve);
    archive.number("lambda/count", count);
    archive.number("lambda/image_count", image_count);
    bool is_known = noise_variance.has_value();
    double variance = noise_variance.value_or(0);
    archive.count("lambda/noise_is_known", is_known);
    archive.number("lambda/noise_variance", variance);
    noise_variance = is_known ? std::optional(variance) : std::nullopt;
    archive.number("lambda/image_gain", image_gain);
    archive.count("lambda/iterations", iterations);
    archive.number("lambda/noise_sigma", noise.sigma);
    archive.text("lambda/noise_source", noise.source);
    archive.number("lambda/seconds", seconds);
}

}  // namespace recon
