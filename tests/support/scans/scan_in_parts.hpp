#pragma once

#include <memory>

#include "core/mri/coil_parts.hpp"
#include "tests/support/sample_scan.hpp"

namespace recon::test {

/// The scan as if it were read by coils from a file.
inline Scan scan_in_parts(Scan scan) {
    const auto reader = [count = scan.coil_count](std::vector<cfloat> values) {
        return [count, all = std::make_shared<const std::vector<cfloat>>(std::move(values))](const Share& coils) {
            const Index length = std::ssize(*all) / count;
            return std::vector<cfloat>(all->begin() + coils.first * length,
                                       all->begin() + (coils.first + coils.count) * length);
        };
    };
    for (Frame& frame : scan.frames) {
        frame.read_coils = reader(std::move(frame.kspace));
        frame.read_kspace = [read = frame.read_coils, count = scan.coil_count] { return read({0, count}); };
        frame.kspace.clear();
    }
    if (!scan.coil_maps.empty()) {
        scan.read_coil_maps = reader(std::move(scan.coil_maps));
        scan.coil_maps.clear();
    }
    return scan;
}

}  // namespace recon::test
