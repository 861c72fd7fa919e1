#include "app/reconstruction/scan_prior/evidence/series_shells.hpp"

#include <algorithm>
#include <functional>
#include <set>

#include "core/mri/coil_parts.hpp"
#include "core/mri/priors/kspace_shells.hpp"

namespace recon {
namespace {

/// More tell little: the spectrum is then known far better than a frame follows it.
constexpr std::size_t most_frames = 8;

/// Energies of a frame's k-space by shell, of the coils that are here.
std::vector<double> energies_of(const Scan& scan, const Frame& frame) {
    const KspaceShells shells(*frame.trajectory, scan.geometry.matrix_size, scan.geometry.field_of_view_mm);
    const auto samples = static_cast<std::size_t>(frame.sample_count());
    return shells.sums(shells.shells_of(*frame.trajectory), [&](std::size_t m) {
        double energy = 0;
        for (std::size_t value = m; value < frame.kspace.size(); value += samples) {
            energy += std::norm(cdouble(frame.kspace[value]));
        }
        return energy;
    });
}

}  // namespace

SeriesShells::SeriesShells(Scan& scan) {
    std::map<Key, std::vector<Frame*>> members;
    for (Frame& frame : scan.frames) {
        members[key_of(frame)].push_back(&frame);
    }
    for (const auto& [key, frames] : members) {
        if (frames.size() == 1) {
            continue;
        }
        Group& group = groups_[key];
        const std::size_t count = std::min(frames.size(), most_frames);
        for (std::size_t i = 0; i < count; ++i) {
            Frame& frame = *frames[i * frames.size() / count];
            frame.load();
            const std::vector<double> energies = energies_of(scan, frame);
            frame.release();
            group.energy.resize(energies.size());
            std::transform(energies.begin(), energies.end(), group.energy.begin(), group.energy.begin(), std::plus<>());
        }
        group.frame_count = static_cast<Index>(count);
    }
    std::set<const Group*> summed;
    for (const Frame& frame : scan.frames) {  // in an order that all processes have
        const auto found = groups_.find(key_of(frame));
        if (found != groups_.end() && summed.insert(&found->second).second) {
            parts_of(scan).ranks.all_reduce_sum(found->second.energy);
        }
    }
}

const SeriesShells::Group* SeriesShells::of(const Frame& frame) const {
    const auto found = groups_.find(key_of(frame));
    return found == groups_.end() ? nullptr : &found->second;
}

SeriesShells::Key SeriesShells::key_of(const Frame& frame) {
    const FrameLabel& label = frame.label;
    return {frame.trajectory.get(), label.contrast, label.set, label.slice};
}

std::unique_ptr<const SeriesShells> series_shells(Scan& scan, const ReconstructOptions& options) {
    const RegularisationOptions& asked = options.regularisation;
    const bool reads_prior = asked.scan != ScanPrior::none && !asked.coupling_term() && scan.frames.size() > 1;
    return reads_prior ? std::make_unique<const SeriesShells>(scan) : nullptr;
}

}  // namespace recon
