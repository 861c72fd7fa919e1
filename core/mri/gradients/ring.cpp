#include "core/mri/gradients/ring.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <complex>
#include <vector>

#include "core/base/error.hpp"
#include "core/mri/gradients/readout_values.hpp"
#include "core/mri/gradients/straight_readouts.hpp"

namespace recon {
namespace {

constexpr Index most_crossings = 400;
constexpr double most_delay = 4;   // samples
constexpr double grid_step = 0.5;  // samples
constexpr Index unknowns = 3;      // of the plane's two axes, and between them

/// Two readouts that cross, and where: at `first` . p along the one and `second` . p along the other, for the unknowns
/// p.
struct Crossing {
    std::size_t one = 0, other = 0;
    double first_at = 0, second_at = 0;  ///< without delays, cycles per FOV
    Eigen::Vector3d first, second;       ///< cycles per FOV for a sample of delay
};

class Ring {
public:
    Ring(std::vector<StraightReadout> readouts, ReadoutValues values)
        : readouts_(std::move(readouts)), values_(std::move(values)) {
        choose_axes();
        choose_crossings();
    }

    DelayEstimate estimate() const {
        DelayEstimate result;
        Eigen::Vector3d p = Eigen::Vector3d::Zero();
        result.disagreement_before = disagreement(p);
        p = best_of_grid();
        constexpr int most_steps = 20;
        double now = disagreement(p);
        for (int step = 0; step < most_steps; ++step) {
            const Eigen::Vector3d change = gauss_newton(p);
            double part = 1;
            while (part > 1e-3 && !(disagreement(p + part * change) < now)) {
                part /= 2;
            }
            if (part <= 1e-3) {
                break;
            }
            p += part * change;
            now = disagreement(p);
            if ((part * change).norm() < 1e-4) {
                break;
            }
        }
        result.disagreement_after = now;
        result.delays = delays_of(p);
        return result;
    }

private:
    GradientDelays delays_of(const Eigen::Vector3d& p) const {
        GradientDelays delays;
        delays.samples[axes_[0]] = p[0];
        delays.samples[axes_[1]] = p[1];
        delays.cross[axes_[0] + axes_[1] - 1] = p[2];
        return delays;
    }

    /// The two axes of the plane.
    void choose_axes() {
        constexpr double absent = 1e-3;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            if (std::any_of(readouts_.begin(), readouts_.end(), [axis](const StraightReadout& readout) {
                    return std::abs(readout.direction[axis]) > absent;
                })) {
                axes_.push_back(axis);
            }
        }
        if (axes_.size() != 2) {
            throw InputError(
                fmt::format("gradient delays can be estimated from readouts in a plane of the image's axes, in "
                            "several directions; these have {} of the axes; give numbers with "
                            "`gradient_delays`",
                            axes_.size()));
        }
    }

    /// Matrix elements that the unknowns stand for, times the direction: the shift of a readout for each unknown, in
    /// steps along its direction. A delay of a sample moves the readout back by a step.
    std::vector<PerAxis<double>> shifts(const StraightReadout& readout) const {
        std::vector<PerAxis<double>> result;
        for (Index unknown = 0; unknown < unknowns; ++unknown) {
            const GradientDelays unit = delays_of(Eigen::Vector3d::Unit(unknown));
            PerAxis<double> shift{};
            for (std::size_t i = 0; i < 3; ++i) {
                for (std::size_t j = 0; j < 3; ++j) {
                    shift[i] -= readout.step * unit.at(i, j) * readout.direction[j];
                }
            }
            result.push_back(shift);
        }
        return result;
    }

    /// a n1 + c1 + q1 = b n2 + c2 + q2 for the offsets c and the shifts q.
    Crossing crossing(std::size_t one, std::size_t other) const {
        const StraightReadout &r1 = readouts_[one], &r2 = readouts_[other];
        const double c = dot(r1.direction, r2.direction);
        const std::vector<PerAxis<double>> q1 = shifts(r1), q2 = shifts(r2);
        const auto solve = [&](const PerAxis<double>& w, double& along_one, double& along_other) {
            const double along_1 = dot(r1.direction, w), along_2 = dot(r2.direction, w);
            along_one = (along_1 - c * along_2) / (1 - c * c);
            along_other = (c * along_1 - along_2) / (1 - c * c);
        };
        const auto between = [](const PerAxis<double>& from, const PerAxis<double>& to) {
            return PerAxis<double>{to[0] - from[0], to[1] - from[1], to[2] - from[2]};
        };
        Crossing result{one, other, 0, 0, {}, {}};
        solve(between(r1.offset, r2.offset), result.first_at, result.second_at);
        for (Index u = 0; u < unknowns; ++u) {
            const auto i = static_cast<std::size_t>(u);
            solve(between(q1[i], q2[i]), result.first[u], result.second[u]);
        }
        return result;
    }

    /// Pairs of readouts between 30 and 150 degrees apart, spread over all readouts.
    void choose_crossings() {
        const auto count = static_cast<Index>(readouts_.size());
        const Index gap_count = std::min<Index>(count - 1, 1 + 3 * most_crossings / count);
        for (Index g = 0; g < gap_count; ++g) {
            const Index gap = 1 + g * (count - 1) / gap_count;  // evenly over 1 .. count - 1
            for (Index i = 0; i + gap < count; ++i) {
                const auto one = static_cast<std::size_t>(i), other = static_cast<std::size_t>(i + gap);
                if (std::abs(dot(readouts_[one].direction, readouts_[other].direction)) < std::sqrt(0.75)) {
                    crossings_.push_back(crossing(one, other));
                }
            }
        }
        constexpr std::size_t fewest = 3;
        if (crossings_.size() < fewest) {
            throw InputError(
                "gradient delays can be estimated from readouts in several directions; too few of these cross");
        }
        const auto stride = (crossings_.size() + most_crossings - 1) / most_crossings;
        std::vector<Crossing> kept;
        for (std::size_t i = 0; i < crossings_.size(); i += stride) {
            kept.push_back(crossings_[i]);
        }
        crossings_ = std::move(kept);
    }

    template <class Use>
    void for_each_crossing(const Eigen::Vector3d& p, ReadoutValues::Slopes slopes, const Use& use) const {
        for (const Crossing& crossing : crossings_) {
            const ReadoutValues::Values a =
                values_.at(readouts_[crossing.one], crossing.first_at + crossing.first.dot(p), slopes);
            const ReadoutValues::Values b =
                values_.at(readouts_[crossing.other], crossing.second_at + crossing.second.dot(p), slopes);
            for (std::size_t c = 0; c < values_.coil_count(); ++c) {
                use(crossing, a, b, c);
            }
        }
    }

    /// Relative, as far from the centre there is little to differ.
    double disagreement(const Eigen::Vector3d& p) const {
        double difference = 0, size = 0;
        for_each_crossing(
            p, ReadoutValues::Slopes::no,
            [&](const Crossing&, const ReadoutValues::Values& a, const ReadoutValues::Values& b, std::size_t c) {
                difference += std::norm(a.values[c] - b.values[c]);
                size += (std::norm(a.values[c]) + std::norm(b.values[c])) / 2;
            });
        return size > 0 ? std::sqrt(difference / size) : 1;
    }

    Eigen::Vector3d best_of_grid() const {
        Eigen::Vector3d best = Eigen::Vector3d::Zero();
        double least = disagreement(best);
        const Ring few = thinned();
        double least_of_few = few.disagreement(best);
        for (double x = -most_delay; x <= most_delay; x += grid_step) {
            for (double y = -most_delay; y <= most_delay; y += grid_step) {
                const Eigen::Vector3d p(x, y, 0);
                const double here = few.disagreement(p);
                if (here < least_of_few) {
                    least_of_few = here;
                    best = p;
                }
            }
        }
        return disagreement(best) < least ? best : Eigen::Vector3d::Zero();
    }

    /// Fewer crossings and coils, for the grid.
    Ring thinned() const {
        Ring few = *this;
        constexpr std::size_t crossings = 48, coils = 3;
        const std::size_t stride = (crossings_.size() + crossings - 1) / crossings;
        few.crossings_.clear();
        for (std::size_t i = 0; i < crossings_.size(); i += stride) {
            few.crossings_.push_back(crossings_[i]);
        }
        few.values_ = values_.with_coils(coils);
        return few;
    }

    /// The step to the least squares of the linear model.
    Eigen::Vector3d gauss_newton(const Eigen::Vector3d& p) const {
        Eigen::Matrix3d normal = Eigen::Matrix3d::Zero();
        Eigen::Vector3d gradient = Eigen::Vector3d::Zero();
        for_each_crossing(p, ReadoutValues::Slopes::yes,
                          [&](const Crossing& crossing, const ReadoutValues::Values& a, const ReadoutValues::Values& b,
                              std::size_t c) {
                              const cdouble difference = a.values[c] - b.values[c];
                              const Eigen::Vector3cd row = a.slopes[c] * crossing.first.cast<cdouble>() -
                                                           b.slopes[c] * crossing.second.cast<cdouble>();
                              normal += (row.conjugate() * row.transpose()).real();
                              gradient += (row.conjugate() * difference).real();
                          });
        constexpr double ridge = 1e-6;
        normal += ridge * normal.trace() * Eigen::Matrix3d::Identity();
        return -normal.ldlt().solve(gradient);
    }

    std::vector<StraightReadout> readouts_;
    ReadoutValues values_;
    std::vector<std::size_t> axes_;
    std::vector<Crossing> crossings_;
};

}  // namespace

DelayEstimate estimate_gradient_delays(const Trajectory& trajectory, std::span<const cfloat> kspace, Index coil_count,
                                       Index samples_per_readout) {
    constexpr Index most_coils = 8;
    return Ring(straight_readouts(trajectory, samples_per_readout),
                ReadoutValues(kspace, coil_count, samples_per_readout, most_coils))
        .estimate();
}

}  // namespace recon
