#include "app/report/uncertainty_picture.hpp"

#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "data/pictures/montage.hpp"

namespace recon {

Picture uncertainty_picture(const Image& image, std::span<const NamedArray> extras) {
    const std::map<std::string, std::string> titles = {{"uncertainty/sd", "standard deviation"},
                                                       {"uncertainty/noise_sd", "by noise alone"},
                                                       {"uncertainty/g_factor", "g-factor"}};
    const std::span<const cfloat> voxels = image.frame(0);
    std::deque<Image> images{{image.geometry, {image.frames.front()}, {voxels.begin(), voxels.end()}}};
    std::vector<MontagePanel> panels{{"image", &images.front(), PanelScale::as_it_is}};
    for (const NamedArray& extra : extras) {
        const auto title = titles.find(extra.name);
        if (title != titles.end()) {
            const auto& values = std::get<std::vector<float>>(extra.values);
            images.push_back({image.geometry, {image.frames.front()}, {values.begin(), values.end()}});
            panels.push_back({title->second, &images.back(), PanelScale::as_it_is});
        }
    }
    return montage(panels, std::nullopt);
}

}  // namespace recon
