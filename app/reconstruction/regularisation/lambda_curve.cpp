#include "app/reconstruction/regularisation/lambda_curve.hpp"

namespace recon {

LambdaCurve::LambdaCurve(const ChosenLambda& chosen) : criterion_name(name_of(chosen.method)) {
    const std::vector<LambdaPoint>& curve = chosen.choice.curve;
    for (const LambdaPoint& point : curve) {
        lambda.push_back(point.lambda);
        misfit.push_back(point.misfit);
        penalty.push_back(point.penalty);
        if (needs_freedom(chosen.method)) {
            degrees_of_freedom.push_back(point.freedom);
        }
    }
    if (chosen.method == LambdaMethod::lcurve) {
        criterion_name = "curvature";
        criterion = lcurve_curvature(curve);
        return;
    }
    for (const LambdaPoint& point : curve) {
        criterion.push_back(criterion_of(point, chosen.method, chosen.choice.data));
    }
}

std::vector<NamedArray> lambda_extras(const ChosenLambda& chosen) {
    const LambdaCurve curve(chosen);
    std::vector<NamedArray> extras;
    const auto add = [&](const std::string& name, const std::vector<double>& values) {
        extras.push_back({"lambda/" + name, {"point"}, {std::ssize(values)}, values, ""});
    };
    add("lambda", curve.lambda);
    add("misfit", curve.misfit);
    add("penalty", curve.penalty);
    if (needs_freedom(chosen.method)) {
        add("degrees_of_freedom", curve.degrees_of_freedom);
    }
    add("criterion", curve.criterion);
    extras.push_back({"lambda/chosen", {"value"}, {1}, std::vector<double>{chosen.choice.lambda}, ""});
    return extras;
}

}  // namespace recon
