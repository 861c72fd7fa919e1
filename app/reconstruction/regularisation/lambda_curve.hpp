#pragma once

#include <string>
#include <vector>

#include "app/reconstruction/regularisation/lambda_choice.hpp"
#include "core/base/named_array.hpp"

namespace recon {

/// What lambda was chosen by, a number a point of the curve.
struct LambdaCurve {
    explicit LambdaCurve(const ChosenLambda& chosen);

    std::vector<double> lambda, misfit, penalty;
    std::vector<double> degrees_of_freedom;  ///< empty where the method needs none
    std::string criterion_name;
    std::vector<double> criterion;  ///< that the method looks at
};

/// The curve for the image file, `lambda/...`.
std::vector<NamedArray> lambda_extras(const ChosenLambda& chosen);

}  // namespace recon
