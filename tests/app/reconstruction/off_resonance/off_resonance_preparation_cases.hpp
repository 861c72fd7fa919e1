#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "app/reconstruction/off_resonance/off_resonance_preparation.hpp"
#include "core/base/log_binding.hpp"
#include "data/formats/nifti/nifti_writer.hpp"
#include "tests/support/sample_scan.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon::test {

/// A small scan, of maps that are prepared for it.
class OffResonancePreparation : public ::testing::Test {
protected:
    OffResonancePreparation() { scan.path = "scan.h5"; }

    /// A map that is linear in the position in the patient, on a grid of its own.
    std::string write_linear_map(PerAxis<Index> matrix_size, PerAxis<double> field_of_view_mm) const {
        Image image;
        image.geometry = {matrix_size, field_of_view_mm, Orientation{}};
        for (Index z = 0; z < matrix_size[2]; ++z) {
            for (Index y = 0; y < matrix_size[1]; ++y) {
                for (Index x = 0; x < matrix_size[0]; ++x) {
                    const PerAxis<Index> index{x, y, z};
                    double value = 500;
                    for (int axis = 0; axis < 3; ++axis) {
                        value += (axis + 1) * static_cast<double>(index[axis] - matrix_size[axis] / 2) *
                                 image.geometry.voxel_size_mm()[axis];
                    }
                    image.voxels.emplace_back(static_cast<float>(value));
                }
            }
        }
        write_nifti(folder / "map.nii", image);
        return folder / "map.nii";
    }
    OffResonanceOptions prepare(const OffResonanceSources& sources,
                                FieldMapOutside outside = FieldMapOutside::measured) {
        ReconstructOptions options;
        options.off_resonance.outside = outside;
        options.regularisation.scan = ScanPrior::scan;
        prepare_off_resonance(scan, sources, options);
        return options.off_resonance;
    }
    static bool has_warned(const std::string& text, std::size_t since) {
        const auto lines = log_history();
        return std::any_of(lines.begin() + static_cast<std::ptrdiff_t>(since), lines.end(),
                           [&](const std::string& line) { return line.find(text) != std::string::npos; });
    }

    Log log;
    const LogBinding bound{&log};
    TemporaryFolder folder;
    Scan scan = sample_scan();
};

}  // namespace recon::test
