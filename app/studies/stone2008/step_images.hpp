#pragma once

#include <functional>
#include <vector>

#include "app/studies/stone2008/stone_devices.hpp"
#include "app/studies/stone2008/stone_image.hpp"
#include "core/mri/scan.hpp"

namespace recon::stone {

/// What the steps' images are made with, and judged by.
struct StepImageTask {
    const Frame& scan;
    const Geometry& geometry;
    const Image& prior_image;
    double lambda;  ///< of W
    std::function<ImageFigures(const std::vector<cfloat>&)> judge;
};

/// Images of the sums of each step that is asked for and fast enough, by conjugate gradients in single precision with
/// Q in Toeplitz form and lambda Q(0) W^H W beside it; first of sums in double.
/// @param report  gets `double_sums` and `steps`
void add_step_images(const StepImageTask& task, const StudyDevices& devices, ImageReport& report,
                     const std::function<void(const StepImageRow&)>& done);

}  // namespace recon::stone
