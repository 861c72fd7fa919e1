#include "data/formats/mrd/mrd_noise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/number_text.hpp"

namespace recon {

std::vector<cfloat> read_mrd_noise(const MrdAcquisitions& acquisitions, const MrdSorting& sorting,
                                   const MrdChannels& channels, std::vector<std::string>& notes) {
    const std::vector<MrdAcquisitions::Head>& heads = acquisitions.heads();
    const auto imaging = std::find(sorting.imaging.begin(), sorting.imaging.end(), true);
    const double dwell_us = heads[static_cast<std::size_t>(imaging - sorting.imaging.begin())].sample_time_us;
    std::vector<Index> usable;
    std::vector<std::size_t> first{0};  ///< sample of each usable acquisition, and their number
    Index unusable = 0;
    for (std::size_t i = 0; i < heads.size(); ++i) {
        if (sorting.noise[i] && channels.positions(heads[i]).empty()) {
            ++unusable;
        } else if (sorting.noise[i]) {
            usable.push_back(static_cast<Index>(i));
            first.push_back(first.back() + heads[i].number_of_samples);
        }
    }
    std::vector<cfloat> noise(first.back() * static_cast<std::size_t>(channels.count()));
    const auto keep = [&](std::size_t place, std::span<const float>, std::span<const cfloat> data) {
        const MrdAcquisitions::Head& head = heads[static_cast<std::size_t>(usable[place])];
        const double ratio = head.sample_time_us / dwell_us;
        const float scale = std::isfinite(ratio) && ratio > 0 ? static_cast<float>(std::sqrt(ratio)) : 1.0F;
        const std::vector<Index> places = channels.positions(head);
        for (std::size_t coil = 0; coil < places.size(); ++coil) {
            const auto samples =
                data.subspan(static_cast<std::size_t>(places[coil]) * head.number_of_samples, head.number_of_samples);
            std::transform(samples.begin(), samples.end(),
                           noise.begin() + static_cast<Index>(coil * first.back() + first[place]),
                           [&](const cfloat& sample) { return scale * sample; });
        }
    };
    acquisitions.visit(usable, MrdAcquisitions::Part::data, keep);
    if (!noise.empty()) {
        notes.push_back(fmt::format("read {} noise samples a coil", first.back()));
    }
    if (unusable > 0) {
        notes.push_back(fmt::format("skipped {} with other channels", counted(unusable, "noise acquisition")));
    }
    return noise;
}

}  // namespace recon
