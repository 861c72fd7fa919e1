#include "app/reconstruction/frames/clearest_frames.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

#include "app/reconstruction/frames/frame_division.hpp"
#include "app/reconstruction/frames/frame_series.hpp"
#include "core/base/log.hpp"
#include "core/base/quantile.hpp"
#include "core/mri/all_coils.hpp"
#include "core/mri/check/dead_parts.hpp"

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

/// What a frame shows of the coils.
struct View {
    Index silent_coils = 0;
    double clearness = 0;
};

/// Energy of the middle one of the samples at the centre of k-space over that of the middle one at the edge, which is
/// noise and what the object has of fine detail; 0 where nothing is at the centre. Spikes do not count.
double clearness(const Scan& scan, const Frame& frame) {
    constexpr double centre = 0.15, edge = 0.8;  // of the largest radius
    const std::vector<double> radii = relative_radii(*frame.trajectory);
    std::array<std::vector<std::size_t>, 2> parts;
    for (std::size_t m = 0; m < radii.size(); ++m) {
        if (radii[m] <= centre || radii[m] >= edge) {
            parts[radii[m] <= centre ? 0 : 1].push_back(m);
        }
    }
    std::array<double, 2> energy{};
    for (std::size_t part = 0; part < 2; ++part) {
        const auto of_coils = AllCoils(scan, frame.kspace).of_each([&](std::span<const cfloat> coil) {
            std::vector<double> energies;
            for (const std::size_t m : parts[part]) {
                energies.push_back(std::norm(cdouble(coil[m])));
            }
            return energies.empty() ? 0.0 : quantile(std::span(energies), 0.5);
        });
        energy[part] = std::accumulate(of_coils.begin(), of_coils.end(), 0.0);
    }
    return energy[1] > 0 ? energy[0] / energy[1] : 0;
}

View view_of(Scan& scan, std::size_t number) {
    Frame& frame = scan.frames[number];
    const bool stays = number == 0 || !frame.kspace.empty();
    frame.load();
    const View view{std::ssize(coils_of_zeros({scan, frame.kspace})), clearness(scan, frame)};
    if (!stays) {
        frame.release();
    }
    return view;
}

/// @param frames  of one slice  @param first  of them, which is taken unless another is clearly better
ClearFrames clear_frames_of(Scan& scan, const std::vector<std::size_t>& frames, std::size_t first) {
    constexpr std::size_t most_frames = 4;
    constexpr double clearly = 2;
    const auto samples = [&](std::size_t number) { return scan.frames[number].sample_count(); };
    std::map<std::size_t, View> views{{first, view_of(scan, first)}};
    ClearFrames found{first, {}};
    double to_beat = clearly * views.at(first).clearness;
    const std::size_t count = std::min(frames.size(), most_frames);
    for (std::size_t i = 1; i <= count; ++i) {
        const std::size_t number = frames[i * frames.size() / count - 1];
        if (number == first || samples(number) < samples(found.clearest)) {
            continue;
        }
        const View view = views.emplace(number, view_of(scan, number)).first->second;
        const View& best = views.at(found.clearest);
        const bool is_whole =
            samples(number) > 2 * samples(found.clearest) && view.clearness > 0;  // and the other broken off
        const bool is_better =
            view.silent_coils != best.silent_coils ? view.silent_coils < best.silent_coils : view.clearness > to_beat;
        if (is_whole || is_better) {
            to_beat = view.clearness;
            found.clearest = number;
        }
    }
    const View& best = views.at(found.clearest);
    for (const auto& [number, view] : views) {
        if (number != found.clearest && view.silent_coils == best.silent_coils &&
            view.clearness > best.clearness / clearly && 2 * samples(number) >= samples(found.clearest)) {
            found.others.push_back(number);
        }
    }
    return found;
}

}  // namespace

std::map<Index, ClearFrames> clearest_frames(Scan& scan) {
    std::map<Index, ClearFrames> clearest;
    for (const auto& [slice, frames] : frames_of_slices(scan)) {
        if (frames.size() > 1) {
            const std::size_t first = first_of_slice(scan, slice);
            clearest[slice] = clear_frames_of(scan, frames, first);
            if (clearest[slice].clearest != first) {
                log_info("coils: seen in frame {}, which has more signal beside its noise than the first of the slice",
                         clearest[slice].clearest);
            }
        }
    }
    return clearest;
}

}  // namespace recon
