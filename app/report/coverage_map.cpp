#include "app/report/coverage_map.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
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
    std::vector<std::pair<int, int>> planes{{0, 1}, {0, 2}, {1, 2}};  // right and down
    std::erase_if(planes, [&](const auto& plane) { return matrix[plane.first] == 1 || matrix[plane.second] == 1; });
    constexpr std::size_t cells = static_cast<std::size_t>(cell_count * cell_count);
    std::vector<Index> counts(planes.size() * cells);
#pragma omp parallel
    {
        std::vector<Index> own(counts.size());
#pragma omp for schedule(static)
        for (std::size_t s = 0; s < trajectory.k[0].size(); s += step) {
            const PerAxis<Index> place{cell(0, s), cell(1, s), cell(2, s)};
            for (std::size_t plane = 0; plane < planes.size(); ++plane) {
                const auto& [right, down] = planes[plane];
                ++own[plane * cells + static_cast<std::size_t>(place[down] * cell_count + place[right])];
            }
        }
#pragma omp critical
        std::transform(own.begin(), own.end(), counts.begin(), counts.begin(), std::plus<>());
    }
    std::vector<NamedArray> maps;
    for (std::size_t plane = 0; plane < planes.size(); ++plane) {
        const std::string x = axis_names[planes[plane].first], y = axis_names[planes[plane].second];
        const auto of_plane = std::span(counts).subspan(plane * cells, cells);
        maps.push_back({"coverage/" + x + y,
                        {"k" + y, "k" + x},
                        {cell_count, cell_count},
                        std::vector<float>(of_plane.begin(), of_plane.end()),
                        ""});
    }
    return maps;
}

}  // namespace recon
