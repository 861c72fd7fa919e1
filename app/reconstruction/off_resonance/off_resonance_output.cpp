#include "app/reconstruction/off_resonance/off_resonance_output.hpp"

#include <set>

namespace recon {
namespace {

std::vector<NamedArray> arrays_of(const OffResonanceMaps& maps, const PerAxis<Index>& matrix_size) {
    std::vector<NamedArray> arrays;
    const auto add = [&](const char* name, std::span<const float> map, const char* unit) {
        if (!map.empty()) {
            arrays.push_back({.name = name,
                              .axes = {"z", "y", "x"},
                              .extents = {matrix_size[2], matrix_size[1], matrix_size[0]},
                              .values = std::vector<float>(map.begin(), map.end()),
                              .unit = unit});
        }
    };
    add("off_resonance_hz", maps.off_resonance_hz, "Hz");
    add("relaxation_rate_per_s", maps.relaxation_rate_per_s, "1/s");
    return arrays;
}

}  // namespace

FrameArrays off_resonance_for_file(const Scan& scan, const ReconstructOptions& options) {
    FrameArrays arrays;
    std::set<Index> seen;
    for (std::size_t i = 0; i < scan.frames.size(); ++i) {
        const Index slice = scan.frames[i].label.slice;
        const bool is_new = scan.off_resonance_slices.empty() ? i == 0 : seen.insert(slice).second;
        if (is_new) {
            arrays[i] = arrays_of(options.maps_to_correct(scan, slice), scan.geometry.matrix_size);
        }
    }
    return arrays;
}

}  // namespace recon
