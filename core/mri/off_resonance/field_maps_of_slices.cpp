#include "core/mri/off_resonance/field_maps_of_slices.hpp"

#include <set>

#include "core/base/shape.hpp"

namespace recon {
namespace {

template <class Map, class Function>
void for_each(std::span<Map> maps, const std::vector<Index>& slices, const Function& function) {
    if (maps.empty()) {
        return;
    }
    if (slices.empty()) {
        function(maps, std::nullopt);
        return;
    }
    const std::size_t of_one = maps.size() / slices.size();
    for (std::size_t i = 0; i < slices.size(); ++i) {
        function(maps.subspan(i * of_one, of_one), slices[i]);
    }
}

}  // namespace

std::vector<Index> slices_of(const Scan& scan) {
    std::set<Index> slices;
    for (const Frame& frame : scan.frames) {
        slices.insert(frame.label.slice);
    }
    return {slices.begin(), slices.end()};
}

void for_each_field_map(
    const Scan& scan, const std::function<void(std::span<const float> map_hz, std::optional<Index> slice)>& function) {
    for_each(std::span(scan.off_resonance_hz), scan.off_resonance_slices, function);
}

void for_each_field_map(Scan& scan,
                        const std::function<void(std::span<float> map_hz, std::optional<Index> slice)>& function) {
    for_each(std::span(scan.off_resonance_hz), scan.off_resonance_slices, function);
}

void repeat_for_slices(std::vector<float>& map, const std::vector<Index>& slices, const PerAxis<Index>& matrix_size) {
    const auto of_one = static_cast<std::size_t>(Shape::image(matrix_size).element_count());
    if (map.size() != of_one) {
        return;
    }
    map.reserve(slices.size() * of_one);
    for (std::size_t i = 1; i < slices.size(); ++i) {
        map.insert(map.end(), map.begin(), map.begin() + static_cast<std::ptrdiff_t>(of_one));
    }
}

}  // namespace recon
