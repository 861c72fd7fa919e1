#include "app/reconstruction/scan_prior/evidence/series_shells.hpp"

#include <algorithm>
#include <span>

#include "core/mri/coil_parts.hpp"
#include "core/mri/priors/kspace_shells.hpp"
#include "core/mri/priors/spectrum_stretch.hpp"

namespace recon {
namespace {

/// More tell little: the spectrum is then known far better than a frame follows it.
constexpr std::size_t most_frames = 8;

/// Energies of samples of the coils that are here, added to `energies`.
void add_energies(const Frame& frame, std::span<double> energies) {
    const std::size_t samples = energies.size();
#pragma omp parallel for schedule(static)
    for (std::size_t m = 0; m < samples; ++m) {
        for (std::size_t value = m; value < frame.kspace.size(); value += samples) {
            energies[m] += std::norm(cdouble(frame.kspace[value]));
        }
    }
}

/// Of some frames, spread over the members, their sums of energies by sample.
std::vector<double> energies_of(const std::vector<Frame*>& members, std::size_t frame_count) {
    std::vector<double> energies(static_cast<std::size_t>(members.front()->sample_count()));
    for (std::size_t i = 0; i < frame_count; ++i) {
        Frame& frame = *members[i * members.size() / frame_count];
        frame.load();
        add_energies(frame, energies);
        frame.release();
    }
    return energies;
}

/// That of the frames together: as many samples, each measured by all coils of all frames.
PerAxis<double> stretch_of(const Scan& scan, const Trajectory& trajectory, std::span<const double> energies,
                           std::size_t frame_count) {
    const Geometry& geometry = scan.geometry;
    const KspaceShells shells(trajectory, geometry.matrix_size, geometry.field_of_view_mm);
    KspaceCells cells(geometry.matrix_size, shells.factors());
    cells.add(trajectory, energies, {});
    parts_of(scan).ranks.all_reduce_sum(std::span<double>(cells.energy));
    return spectrum_stretch(cells, static_cast<double>(scan.coil_count) * static_cast<double>(frame_count));
}

}  // namespace

SeriesShells::SeriesShells(Scan& scan) {
    std::map<Key, std::vector<Frame*>> members;
    for (Frame& frame : scan.frames) {
        members[key_of(frame)].push_back(&frame);
    }
    for (const Frame& first : scan.frames) {  // in an order that all processes have
        const std::vector<Frame*>& frames = members.at(key_of(first));
        if (frames.size() == 1 || frames.front() != &first) {
            continue;
        }
        const std::size_t count = std::min(frames.size(), most_frames);
        const Trajectory& trajectory = *first.trajectory;
        const std::vector<double> energies = energies_of(frames, count);
        Group& group = groups_[key_of(first)];
        group.frame_count = static_cast<Index>(count);
        group.stretch = stretch_of(scan, trajectory, energies, count);
        const KspaceShells shells(trajectory, scan.geometry.matrix_size, scan.geometry.field_of_view_mm, group.stretch);
        group.energy = shells.sums(shells.shells_of(trajectory), [&](std::size_t m) { return energies[m]; });
        parts_of(scan).ranks.all_reduce_sum(group.energy);
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
