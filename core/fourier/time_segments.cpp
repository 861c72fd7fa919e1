#include "core/fourier/time_segments.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"

namespace recon {
namespace {

/// Turns of phase between the extreme frequencies over the readout, up to which the bins are fine enough.
constexpr double largest_time_bandwidth = 128;

using Matrix = Eigen::MatrixXcd;
using RealMatrix = Eigen::MatrixXd;

/// Polynomial interpolation from Chebyshev points of an interval.
class ChebyshevInterpolation {
public:
    ChebyshevInterpolation(double first, double last, Index count) : middle_((first + last) / 2) {
        for (Index j = 0; j < count; ++j) {
            const double angle = pi * (2 * static_cast<double>(j) + 1) / (2 * static_cast<double>(count));
            points_.push_back(middle_ - (last - first) / 2 * std::cos(angle));
            weights_.push_back((j % 2 ? -1 : 1) * std::sin(angle));
        }
    }
    const std::vector<double>& points() const { return points_; }

    /// Column i: what the values at the points are multiplied by to give the value at x_i. [Berrut 2004, eq. 4.2]
    RealMatrix at(const std::vector<double>& x) const {
        RealMatrix factors(points_.size(), x.size());
        for (Index i = 0; i < factors.cols(); ++i) {
            const auto same = std::find(points_.begin(), points_.end(), x[i]);
            if (same != points_.end()) {
                factors.col(i).setZero();
                factors(same - points_.begin(), i) = 1;
                continue;
            }
            for (Index j = 0; j < factors.rows(); ++j) {
                factors(j, i) = weights_[j] / (x[i] - points_[j]);
            }
            factors.col(i) /= factors.col(i).sum();
        }
        return factors;
    }

private:
    double middle_;
    std::vector<double> points_;
    std::vector<double> weights_;
};

std::vector<double> evenly_spaced(double first, double last, Index count) {
    std::vector<double> values(count, (first + last) / 2);
    for (Index i = 0; i < count && count > 1; ++i) {
        values[i] = first + (last - first) * static_cast<double>(i) / static_cast<double>(count - 1);
    }
    return values;
}

/// Between evenly spaced (crowding 0) and Chebyshev points (1). Evenly spaced segments need interpolators that cancel
/// each other at the ends of the readout: a sum of |b_l| of 47,000 for 15 turns of phase at 1e-6, which single
/// precision cannot stand; it is 6 with a crowding of 0.7, and fewer segments will do.
std::vector<double> segment_centres(double first, double last, Index count, double crowding) {
    std::vector<double> centres = evenly_spaced(first, last, count);
    for (Index i = 0; i < count && count > 1; ++i) {
        const double angle = pi * (2 * static_cast<double>(i) + 1) / (2 * static_cast<double>(count));
        const double chebyshev = (first + last) / 2 - (last - first) / 2 * std::cos(angle);
        centres[i] = crowding * chebyshev + (1 - crowding) * centres[i];
    }
    return centres;
}

/// The least-squares problem of a histogram, made small once for any number of segments: exp(-(z - z_0) t) is a
/// polynomial of t to double precision, so that its values at Chebyshev points t_j say all of it, and of the matrix of
/// these values, one row for each rate, the triangular factor has all inner products.
class SegmentProblem {
public:
    SegmentProblem(const RateHistogram& histogram, double first_s, double last_s)
        : first_s_(first_s),
          last_s_(last_s),
          reference_(slowest_decay(histogram), pi * (histogram.lowest_hz() + histogram.highest_hz())),
          interpolation_(first_s, last_s, point_count(histogram)) {
        const auto rate_count = static_cast<Index>(histogram.weight.size());
        Matrix values(rate_count, interpolation_.points().size());
        for (Index k = 0; k < rate_count; ++k) {
            const double weight = (histogram.weight[k] + 1.0 / static_cast<double>(rate_count)) / 2;
            for (Index j = 0; j < values.cols(); ++j) {
                values(k, j) =
                    std::sqrt(weight) * std::exp(-(histogram.rate_per_s[k] - reference_) * interpolation_.points()[j]);
            }
        }
        const Index rank = std::min(values.rows(), values.cols());
        const Eigen::HouseholderQR<Matrix> qr(values);
        triangle_ = qr.matrixQR().topRows(rank).triangularView<Eigen::Upper>();
        const std::vector<double> check_s = evenly_spaced(first_s, last_s, 4 * triangle_.cols());
        check_ = interpolation_.at(check_s);
        // What is left of the signal at each of these times, beside the factor exp(-z_0 (t - first_s)) taken out.
        check_decay_.resize(check_.cols());
        for (Index i = 0; i < check_.cols(); ++i) {
            check_decay_[i] = std::exp(-reference_.real() * (check_s[i] - first_s));
        }
        const Eigen::VectorXd signal = (triangle_ * check_).colwise().norm().transpose().cwiseProduct(check_decay_);
        signal_ = std::sqrt(signal.squaredNorm() / static_cast<double>(signal.size()));
    }

    struct Solution {
        std::vector<double> centre_s;
        Matrix interpolator;  ///< [segment, Chebyshev point]
        double error;
    };
    Solution solve(Index count, double crowding) const {
        Solution solution{segment_centres(first_s_, last_s_, count, crowding), {}, 0};
        const Matrix basis = triangle_ * interpolation_.at(solution.centre_s);
        solution.interpolator = basis.completeOrthogonalDecomposition().solve(triangle_);
        const Matrix rest = (triangle_ - basis * solution.interpolator) * check_;
        solution.error = (rest.colwise().norm().transpose().cwiseProduct(check_decay_)).maxCoeff() / signal_;
        return solution;
    }

    /// b_l(t) of all times, [segment time]
    Matrix interpolators_at(const Solution& solution, const std::vector<double>& times_s) const {
        Matrix b = solution.interpolator * interpolation_.at(times_s);
        for (Index i = 0; i < b.cols(); ++i) {
            for (Index l = 0; l < b.rows(); ++l) {
                b(l, i) *= std::exp(-reference_ * (times_s[i] - solution.centre_s[l]));
            }
        }
        return b;
    }

private:
    static double slowest_decay(const RateHistogram& histogram) {
        double slowest = histogram.rate_per_s.front().real();
        for (const cdouble rate : histogram.rate_per_s) {
            slowest = std::min(slowest, rate.real());
        }
        return slowest;
    }

    /// The Chebyshev series of exp(c x) on [-1, 1] ends soon after |c| terms.
    Index point_count(const RateHistogram& histogram) const {
        double largest = 0;
        for (const cdouble rate : histogram.rate_per_s) {
            largest = std::max(largest, std::abs(rate - reference_));
        }
        const double c = largest * (last_s_ - first_s_) / 2;
        return c > 0 ? static_cast<Index>(std::ceil(c + 10 * std::cbrt(c))) + 20 : 1;
    }

    double first_s_;
    double last_s_;
    cdouble reference_;  ///< z_0
    ChebyshevInterpolation interpolation_;
    Matrix triangle_;
    RealMatrix check_;
    Eigen::VectorXd check_decay_;
    double signal_;
};

/// A segment for each of the few times that there are.
TimeSegments one_for_each(const std::vector<double>& times, std::span<const float> sample_times_s) {
    TimeSegments segments{times, {}, 0};
    segments.interpolator.assign(times.size(), std::vector<cdouble>(sample_times_s.size()));
    for (std::size_t m = 0; m < sample_times_s.size(); ++m) {
        segments.interpolator[std::lower_bound(times.begin(), times.end(), sample_times_s[m]) - times.begin()][m] = 1;
    }
    return segments;
}

}  // namespace

TimeSegments TimeSegments::fit(const RateHistogram& histogram, std::span<const float> sample_times_s,
                               double tolerance) {
    std::vector<double> times(sample_times_s.begin(), sample_times_s.end());
    std::sort(times.begin(), times.end());
    times.erase(std::unique(times.begin(), times.end()), times.end());
    const double span_s = times.back() - times.front();
    const double time_bandwidth = (histogram.highest_hz() - histogram.lowest_hz()) * span_s;
    if (time_bandwidth > largest_time_bandwidth) {
        throw InputError(fmt::format(
            "field map: {:.0f} to {:.0f} Hz over {:.1f} ms is {:.0f} turns of phase, more than "
            "{:.0f}; check the unit of the map (Hz) and of the sample times (s)",
            histogram.lowest_hz(), histogram.highest_hz(), 1e3 * span_s, time_bandwidth, largest_time_bandwidth));
    }
    const SegmentProblem problem(histogram, times.front(), times.back());
    const Index most_segments = static_cast<Index>(histogram.weight.size());
    // Fewer segments than turns of phase cannot do.
    Index count = std::min(static_cast<Index>(std::ceil(time_bandwidth)) + 1, most_segments);
    SegmentProblem::Solution best;
    for (;; ++count) {
        if (count >= static_cast<Index>(times.size())) {
            return one_for_each(times, sample_times_s);
        }
        best.error = std::numeric_limits<double>::infinity();
        for (const double crowding : {0.5, 0.6, 0.7, 0.8}) {
            SegmentProblem::Solution solution = problem.solve(count, crowding);
            if (solution.error < best.error) {
                best = std::move(solution);
            }
        }
        if (best.error <= tolerance || count >= most_segments) {
            break;
        }
    }
    TimeSegments segments{best.centre_s, {}, best.error};
    const Matrix b = problem.interpolators_at(best, times);
    segments.interpolator.assign(count, std::vector<cdouble>(sample_times_s.size()));
    for (std::size_t m = 0; m < sample_times_s.size(); ++m) {
        const Index column = std::lower_bound(times.begin(), times.end(), sample_times_s[m]) - times.begin();
        for (Index l = 0; l < count; ++l) {
            segments.interpolator[l][m] = b(l, column);
        }
    }
    return segments;
}

}  // namespace recon
