#include "solver/lambda/lambda_criteria.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"

namespace recon {
namespace {

/// Noise between the samples counts by this part: see image_risk. Chosen for the worst of 41 simulated scans, which 0
/// and 0.25 leave further from the best lambda (docs/lambda.md).
constexpr double unseen_noise_counted = 0.15;

double variance_of(const DataStatistics& data) {
    if (!data.noise_variance) {
        throw Error("lambda: the method needs the noise level, which is not known");
    }
    return *data.noise_variance;
}

LambdaVerdict at_end(const std::vector<LambdaPoint>& curve, std::size_t i) {
    const double neighbour = curve.size() == 1 ? curve[0].lambda : curve[i == 0 ? 1 : curve.size() - 2].lambda;
    return {curve[i].lambda, std::min(curve[i].lambda, neighbour), std::max(curve[i].lambda, neighbour), false};
}

/// Minimum of the values over log lambda: of the parabola through the least one and its neighbours.
LambdaVerdict minimum(const std::vector<LambdaPoint>& curve, const std::vector<double>& values) {
    const auto i = static_cast<std::size_t>(std::min_element(values.begin(), values.end()) - values.begin());
    if (i == 0 || i + 1 == curve.size()) {
        return at_end(curve, i);
    }
    const double left = std::log(curve[i - 1].lambda), centre = std::log(curve[i].lambda),
                 right = std::log(curve[i + 1].lambda);
    const double slope_left = (values[i] - values[i - 1]) / (centre - left);
    const double slope_right = (values[i + 1] - values[i]) / (right - centre);
    const double bend = (slope_right - slope_left) / (0.5 * (right - left));
    const double slope = slope_left + bend * 0.5 * (centre - left);  // at the centre
    const double best = bend > 0 ? std::clamp(centre - slope / bend, left, right) : centre;
    return {std::exp(best), curve[i - 1].lambda, curve[i + 1].lambda, true};
}

/// Where the values, which rise with lambda, pass zero, linear between the points in log lambda.
LambdaVerdict crossing(const std::vector<LambdaPoint>& curve, const std::vector<double>& values) {
    std::size_t i = curve.size();
    while (i > 0 && values[i - 1] > 0) {
        --i;
    }
    if (i == 0 || i == curve.size()) {
        return at_end(curve, i == 0 ? 0 : i - 1);
    }
    const double share = -values[i - 1] / (values[i] - values[i - 1]);
    const double best = (1 - share) * std::log(curve[i - 1].lambda) + share * std::log(curve[i].lambda);
    return {std::exp(best), curve[i - 1].lambda, curve[i].lambda, true};
}

}  // namespace

std::string name_of(LambdaMethod method) {
    switch (method) {
        case LambdaMethod::image: return "image";
        case LambdaMethod::discrepancy: return "discrepancy";
        case LambdaMethod::gcv: return "gcv";
        case LambdaMethod::risk: return "risk";
        case LambdaMethod::lcurve: return "lcurve";
    }
    return {};
}

bool needs_noise_variance(LambdaMethod method) {
    return method == LambdaMethod::discrepancy || method == LambdaMethod::risk || method == LambdaMethod::image;
}

bool needs_freedom(LambdaMethod method) { return method != LambdaMethod::lcurve; }

double discrepancy(const LambdaPoint& point, const DataStatistics& data) {
    return point.misfit - variance_of(data) * (data.count - point.freedom);
}

double generalised_cross_validation(const LambdaPoint& point, const DataStatistics& data) {
    const double left_over = std::max(data.count - point.freedom, 1e-6 * data.count);
    return data.count * point.misfit / (left_over * left_over);
}

double predictive_risk(const LambdaPoint& point, const DataStatistics& data) {
    return point.misfit + variance_of(data) * (2 * point.freedom - data.count);
}

double image_risk(const LambdaPoint& point, const DataStatistics& data) {
    const double unseen_noise = data.image_gain * point.image_noise - point.seen_noise;
    return point.image_misfit +
           variance_of(data) * (2 * point.image_freedom - data.image_count + unseen_noise_counted * unseen_noise);
}

double criterion_of(const LambdaPoint& point, LambdaMethod method, const DataStatistics& data) {
    switch (method) {
        case LambdaMethod::image: return image_risk(point, data);
        case LambdaMethod::discrepancy: return discrepancy(point, data);
        case LambdaMethod::gcv: return generalised_cross_validation(point, data);
        case LambdaMethod::risk: return predictive_risk(point, data);
        case LambdaMethod::lcurve: break;
    }
    throw Error("lambda: the L-curve has no criterion at a point");
}

std::vector<double> lcurve_curvature(const std::vector<LambdaPoint>& curve) {
    std::vector<double> curvature(curve.size(), 0.0);
    const auto x = [&](std::size_t i) { return std::log(std::max(curve[i].misfit, 1e-300)); };
    const auto y = [&](std::size_t i) { return std::log(std::max(curve[i].penalty, 1e-300)); };
    for (std::size_t i = 1; i + 1 < curve.size(); ++i) {
        // 4 x area / product of the sides: the inverse radius of the circle through three points
        const double ax = x(i) - x(i - 1), ay = y(i) - y(i - 1), bx = x(i + 1) - x(i), by = y(i + 1) - y(i);
        const double sides = std::hypot(ax, ay) * std::hypot(bx, by) * std::hypot(ax + bx, ay + by);
        curvature[i] = sides > 0 ? 2 * (ax * by - ay * bx) / sides : 0;
    }
    return curvature;
}

LambdaVerdict judge_lambda(const std::vector<LambdaPoint>& curve, LambdaMethod method, const DataStatistics& data) {
    std::vector<double> values;
    if (method == LambdaMethod::lcurve) {
        values = lcurve_curvature(curve);
        for (double& value : values) {
            value = -value;
        }
        return minimum(curve, values);
    }
    for (const LambdaPoint& point : curve) {
        values.push_back(criterion_of(point, method, data));
    }
    return method == LambdaMethod::discrepancy ? crossing(curve, values) : minimum(curve, values);
}

}  // namespace recon
