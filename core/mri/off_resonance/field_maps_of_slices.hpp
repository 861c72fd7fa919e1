#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/mri/scan.hpp"

namespace recon {

/// The labels of a scan's slices, ascending, each once.
std::vector<Index> slices_of(const Scan& scan);

/// The field maps of a scan one by one, where it has any: that of each slice, or the only one.
/// @param function  gets a map [x y z], and the label of its slice; none where the map is of all frames
void for_each_field_map(const Scan& scan,
                        const std::function<void(std::span<const float> map_hz, std::optional<Index> slice)>& function);
/// The same for what changes them.
void for_each_field_map(Scan& scan,
                        const std::function<void(std::span<float> map_hz, std::optional<Index> slice)>& function);

/// Makes one map for all frames, of off-resonance or R2*, as many as there are of these slices, for they differ in the
/// other. Nothing where there are as many, or none.
void repeat_for_slices(std::vector<float>& map, const std::vector<Index>& slices, const PerAxis<Index>& matrix_size);

}  // namespace recon
