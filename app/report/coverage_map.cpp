#include "app/report/coverage_map.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace recon {
namespace {

constexpr Index cell_count = 64;  // along an axis
constexpr const char* axis_names[] = {"x", "y", "z"};

}  // namespace

std::vector<NamedArray> coverage_maps(const Scan& scan) {
    const PerAxis<Index>& matrix = scan.geometry.matrix_size;
    const Trajectory& trajectory = *scan.frames.front().trajectory;
    const auto cell = [&](int axis, std::size_t sample) {
        const double place = trajectory.k[axis][sample] / static_cast<double>(matrix[axis]) + 0.5;
        return std::clamp(static_cast<Index>(std::floor(place * cell_count)), Index{0}, cell_count - 1);
    };
    constexpr std::size_t enough = 2'000'000;  // samples, for a picture
    const std::size_t step = 1 + trajectory.k[0].size() / enough;
    std::vector<NamedArray> maps;
    for (const auto& [right, down] : {std::pair{0, 1}, std::pair{0, 2}, std::pair{1, 2}}) {
        if (matrix[right] == 1 || matrix[down] == 1) {
            continue;
        }
        std::vector<float> counts(static_cast<std::size_t>(cell_count * cell_count), 0);
        for (std::size_t s = 0; s < trajectory.k[0].size(); s += step) {
            ++counts[static_cast<std::size_t>(cell(down, s) * cell_count + cell(right, s))];
        }
        const std::string x = axis_names[right], y = axis_names[down];
        maps.push_back({"coverage/" + x + y, {"k" + y, "k" + x}, {cell_count, cell_count}, std::move(counts), ""});
    }
    return maps;
}

}  // namespace recon
