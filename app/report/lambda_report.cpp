#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/reconstruction/regularisation/lambda_choice.hpp"
#include "data/pictures/line_plot.hpp"

namespace recon {
namespace {

std::vector<double> column(const ChosenLambda& chosen, double LambdaPoint::*member) {
    std::vector<double> values;
    for (const LambdaPoint& point : chosen.choice.curve) {
        values.push_back(point.*member);
    }
    return values;
}

/// What the method looked at, one number a point, and its name.
std::pair<std::string, std::vector<double>> criterion(const ChosenLambda& chosen) {
    const std::vector<LambdaPoint>& curve = chosen.choice.curve;
    if (chosen.method == LambdaMethod::lcurve) {
        return {"curvature", lcurve_curvature(curve)};
    }
    std::vector<double> values;
    for (const LambdaPoint& point : curve) {
        values.push_back(criterion_of(point, chosen.method, chosen.choice.data));
    }
    return {name_of(chosen.method), values};
}

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
    const auto [name, values] = criterion(chosen);
    RunRecord record = {{"chosen", chosen.choice.lambda},
                        {"method", name_of(chosen.method)},
                        {"inside", chosen.choice.is_inside ? 1 : 0},
                        {"iterations", chosen.choice.iterations},
                        {"data_count", chosen.choice.data.count},
                        {"lambda", column(chosen, &LambdaPoint::lambda)},
                        {"misfit", column(chosen, &LambdaPoint::misfit)},
                        {"penalty", column(chosen, &LambdaPoint::penalty)},
                        {"criterion_name", name},
                        {"criterion", values}};
    if (needs_freedom(chosen.method)) {
        record["degrees_of_freedom"] = column(chosen, &LambdaPoint::freedom);
    }
    if (chosen.noise.sigma > 0) {
        record["noise_sigma"] = chosen.noise.sigma;
        record["noise_source"] = chosen.noise.source;
    }
    return record;
}

std::vector<NamedArray> lambda_extras(const ChosenLambda& chosen) {
    const Index count = static_cast<Index>(chosen.choice.curve.size());
    std::vector<NamedArray> extras;
    const auto add = [&](const std::string& name, std::vector<double> values) {
        extras.push_back({"lambda/" + name, {"point"}, {count}, std::move(values), ""});
    };
    add("lambda", column(chosen, &LambdaPoint::lambda));
    add("misfit", column(chosen, &LambdaPoint::misfit));
    add("penalty", column(chosen, &LambdaPoint::penalty));
    if (needs_freedom(chosen.method)) {
        add("degrees_of_freedom", column(chosen, &LambdaPoint::freedom));
    }
    add("criterion", criterion(chosen).second);
    extras.push_back({"lambda/chosen", {"value"}, {1}, std::vector<double>{chosen.choice.lambda}, ""});
    return extras;
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
