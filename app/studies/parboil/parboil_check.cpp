#include "app/studies/parboil/parboil_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"

namespace recon {

ParboilCheck check_as_parboil(std::span<const cfloat> found, std::span<const cfloat> expected) {
    if (found.size() != expected.size()) {
        throw InputError(fmt::format("the reference holds {} voxels, the result {}", expected.size(), found.size()));
    }
    constexpr double of_largest = 1e-4;
    constexpr double of_each = 0.002;
    ParboilCheck check{0, 0, 0, 0, 2 * static_cast<Index>(found.size())};
    for (const auto part : {+[](cfloat v) { return double{v.real()}; }, +[](cfloat v) { return double{v.imag()}; }}) {
        double largest = 0;
        for (const cfloat value : expected) {
            largest = std::max(largest, std::abs(part(value)));
        }
        for (std::size_t n = 0; n < found.size(); ++n) {
            const double difference = std::abs(part(found[n]) - part(expected[n]));
            const bool right = difference <= of_largest * largest || difference < of_each * std::abs(part(expected[n]));
            check.wrong_count += right ? 0 : 1;  // a number that is not finite is wrong
            check.largest_difference = std::fmax(check.largest_difference, difference);
        }
    }
    double error = 0;
    double energy = 0;
    for (std::size_t n = 0; n < found.size(); ++n) {
        error += std::norm(cdouble(found[n]) - cdouble(expected[n]));
        energy += std::norm(cdouble(expected[n]));
        check.largest_expected = std::max(check.largest_expected, std::abs(cdouble(expected[n])));
    }
    check.relative_difference = energy > 0 ? std::sqrt(error / energy) : std::sqrt(error);
    return check;
}

}  // namespace recon
