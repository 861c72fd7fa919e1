#include "data/formats/mrd/mrd_scan_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <set>

#include "core/base/error.hpp"
#include "core/base/host_pages.hpp"
#include "core/base/log.hpp"
#include "core/base/number_text.hpp"
#include "core/parallel/share.hpp"
#include "data/formats/mrd/mrd_completeness.hpp"
#include "data/formats/mrd/mrd_noise.hpp"
#include "data/formats/mrd/mrd_orientation.hpp"
#include "data/formats/mrd/mrd_trajectory_source.hpp"

namespace recon {
namespace {

using Head = MrdAcquisitions::Head;

Index kept_samples(const Head& head) {
    return Index{head.number_of_samples} - Index{head.discard_pre} - Index{head.discard_post};
}

/// Where each acquisition's first kept sample goes in its frame.
std::vector<Index> first_samples(const std::vector<Head>& heads, const std::vector<Index>& members) {
    std::vector<Index> first;
    Index samples = 0;
    for (const Index i : members) {
        first.push_back(samples);
        samples += kept_samples(heads[static_cast<std::size_t>(i)]);
    }
    first.push_back(samples);  // their number
    return first;
}

/// K-space [sample coil] of the acquisitions of one frame; they hold all coils each, of which some are kept.
std::vector<cfloat> read_frame_kspace(const MrdAcquisitions& acquisitions, const std::vector<Index>& members,
                                      const MrdChannels& channels, const Share& coils) {
    const std::vector<Head>& heads = acquisitions.heads();
    const std::vector<Index> first = first_samples(heads, members);
    auto kspace = unwritten_vector<cfloat>(static_cast<std::size_t>(first.back() * coils.count));
    const auto place = [&](std::size_t member, std::span<const float>, std::span<const cfloat> data) {
        const Head& head = heads[static_cast<std::size_t>(members[member])];
        const std::vector<Index> positions = channels.positions(head);
        for (Index coil = 0; coil < coils.count; ++coil) {
            const auto to = kspace.begin() + coil * first.back() + first[member];
            if (positions.empty()) {
                std::fill_n(to, kept_samples(head), cfloat());
                continue;
            }
            const Index position = positions[static_cast<std::size_t>(coils.first + coil)];
            std::copy_n(data.begin() + position * head.number_of_samples + head.discard_pre, kept_samples(head), to);
        }
    };
    acquisitions.visit(members, MrdAcquisitions::Part::data, place);
    return kspace;
}

void note_recon_space(const ISMRMRD::Encoding& encoding, StoredScan& stored) {
    const auto& recon = encoding.reconSpace.matrixSize;
    const PerAxis<Index>& matrix = stored.scan.geometry.matrix_size;
    if (recon.x != matrix[0] || recon.y != matrix[1] || recon.z != matrix[2]) {
        stored.notes.push_back(fmt::format(
            "reconstructing the encoded space, {} x {} x {}; the header's recon space is {} x {} "
            "x {} over {} x {} x {} mm (`matrix`, `fov`)",
            matrix[0], matrix[1], matrix[2], recon.x, recon.y, recon.z, encoding.reconSpace.fieldOfView_mm.x,
            encoding.reconSpace.fieldOfView_mm.y, encoding.reconSpace.fieldOfView_mm.z));
    }
}

class Builder {
public:
    Builder(const std::string& path, std::shared_ptr<const MrdAcquisitions> acquisitions,
            const ISMRMRD::IsmrmrdHeader& header, const MrdSorting& sorting, bool has_other_positions)
        : path_(path),
          open_acquisitions_(std::move(acquisitions)),
          acquisitions_(*open_acquisitions_),
          heads_(acquisitions_.heads()),
          header_(header),
          sorting_(sorting),
          channels_(std::make_shared<const MrdChannels>(heads_, sorting.imaging, path)) {
        if (static_cast<std::size_t>(sorting.encoding_space) >= header.encoding.size()) {
            throw InputError(fmt::format("{}: acquisitions refer to encoding space {}, but the header describes {}",
                                         path, sorting.encoding_space, header.encoding.size()));
        }
        encoding_ = &header.encoding[static_cast<std::size_t>(sorting.encoding_space)];
        stored_.scan.geometry = encoded_geometry(*encoding_);
        stored_.scan.coil_count = channels_->count();
        stored_.notes = sorting.notes;
        const MrdCompleteness completeness = completeness_of(heads_, sorting, *encoding_);
        stored_.notes.insert(stored_.notes.end(), completeness.notes.begin(), completeness.notes.end());
        for (const std::string& warning : completeness.warnings) {
            log_warning("{}: {}", path, warning);
        }
        source_.emplace(path, acquisitions_, sorting, *encoding_, has_other_positions,
                        stored_.scan.geometry.matrix_size, stored_.notes);
        stored_.z_in_cycles_per_fov = source_->z_from_step();
    }

    StoredScan build(const std::vector<FrameLabel>& labels) {
        state_unit();
        for (const FrameLabel& label : labels) {
            stored_.scan.frames.push_back(frame_of(label, sorting_.frames.at(label)));
        }
        stored_.frames_alternate = frames_alternate(sorting_, labels);
        add_calibration();
        place_in_patient();
        set_readout_length(labels);
        note_times();
        stored_.scan.noise = read_mrd_noise(acquisitions_, sorting_, *channels_, stored_.notes);
        return std::move(stored_);
    }

private:
    void note_times() {
        const Frame& first = stored_.scan.frames[0];
        if (!echo_time_s(header_, first.label.contrast) && !first.sample_times_s.empty()) {
            stored_.notes.emplace_back(
                "the header has no echo time: sample times count from the centre of each readout");
        }
    }

    void state_unit() {
        if (source_->is_cartesian()) {
            stored_.stated_unit = TrajectoryUnit::cycles_per_fov;
            stored_.stated_where = "the counters of the acquisitions";
            return;
        }
        const std::optional<std::string> text = user_string(header_, "trajectory_unit");
        if (text) {
            stored_.stated_unit = recognise_trajectory_unit(*text);
            stored_.stated_where = "user parameter trajectory_unit of the header";
            if (!stored_.stated_unit) {
                log_warning("{}: trajectory_unit \"{}\" in the header is not known; trying the range", path_, *text);
            }
        }
    }

    Frame frame_of(const FrameLabel& label, const std::vector<Index>& members) {
        Frame frame;
        frame.label = label;
        frame.trajectory = trajectories_.shared(read_trajectory(members));
        frame.sample_times_s = times_.shared(sample_times(members));
        frame.read_coils = [acquisitions = open_acquisitions_, members, channels = channels_](const Share& coils) {
            return read_frame_kspace(*acquisitions, members, *channels, coils);
        };
        frame.read_kspace = [read = frame.read_coils, count = channels_->count()] { return read({0, count}); };
        return frame;
    }

    /// Whether an acquisition for calibration can be placed beside those of a frame.
    bool calibrates(const Head& head, const Head& imaging) const {
        const std::optional<Orientation> own = mrd_orientation(head), of_image = mrd_orientation(imaging);
        const bool same_place = !own || !of_image || lie_alike(*own, *of_image);
        return Index{head.encoding_space_ref} == sorting_.encoding_space && kept_samples(head) > 0 && same_place &&
               (source_->is_cartesian() || head.trajectory_dimensions > 0) && !channels_->positions(head).empty();
    }

    /// Calibration that was measured apart, of the slices that are read.
    void add_calibration() {
        Index taken = 0, skipped = 0;
        for (const auto& [slice, acquisitions] : sorting_.calibration) {
            const auto image =
                std::ranges::find(stored_.scan.frames, slice, [](const Frame& f) { return f.label.slice; });
            std::vector<Index> members;
            if (image != stored_.scan.frames.end()) {
                const Head& imaging = heads_[static_cast<std::size_t>(sorting_.frames.at(image->label)[0])];
                std::ranges::copy_if(acquisitions, std::back_inserter(members),
                                     [&](Index i) { return calibrates(heads_[static_cast<std::size_t>(i)], imaging); });
            }
            taken += std::ssize(members);
            skipped += std::ssize(acquisitions) - std::ssize(members);
            if (!members.empty()) {
                Frame frame = frame_of({.slice = slice}, members);
                frame.read_coils = nullptr;
                stored_.scan.calibration.push_back(std::move(frame));
            }
        }
        if (taken > 0) {
            stored_.notes.push_back(fmt::format("for coil maps alone, as measured apart: {}",
                                                counted(taken, "parallel imaging calibration acquisition")));
        }
        if (skipped > 0) {
            stored_.notes.push_back(
                fmt::format("skipped {}", counted(skipped, "parallel imaging calibration acquisition")));
        }
    }

    std::shared_ptr<const Trajectory> read_trajectory(const std::vector<Index>& members) const {
        const std::vector<Index> first = first_samples(heads_, members);
        auto trajectory = std::make_shared<Trajectory>();
        for (auto& component : trajectory->k) {
            component = unwritten_vector<double>(static_cast<std::size_t>(first.back()));
        }
        const auto place = [&](std::size_t member, std::span<const float> positions, std::span<const cfloat>) {
            const Head& head = heads_[static_cast<std::size_t>(members[member])];
            for (Index s = 0; s < kept_samples(head); ++s) {
                const PerAxis<double> k = source_->position(head, head.discard_pre + s, positions);
                for (std::size_t axis = 0; axis < 3; ++axis) {
                    trajectory->k[axis][static_cast<std::size_t>(first[member] + s)] = k[axis];
                }
            }
        };
        acquisitions_.visit(members, MrdAcquisitions::Part::trajectory, place);
        return trajectory;
    }

    /// Empty where an acquisition does not say how long a sample takes.
    std::vector<float> sample_times(const std::vector<Index>& members) const {
        std::vector<float> times;
        for (const Index i : members) {
            const Head& head = heads_[static_cast<std::size_t>(i)];
            if (!(std::isfinite(head.sample_time_us) && head.sample_time_us > 0)) {
                return {};
            }
            const double echo_time = echo_time_s(header_, head.idx.contrast).value_or(0);
            for (Index s = head.discard_pre; s < Index{head.number_of_samples} - head.discard_post; ++s) {
                const auto from_centre = static_cast<double>(s - source_->centre_sample(head));
                times.push_back(static_cast<float>(echo_time + from_centre * head.sample_time_us * 1e-6));
            }
        }
        return times;
    }

    void place_in_patient() {
        Scan& scan = stored_.scan;
        for (Frame& frame : scan.frames) {
            frame.orientation = mrd_orientation(heads_[static_cast<std::size_t>(sorting_.frames.at(frame.label)[0])]);
        }
        scan.geometry.orientation = scan.frames[0].orientation;
        const auto same = [&](const Frame& frame) { return frame.orientation == scan.geometry.orientation; };
        if (std::all_of(scan.frames.begin(), scan.frames.end(), same)) {
            for (Frame& frame : scan.frames) {
                frame.orientation.reset();
            }
        }
    }

    void set_readout_length(const std::vector<FrameLabel>& labels) {
        Index length = 0;
        for (const FrameLabel& label : labels) {
            for (const Index i : sorting_.frames.at(label)) {
                const Index here = kept_samples(heads_[static_cast<std::size_t>(i)]);
                if (length != 0 && here != length) {
                    return;
                }
                length = here;
            }
        }
        stored_.scan.samples_per_readout = length;
    }

    const std::string& path_;
    std::shared_ptr<const MrdAcquisitions> open_acquisitions_;
    const MrdAcquisitions& acquisitions_;
    const std::vector<Head>& heads_;
    const ISMRMRD::IsmrmrdHeader& header_;
    const MrdSorting& sorting_;
    std::shared_ptr<const MrdChannels> channels_;
    const ISMRMRD::Encoding* encoding_ = nullptr;
    std::optional<MrdTrajectorySource> source_;
    DistinctTrajectories trajectories_;  ///< frames of a series often repeat one
    DistinctLists<float> times_;
    StoredScan stored_;
};

}  // namespace

StoredScan build_mrd_scan(const std::string& path, std::shared_ptr<const MrdAcquisitions> acquisitions,
                          const ISMRMRD::IsmrmrdHeader& header, const MrdSorting& sorting,
                          const ScanReadOptions& options) {
    std::vector<FrameLabel> labels;
    for (const auto& [label, members] : sorting.frames) {
        labels.push_back(label);
    }
    std::vector<FrameLabel> picked;
    for (const std::size_t i : options.selection.pick(labels, path)) {
        picked.push_back(labels[i]);
    }
    const bool has_other_positions = !options.trajectory_path.empty();
    StoredScan stored = Builder(path, std::move(acquisitions), header, sorting, has_other_positions).build(picked);
    stored.scan.path = path;
    stored.has_slices = have_slices(labels);
    std::set<Index> contrasts;
    for (const FrameLabel& label : picked) {
        contrasts.insert(label.contrast);
    }
    stored.scan.measurement = measurement_of(header, {contrasts.begin(), contrasts.end()});
    note_recon_space(header.encoding[static_cast<std::size_t>(sorting.encoding_space)], stored);
    return stored;
}

}  // namespace recon
