#include "app/reconstruction/frames/clearest_frames.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "app/reconstruction/frames/frame_division.hpp"
#include "app/reconstruction/frames/frame_series.hpp"
#include "core/base/log.hpp"
#include "core/mri/coil_parts.hpp"

namespace recon {
namespace {

/// Distances of samples from k = 0, along each axis relative to the largest.
std::vector<double> relative_radii(const Trajectory& trajectory) {
    std::vector<double> radii(static_cast<std::size_t>(trajectory.sample_count()), 0.0);
    for (const std::vector<double>& k : trajectory.k) {
        double edge = 0;
        for (const double value : k) {
            edge = std::max(edge, std::abs(value));
        }
        for (std::size_t m = 0; m < radii.size() && edge > 0; ++m) {
            radii[m] = std::hypot(radii[m], k[m] / edge);
        }
    }
    return radii;
}

/// Energy of a sample at the centre of k-space over that of one at the edge, which is noise and what the object has of
/// fine detail; 0 where nothing is at the centre.
double clearness(const Scan& scan, const Frame& frame) {
    constexpr double centre = 0.15, edge = 0.8;  // of the largest radius
    const std::vector<double> radii = relative_radii(*frame.trajectory);
    std::array<double, 2> energy{}, count{};
    for (std::size_t m = 0; m < radii.size(); ++m) {
        if (radii[m] > centre && radii[m] < edge) {
            continue;
        }
        const std::size_t part = radii[m] <= centre ? 0 : 1;
        ++count[part];
        for (std::size_t value = m; value < frame.kspace.size(); value += radii.size()) {
            energy[part] += std::norm(cdouble(frame.kspace[value]));
        }
    }
    parts_of(scan).ranks.all_reduce_sum(std::span<double>(energy));
    const double of_edge = energy[1] * count[0];
    return of_edge > 0 ? energy[0] * count[1] / of_edge : 0;
}

double clearness(Scan& scan, std::size_t number) {
    Frame& frame = scan.frames[number];
    const bool stays = number == 0 || !frame.kspace.empty();
    frame.load();
    const double result = clearness(scan, frame);
    if (!stays) {
        frame.release();
    }
    return result;
}

/// @param frames  of one slice  @param first  of them, which is taken unless another is clearly better
std::size_t clearest_of(Scan& scan, const std::vector<std::size_t>& frames, std::size_t first) {
    constexpr std::size_t most_frames = 4;
    constexpr double clearly = 2;
    double best = clearly * clearness(scan, first);
    std::size_t clearest = first;
    const std::size_t count = std::min(frames.size(), most_frames);
    for (std::size_t i = 1; i <= count; ++i) {
        const std::size_t number = frames[i * frames.size() / count - 1];
        if (number == first || scan.frames[number].sample_count() < scan.frames[first].sample_count()) {
            continue;
        }
        const double found = clearness(scan, number);
        if (found > best) {
            best = found;
            clearest = number;
        }
    }
    return clearest;
}

}  // namespace

std::map<Index, std::size_t> clearest_frames(Scan& scan) {
    std::map<Index, std::size_t> clearest;
    for (const auto& [slice, frames] : frames_of_slices(scan)) {
        if (frames.size() > 1) {
            const std::size_t first = first_of_slice(scan, slice);
            clearest[slice] = clearest_of(scan, frames, first);
            if (clearest[slice] != first) {
                log_info("coils: seen in frame {}, which has more signal beside its noise than the first of the slice",
                         clearest[slice] + 1);
            }
        }
    }
    return clearest;
}

}  // namespace recon
