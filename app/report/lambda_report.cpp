#include "app/report/lambda_report.hpp"

#include <fmt/format.h>

#include <cmath>

#include "app/reconstruction/regularisation/lambda_curve.hpp"
#include "data/pictures/line_plot.hpp"

namespace recon {
namespace {

/// The criterion as positive numbers: what is marked is a minimum, or the crossing of 1.
LogPlot criterion_plot(const ChosenLambda& chosen) {
    LogPlot plot;
    plot.x_title = "lambda";
    for (const LambdaPoint& point : chosen.choice.curve) {
        double value = 0;
        switch (chosen.method) {
            case LambdaMethod::gcv:
                plot.title = "generalised cross-validation";
                plot.y_title = "gcv";
                value = generalised_cross_validation(point, chosen.choice.data);
                break;
            case LambdaMethod::image:
                plot.title = "predicted error of the image + noise";
                plot.y_title = "of the noise";
                value = 1 + image_risk(point, chosen.choice.data) /
                                (*chosen.choice.data.noise_variance * chosen.choice.data.image_count);
                break;
            case LambdaMethod::risk:
                plot.title = "predicted error + noise";
                plot.y_title = "of the noise";
                value = 1 + predictive_risk(point, chosen.choice.data) /
                                (*chosen.choice.data.noise_variance * chosen.choice.data.count);
                break;
            case LambdaMethod::discrepancy:
                plot.title = "misfit / noise";
                plot.y_title = "crossing 1";
                value =
                    point.misfit / (*chosen.choice.data.noise_variance * (chosen.choice.data.count - point.freedom));
                break;
            case LambdaMethod::lcurve:
                plot.title = "misfit";
                plot.y_title = "misfit";
                value = point.misfit;
                break;
        }
        plot.points.emplace_back(point.lambda, value);
    }
    return plot;
}

/// The y of a polyline over log x at x.
double interpolated(const std::vector<std::pair<double, double>>& points, double x) {
    for (std::size_t i = 1; i < points.size(); ++i) {
        if (x <= points[i].first) {
            const double share = std::log(x / points[i - 1].first) / std::log(points[i].first / points[i - 1].first);
            return points[i - 1].second * std::pow(points[i].second / points[i - 1].second, share);
        }
    }
    return points.back().second;
}

}  // namespace

RunRecord lambda_record(const ChosenLambda& chosen) {
    const LambdaCurve curve(chosen);
    RunRecord record = {{"chosen", chosen.choice.lambda},
                        {"method", name_of(chosen.method)},
                        {"inside", chosen.choice.is_inside ? 1 : 0},
                        {"iterations", chosen.choice.iterations},
                        {"data_count", chosen.choice.data.count},
                        {"lambda", curve.lambda},
                        {"misfit", curve.misfit},
                        {"penalty", curve.penalty},
                        {"criterion_name", curve.criterion_name},
                        {"criterion", curve.criterion}};
    if (needs_freedom(chosen.method)) {
        record["degrees_of_freedom"] = curve.degrees_of_freedom;
    }
    if (chosen.noise.sigma > 0) {
        record["noise_sigma"] = chosen.noise.sigma;
        record["noise_source"] = chosen.noise.source;
    }
    return record;
}

Picture lambda_picture(const ChosenLambda& chosen) {
    LogPlot criterion = criterion_plot(chosen);
    LogPlot lcurve{.title = "L-curve", .x_title = "misfit", .y_title = "penalty", .points = {}, .marked = {}};
    std::vector<std::pair<double, double>> misfit, penalty;
    for (const LambdaPoint& point : chosen.choice.curve) {
        misfit.emplace_back(point.lambda, point.misfit);
        penalty.emplace_back(point.lambda, point.penalty);
        lcurve.points.emplace_back(point.misfit, point.penalty);
    }
    const double lambda = chosen.choice.lambda;
    criterion.title += fmt::format(": lambda {:.1E}", lambda);
    criterion.marked = {lambda, interpolated(criterion.points, lambda)};
    lcurve.marked = {interpolated(misfit, lambda), interpolated(penalty, lambda)};
    return side_by_side({log_plot(criterion), log_plot(lcurve)});
}

}  // namespace recon
