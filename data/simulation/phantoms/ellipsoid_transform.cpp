#include "data/simulation/phantoms/ellipsoid_transform.hpp"

#include <math.h>
#include <omp.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace recon {
namespace {

/// Samples handled together: long enough for vector instructions, short enough for the caches.
constexpr int block_length = 128;
using Block = std::array<double, block_length>;

/// sin(2 pi x) and cos(2 pi x), to about 1e-15, written so that the compiler turns a loop of it into vector
/// instructions: x is reduced to [-1/2, 1/2] turns, then halved twice into the range of the Taylor series, whose result
/// is doubled again by sin 2a = 2 sin a cos a, cos 2a = 1 - 2 sin^2 a.
inline void sine_and_cosine_of_turns(double x, double& sine, double& cosine) {
    constexpr double round_to_integer = 6755399441055744.0;  // 1.5 * 2^52
    const double turns = x - ((x + round_to_integer) - round_to_integer);
    const double a = turns * (pi / 2);  // a quarter of the angle: |a| <= pi/4
    const double b = a * a;
    const double s =
        a * (1 + b * (-1.0 / 6 + b * (1.0 / 120 +
                                      b * (-1.0 / 5040 + b * (1.0 / 362880 + b * (-1.0 / 39916800 +
                                                                                  b * (1.0 / 6227020800 -
                                                                                       b * (1.0 / 1307674368000))))))));
    const double c =
        1 + b * (-1.0 / 2 +
                 b * (1.0 / 24 +
                      b * (-1.0 / 720 +
                           b * (1.0 / 40320 +
                                b * (-1.0 / 3628800 +
                                     b * (1.0 / 479001600 + b * (-1.0 / 87178291200 + b * (1.0 / 20922789888000))))))));
    const double s2 = 2 * s * c;
    const double c2 = 1 - 2 * s * s;
    sine = 2 * s2 * c2;
    cosine = 1 - 2 * s2 * s2;
}

/// 3 (sin u - u cos u) / u^3, from u^2; its power series near zero, where the difference would lose digits.
inline double ball(double u_squared) {
    const double safe = std::max(u_squared, 0.25);
    const double u = std::sqrt(safe);
    double sine = 0;
    double cosine = 0;
    sine_and_cosine_of_turns(u * (1 / (2 * pi)), sine, cosine);
    const double far = 3 * (sine - u * cosine) / (safe * u);
    const double v = u_squared;
    const double near =
        1 - v * (1.0 / 10) * (1 - v * (1.0 / 28) * (1 - v * (1.0 / 54) * (1 - v * (1.0 / 88) * (1 - v * (1.0 / 130)))));
    return u_squared < 0.25 ? near : far;
}

double disc(double u_squared) {
    const double u = std::sqrt(u_squared);
    return u < 1e-4 ? 1 - u_squared / 8 : 2 * ::j1(u) / u;
}

double interval(double u_squared) {
    const double u = std::sqrt(u_squared);
    return u < 1e-4 ? 1 - u_squared / 6 : std::sin(u) / u;
}

/// One block of samples: F(k - q) for every frequency q, weighted into every map.
class BlockTransform {
public:
    BlockTransform(const EllipsoidPhantom& phantom, const TrigonometricMaps& maps)
        : phantom_(phantom),
          maps_(maps),
          base_cosine_(phantom.sections().size()),
          base_sine_(phantom.sections().size()) {}

    void run(const Trajectory& trajectory, Index first, int length, std::vector<cdouble>& result) {
        const Index sample_count = trajectory.sample_count();
        std::array<Block, 3> k{};
        for (int axis = 0; axis < 3; ++axis) {
            std::copy_n(trajectory.k[axis].begin() + first, length, k[axis].begin());
        }
        fill_base_phases(k);
        for (std::size_t q = 0; q < maps_.frequencies.size(); ++q) {
            std::array<Block, 3> shifted = k;
            for (int axis = 0; axis < 3; ++axis) {
                for (double& value : shifted[axis]) {
                    value -= maps_.frequencies[q][axis];
                }
            }
            fill_sums(shifted, maps_.frequencies[q]);
            for (Index map = 0; map < maps_.map_count; ++map) {
                const cdouble a = maps_.coefficients[map * static_cast<Index>(maps_.frequencies.size()) + q];
                cdouble* out = result.data() + map * sample_count + first;
                for (int i = 0; i < length; ++i) {
                    out[i] +=
                        cdouble(a.real() * real_[i] - a.imag() * imag_[i], a.real() * imag_[i] + a.imag() * real_[i]);
                }
            }
        }
    }

private:
    void fill_base_phases(const std::array<Block, 3>& k) {
        const auto sections = phantom_.sections();
        for (std::size_t e = 0; e < sections.size(); ++e) {
            const PerAxis<double> c = sections[e].centre;
            for (int i = 0; i < block_length; ++i) {
                sine_and_cosine_of_turns(-(k[0][i] * c[0] + k[1][i] * c[1] + k[2][i] * c[2]), base_sine_[e][i],
                                         base_cosine_[e][i]);
            }
        }
    }

    /// real_ + i imag_ = F(k - q)
    void fill_sums(const std::array<Block, 3>& k, const PerAxis<double>& q) {
        real_.fill(0);
        imag_.fill(0);
        const auto sections = phantom_.sections();
        for (std::size_t e = 0; e < sections.size(); ++e) {
            const EllipsoidPhantom::Section& section = sections[e];
            fill_radial(section, k);
            double sine = 0;
            double cosine = 0;
            const PerAxis<double>& c = section.centre;
            sine_and_cosine_of_turns(q[0] * c[0] + q[1] * c[1] + q[2] * c[2], sine, cosine);
            const Block& base_cosine = base_cosine_[e];
            const Block& base_sine = base_sine_[e];
            for (int i = 0; i < block_length; ++i) {
                real_[i] += radial_[i] * (base_cosine[i] * cosine - base_sine[i] * sine);
                imag_[i] += radial_[i] * (base_sine[i] * cosine + base_cosine[i] * sine);
            }
        }
        const PerAxis<double>& sigma = phantom_.edge_sigma();
        if (sigma[0] + sigma[1] + sigma[2] > 0) {
            for (int i = 0; i < block_length; ++i) {
                double exponent = 0;
                for (int axis = 0; axis < 3; ++axis) {
                    exponent += sigma[axis] * sigma[axis] * k[axis][i] * k[axis][i];
                }
                const double factor = std::exp(-2 * pi * pi * exponent);
                real_[i] *= factor;
                imag_[i] *= factor;
            }
        }
    }

    void fill_radial(const EllipsoidPhantom::Section& section, const std::array<Block, 3>& k) {
        std::array<double, 6> m = section.squared;
        for (double& value : m) {
            value *= 4 * pi * pi;
        }
        for (int i = 0; i < block_length; ++i) {
            radial_[i] = m[0] * k[0][i] * k[0][i] + m[1] * k[1][i] * k[1][i] + m[2] * k[2][i] * k[2][i] +
                         2 * (m[3] * k[0][i] * k[1][i] + m[4] * k[0][i] * k[2][i] + m[5] * k[1][i] * k[2][i]);
        }
        if (section.dimension == 3) {
            for (int i = 0; i < block_length; ++i) {
                radial_[i] = section.weight * ball(radial_[i]);
            }
        } else {
            const auto shape = section.dimension == 2 ? disc : interval;
            for (double& value : radial_) {
                value = section.weight * shape(std::max(value, 0.0));
            }
        }
    }

    const EllipsoidPhantom& phantom_;
    const TrigonometricMaps& maps_;
    std::vector<Block> base_cosine_;  ///< exp(-i 2 pi k.centre) of each ellipsoid
    std::vector<Block> base_sine_;
    Block radial_{};
    Block real_{};
    Block imag_{};
};

}  // namespace

std::vector<cdouble> transform(const EllipsoidPhantom& phantom, const TrigonometricMaps& maps,
                               const Trajectory& trajectory) {
    const Index sample_count = trajectory.sample_count();
    std::vector<cdouble> result(sample_count * maps.map_count);
    const Index block_count = (sample_count + block_length - 1) / block_length;
    // Made here: an allocation that fails must not throw inside the parallel loop.
    std::vector<BlockTransform> workers(omp_get_max_threads(), BlockTransform(phantom, maps));
#pragma omp parallel for schedule(static)
    for (Index block = 0; block < block_count; ++block) {
        const Index first = block * block_length;
        const int length = static_cast<int>(std::min<Index>(block_length, sample_count - first));
        workers[omp_get_thread_num()].run(trajectory, first, length, result);
    }
    return result;
}

}  // namespace recon
