#include "core/mri/scan.hpp"

namespace recon {

PerAxis<double> Geometry::voxel_size_mm() const {
    PerAxis<double> size{};
    for (int axis = 0; axis < 3; ++axis) {
        size[axis] = field_of_view_mm[axis] / static_cast<double>(matrix_size[axis]);
    }
    return size;
}

void Frame::load() {
    if (is_on_demand() && kspace.empty()) {
        kspace = read_kspace();
    }
}

void Frame::release() {
    if (is_on_demand()) {
        kspace = std::vector<cfloat>();  // `= {}` would keep the memory
    }
}

void transform_kspace(Scan& scan, const std::function<void(Index, std::vector<cfloat>&)>& change) {
    for (std::size_t i = 0; i < scan.frames.size(); ++i) {
        Frame& frame = scan.frames[i];
        const auto index = static_cast<Index>(i);
        if (!frame.kspace.empty()) {
            change(index, frame.kspace);
        }
        if (frame.is_on_demand()) {
            frame.read_kspace = [read = std::move(frame.read_kspace), change, index] {
                std::vector<cfloat> kspace = read();
                change(index, kspace);
                return kspace;
            };
        }
    }
}

}  // namespace recon
