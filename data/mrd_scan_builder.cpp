#include "data/mrd_scan_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/log.hpp"
#include "data/mrd_noise.hpp"
#include "data/mrd_orientation.hpp"
#include "data/mrd_trajectory_source.hpp"

namespace recon {
namespace {

using Head = MrdAcquisitions::Head;

Index kept_samples(const Head& head) {
    return Index{head.number_of_samples} - Index{head.discard_pre} - Index{head.discard_post};
}

class Builder {
public:
    Builder(const std::string& path, const MrdAcquisitions& acquisitions, const ISMRMRD::IsmrmrdHeader& header,
            const MrdSorting& sorting)
        : path_(path),
          acquisitions_(acquisitions),
          heads_(acquisitions.heads()),
          header_(header),
          sorting_(sorting),
          channels_(heads_, sorting.imaging, path) {
        if (static_cast<std::size_t>(sorting.encoding_space) >= header.encoding.size()) {
            throw InputError(fmt::format("{}: acquisitions refer to encoding space {}, but the header describes {}",
                                         path, sorting.encoding_space, header.encoding.size()));
        }
        encoding_ = &header.encoding[static_cast<std::size_t>(sorting.encoding_space)];
        stored_.scan.geometry = encoded_geometry(*encoding_);
        stored_.scan.coil_count = channels_.count();
        stored_.notes = sorting.notes;
        stored_.notes.insert(stored_.notes.end(), channels_.notes().begin(), channels_.notes().end());
        source_.emplace(path, acquisitions, sorting, *encoding_, stored_.scan.geometry.matrix_size, stored_.notes);
        stored_.z_in_cycles_per_fov = source_->z_from_step();
    }

    StoredScan build(const std::vector<FrameLabel>& labels) {
        state_unit();
        std::vector<bool> wanted(heads_.size(), false);
        place_.resize(heads_.size());
        for (const FrameLabel& label : labels) {
            allocate_frame(label, sorting_.frames.at(label), wanted);
        }
        acquisitions_.visit(wanted, [&](Index i, std::span<const float> trajectory, std::span<const cfloat> data) {
            fill(i, trajectory, data);
        });
        share_trajectories();
        place_in_patient();
        set_readout_length(wanted);
        note_times();
        stored_.scan.noise = read_mrd_noise(acquisitions_, sorting_, channels_, stored_.notes);
        return std::move(stored_);
    }

private:
    /// Where an acquisition's first kept sample goes.
    struct Place {
        std::size_t frame;
        Index sample;
    };

    void note_times() {
        if (!echo_time_s(header_, stored_.scan.frames[0].label.contrast) &&
            !stored_.scan.frames[0].sample_times_s.empty()) {
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

    void allocate_frame(const FrameLabel& label, const std::vector<Index>& members, std::vector<bool>& wanted) {
        Index samples = 0;
        bool timed = true;
        for (const Index i : members) {
            const auto at = static_cast<std::size_t>(i);
            const Head& head = heads_[at];
            wanted[at] = true;
            place_[at] = {stored_.scan.frames.size(), samples};
            samples += kept_samples(head);
            timed = timed && std::isfinite(head.sample_time_us) && head.sample_time_us > 0;
        }
        Frame frame;
        frame.label = label;
        auto trajectory = std::make_shared<Trajectory>();
        for (auto& component : trajectory->k) {
            component.resize(static_cast<std::size_t>(samples), 0);
        }
        frame.kspace.resize(static_cast<std::size_t>(samples * channels_.count()));
        frame.sample_times_s.resize(timed ? static_cast<std::size_t>(samples) : 0);
        trajectories_.push_back(trajectory);
        frame.trajectory = trajectory;
        stored_.scan.frames.push_back(std::move(frame));
    }

    void fill(Index i, std::span<const float> positions, std::span<const cfloat> data) {
        const Head& head = heads_[static_cast<std::size_t>(i)];
        const Place place = place_[static_cast<std::size_t>(i)];
        Frame& frame = stored_.scan.frames[place.frame];
        Trajectory& trajectory = *trajectories_[place.frame];
        const auto frame_samples = static_cast<std::size_t>(trajectory.sample_count());
        const std::vector<Index> channels = channels_.positions(head);
        const double echo_time = echo_time_s(header_, head.idx.contrast).value_or(0);
        const Index samples = head.number_of_samples;
        for (Index s = head.discard_pre; s < samples - head.discard_post; ++s) {
            const auto to = static_cast<std::size_t>(place.sample + s - head.discard_pre);
            const PerAxis<double> k = source_->position(head, s, positions);
            for (std::size_t axis = 0; axis < 3; ++axis) {
                trajectory.k[axis][to] = k[axis];
            }
            for (std::size_t coil = 0; coil < channels.size(); ++coil) {
                frame.kspace[coil * frame_samples + to] = data[static_cast<std::size_t>(channels[coil] * samples + s)];
            }
            if (!frame.sample_times_s.empty()) {
                const auto from_centre = static_cast<double>(s - Index{head.center_sample});
                frame.sample_times_s[to] = static_cast<float>(echo_time + from_centre * head.sample_time_us * 1e-6);
            }
        }
    }

    /// Frames of a series often repeat one trajectory; sharing it lets everything that follows from it be computed
    /// once.
    void share_trajectories() {
        std::vector<std::shared_ptr<const Trajectory>> distinct;
        for (Frame& frame : stored_.scan.frames) {
            const auto same = std::find_if(distinct.begin(), distinct.end(),
                                           [&](const auto& other) { return other->k == frame.trajectory->k; });
            if (same == distinct.end()) {
                distinct.push_back(frame.trajectory);
            } else {
                frame.trajectory = *same;
            }
        }
        trajectories_.clear();
    }

    void place_in_patient() {
        Scan& scan = stored_.scan;
        for (Frame& frame : scan.frames) {
            frame.orientation = mrd_orientation(heads_[static_cast<std::size_t>(sorting_.frames.at(frame.label)[0])]);
        }
        scan.geometry.orientation = scan.frames[0].orientation;
        const auto same = [&](const Frame& frame) {
            const auto& a = frame.orientation;
            const auto& b = scan.geometry.orientation;
            return a.has_value() == b.has_value() &&
                   (!a || (a->centre_mm == b->centre_mm && a->x_direction == b->x_direction &&
                           a->y_direction == b->y_direction && a->z_direction == b->z_direction));
        };
        if (std::all_of(scan.frames.begin(), scan.frames.end(), same)) {
            for (Frame& frame : scan.frames) {
                frame.orientation.reset();
            }
        }
    }

    void set_readout_length(const std::vector<bool>& wanted) {
        Index length = 0;
        for (std::size_t i = 0; i < heads_.size(); ++i) {
            if (wanted[i] && length != 0 && kept_samples(heads_[i]) != length) {
                return;
            }
            length = wanted[i] ? kept_samples(heads_[i]) : length;
        }
        stored_.scan.samples_per_readout = length;
    }

    const std::string& path_;
    const MrdAcquisitions& acquisitions_;
    const std::vector<Head>& heads_;
    const ISMRMRD::IsmrmrdHeader& header_;
    const MrdSorting& sorting_;
    MrdChannels channels_;
    const ISMRMRD::Encoding* encoding_ = nullptr;
    std::optional<MrdTrajectorySource> source_;
    std::vector<Place> place_;
    std::vector<std::shared_ptr<Trajectory>> trajectories_;
    StoredScan stored_;
};

}  // namespace

StoredScan build_mrd_scan(const std::string& path, const MrdAcquisitions& acquisitions,
                          const ISMRMRD::IsmrmrdHeader& header, const MrdSorting& sorting,
                          const std::vector<FrameLabel>& labels) {
    return Builder(path, acquisitions, header, sorting).build(labels);
}

}  // namespace recon
