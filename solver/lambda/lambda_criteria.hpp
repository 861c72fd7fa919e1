#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/types.hpp"

namespace recon {

/// How a regularisation parameter is judged by what its solution leaves of the data.
enum class LambdaMethod {
    image,        ///< least unbiased estimate of the image's error: the risk, samples weighted by their density
    discrepancy,  ///< the misfit is what the noise explains (the discrepancy principle), degrees of freedom allowed for
    gcv,          ///< least generalised cross-validation [Golub 1979]; needs no noise level
    risk,         ///< least unbiased estimate of the predictive risk [Mallows 1973, Stein 1981]
    lcurve,       ///< the corner of log misfit over log penalty [Hansen 1993]; needs no noise level
};

std::string name_of(LambdaMethod method);

/// One solution of the path.
struct LambdaPoint {
    double lambda = 0;
    double misfit = 0;   ///< |E x - d|^2
    double penalty = 0;  ///< what lambda multiplies in the objective, misfit + lambda penalty
    double freedom = 0;  ///< trace of d(E x)/dd: the degrees of freedom that the fit has used up; 0 if not estimated
    double image_misfit = 0;   ///< (E x - d)^H D (E x - d), D the density weights of the samples; for `image` alone
    double image_freedom = 0;  ///< trace of D d(E x)/dd
    double image_noise = 0;    ///< squared norm of dx/dd: E|noise of x|^2 / sigma^2; for `image` alone, as the next
    double seen_noise = 0;     ///< squared norm of D^1/2 d(E x)/dd: what the samples see of that noise
    int iterations = 0;
};

/// What the criteria need to know of the data besides. Weighted data, |sqrt(w) (F x - d)|^2, count as sum of w.
struct DataStatistics {
    double count = 0;                      ///< complex numbers in d: E|noise|^2 / sigma^2
    double image_count = 0;                ///< trace of D, over all samples and coils
    std::optional<double> noise_variance;  ///< sigma^2 = E|n|^2 of one sample of one coil, if known
    double image_gain = 0;                 ///< |D^1/2 E x|^2 over |x|^2 for images that the samples see well
};

/// Whether the method needs the noise variance, and the degrees of freedom.
bool needs_noise_variance(LambdaMethod method);
bool needs_freedom(LambdaMethod method);

/// misfit - sigma^2 (count - freedom): zero where the residual is as large as noise leaves it [Hall 1987]
double discrepancy(const LambdaPoint& point, const DataStatistics& data);
/// count misfit / (count - freedom)^2: an estimate of the noise variance plus the mean predictive error
double generalised_cross_validation(const LambdaPoint& point, const DataStatistics& data);
/// misfit + 2 sigma^2 freedom - sigma^2 count: an unbiased estimate of |E x - d without noise|^2
double predictive_risk(const LambdaPoint& point, const DataStatistics& data);
/// The same with the samples weighted by their density, image_misfit + 2 sigma^2 image_freedom - sigma^2 image_count,
/// an unbiased estimate of |D^1/2 (E x - d without noise)|^2, and a part of the noise between the samples. As D evens
/// out how densely k-space is sampled, the estimate is the squared error of the image where the samples lie, but for
/// the factor image_gain; the unweighted risk counts the crowded centre of k-space more often than the image does.
/// Between the samples the noise of the image is known, image_gain image_noise - seen_noise, and its bias is not. Were
/// there none, all of that noise should count; were both balanced as where the samples lie, none. A part of it does.
double image_risk(const LambdaPoint& point, const DataStatistics& data);
/// What a method looks at: the function above that bears its name. @throws Error for lcurve, which looks at the curve
double criterion_of(const LambdaPoint& point, LambdaMethod method, const DataStatistics& data);
/// Curvature of (log misfit, log penalty) at each point of a curve sorted by lambda, positive at the corner; 0 at its
/// ends.
std::vector<double> lcurve_curvature(const std::vector<LambdaPoint>& curve);

/// Where the method's lambda lies on a curve.
struct LambdaVerdict {
    double lambda = 0;      ///< interpolated between the points
    double low = 0;         ///< points around it: a better one needs points between these
    double high = 0;        ///<
    bool is_inside = true;  ///< false: it lies at an end of the curve or beyond
};

/// @param curve  sorted by lambda, ascending, at least one point
/// @throws Error if the method lacks the noise variance
LambdaVerdict judge_lambda(const std::vector<LambdaPoint>& curve, LambdaMethod method, const DataStatistics& data);

}  // namespace recon
