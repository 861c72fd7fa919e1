#pragma once

#include <ostream>
#include <random>
#include <tuple>

#include "core/backend/backend.hpp"
#include "core/fourier/direct_sums.hpp"
#include "tests/support/random.hpp"

namespace recon::test {

struct PositionSumsCase {
    Index sample_count;
    Index position_count;
    Precision precision;

    friend std::ostream& operator<<(std::ostream& out, const PositionSumsCase& c) {
        return out << c.sample_count << "_samples_" << c.position_count << "_positions_" << name_of(c.precision);
    }
};

/// One of each, primes, and both sides of the lengths of tiles and blocks.
inline std::vector<PositionSumsCase> position_sums_cases() {
    std::vector<PositionSumsCase> cases;
    for (const auto& [samples, positions] : std::initializer_list<std::pair<Index, Index>>{
             {1, 1}, {1, 67}, {127, 1}, {128, 64}, {513, 509}, {1021, 521}, {2053, 1031}}) {
        cases.push_back({samples, positions, Precision::single});
        cases.push_back({samples, positions, Precision::double_});
    }
    return cases;
}

/// Random positions within the field of view and a little beyond, and a trajectory of a 64 x 48 x 32 matrix; all of
/// them floats, as in files.
struct PositionSumsData {
    explicit PositionSumsData(const PositionSumsCase& sizes)
        : trajectory(random_trajectory(sizes.sample_count, {64, 48, 32}, 21)),
          samples(random_values(sizes.sample_count, 22)) {
        std::mt19937 generator(23);
        std::uniform_real_distribution<double> uniform(-0.6, 0.6);
        for (int axis = 0; axis < 3; ++axis) {
            positions.r[axis].resize(sizes.position_count);
            for (double& r : positions.r[axis]) {
                r = static_cast<float>(uniform(generator));
            }
            for (double& k : trajectory.k[axis]) {
                k = static_cast<float>(k);
            }
        }
        for (cdouble& value : samples) {
            value = cdouble(cfloat(value));
        }
    }

    Trajectory trajectory;
    Positions positions;
    std::vector<cdouble> samples;
};

/// The sums as a plan of `backend` gives them.
inline std::vector<cdouble> position_sums(Backend& backend, const PositionSumsData& data, Precision precision) {
    Array samples(backend, Shape::samples(data.trajectory.sample_count()), precision);
    Array result(backend, {{"position", data.positions.count()}}, precision);
    upload(data.samples, samples);
    backend.make_position_sums(data.trajectory, data.positions, precision)->adjoint(samples, result);
    return download<double>(result);
}

}  // namespace recon::test
