#include "app/reconstruction/off_resonance/off_resonance_output.hpp"

namespace recon {

std::vector<NamedArray> off_resonance_for_file(const OffResonanceMaps& maps, const PerAxis<Index>& matrix_size) {
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

}  // namespace recon
