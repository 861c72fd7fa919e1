#include "data/mrd_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/log.hpp"
#include "data/mrd_acquisitions.hpp"
#include "data/mrd_arrays.hpp"
#include "data/mrd_header.hpp"
#include "data/mrd_sorting.hpp"

namespace recon {
namespace {

using Head = MrdAcquisitions::Head;

Index kept_samples(const Head& head) {
    return Index{head.number_of_samples} - Index{head.discard_pre} - Index{head.discard_post};
}

/// Where the trajectory of this encoding comes from.
struct TrajectorySource {
    bool cartesian = false;    ///< all of it from the counters
    bool z_from_step = false;  ///< z from kspace_encode_step_2, as in stacks of stars and spirals
    double centre_step_1 = 0;
    double centre_step_2 = 0;
};

double centre_of(const ISMRMRD::Optional<ISMRMRD::Limit>& limit, Index voxels) {
    return limit ? static_cast<double>(limit->center) : std::floor(static_cast<double>(voxels) / 2);
}

class ScanBuilder {
public:
    ScanBuilder(const std::string& path, const MrdAcquisitions& acquisitions, const ISMRMRD::IsmrmrdHeader& header,
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
        source_ = find_trajectory_source();
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
        read_noise();
        return std::move(stored_);
    }

private:
    /// Where an acquisition's first kept sample goes.
    struct Place {
        std::size_t frame;
        Index sample;
    };

    TrajectorySource find_trajectory_source() {
        TrajectorySource source;
        Index without = 0;
        Index planar = 0;
        Index total = 0;
        Index more_than_three = 0;
        std::uint16_t lowest_step = 65535;
        std::uint16_t highest_step = 0;
        for (std::size_t i = 0; i < heads_.size(); ++i) {
            if (sorting_.imaging[i]) {
                ++total;
                without += heads_[i].trajectory_dimensions == 0 ? 1 : 0;
                planar += heads_[i].trajectory_dimensions == 2 ? 1 : 0;
                more_than_three += heads_[i].trajectory_dimensions > 3 ? 1 : 0;
                lowest_step = std::min(lowest_step, heads_[i].idx.kspace_encode_step_2);
                highest_step = std::max(highest_step, heads_[i].idx.kspace_encode_step_2);
            }
        }
        if (more_than_three > 0) {
            stored_.notes.push_back(
                fmt::format("{} acquisition(s) have more than 3 numbers a sample in their trajectory; "
                            "those beyond x, y, z are ignored",
                            more_than_three));
        }
        PerAxis<Index>& matrix = stored_.scan.geometry.matrix_size;
        const ISMRMRD::EncodingLimits& limits = encoding_->encodingLimits;
        source.centre_step_1 = centre_of(limits.kspace_encoding_step_1, matrix[1]);
        source.centre_step_2 = centre_of(limits.kspace_encoding_step_2, matrix[2]);
        if (without == total && encoding_->trajectory == ISMRMRD::TrajectoryType::CARTESIAN) {
            source.cartesian = true;
            stored_.notes.emplace_back("Cartesian: the trajectory follows from the counters of the acquisitions");
        } else if (without > 0) {
            throw InputError(
                fmt::format("{}: {} of {} imaging acquisitions have no trajectory, and the header does not call "
                            "the encoding Cartesian; write the trajectory into the file",
                            path_, without, total));
        } else if (planar == total && matrix[2] > 1 && highest_step > lowest_step) {
            source.z_from_step = true;
            stored_.z_in_cycles_per_fov = true;
            stored_.notes.emplace_back("the trajectory is planar and stacked: kz is kspace_encode_step_2");
        } else if (planar == total && matrix[2] > 1) {
            stored_.notes.push_back(
                fmt::format("the header says {} voxels along z, but the trajectory is planar: "
                            "reconstructing one slice a frame",
                            matrix[2]));
            matrix[2] = 1;
        }
        return source;
    }

    void note_times() {
        if (!echo_time_s(header_, stored_.scan.frames[0].label.contrast) &&
            !stored_.scan.frames[0].sample_times_s.empty()) {
            stored_.notes.emplace_back(
                "the header has no echo time: sample times count from the centre of each readout");
        }
    }

    void state_unit() {
        if (source_.cartesian) {
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
            const PerAxis<double> k = position(head, s, positions);
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

    PerAxis<double> position(const Head& head, Index sample, std::span<const float> positions) const {
        if (source_.cartesian) {
            const bool reversed = MrdAcquisitions::has_flag(head, ISMRMRD::ISMRMRD_ACQ_IS_REVERSE);
            const auto from_centre = static_cast<double>(sample - Index{head.center_sample});
            return {reversed ? -from_centre : from_centre, head.idx.kspace_encode_step_1 - source_.centre_step_1,
                    head.idx.kspace_encode_step_2 - source_.centre_step_2};
        }
        PerAxis<double> k{};
        const auto dimensions = static_cast<std::size_t>(head.trajectory_dimensions);
        for (std::size_t axis = 0; axis < std::min<std::size_t>(dimensions, 3); ++axis) {
            k[axis] = positions[static_cast<std::size_t>(sample) * dimensions + axis];
        }
        if (source_.z_from_step) {
            k[2] = head.idx.kspace_encode_step_2 - source_.centre_step_2;
        }
        return k;
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

    static std::optional<Orientation> orientation_of(const Head& head) {
        Orientation orientation;
        const auto copy = [](const float* from, PerAxis<double>& to) { std::copy(from, from + 3, to.begin()); };
        copy(head.position, orientation.centre_mm);
        copy(head.read_dir, orientation.x_direction);
        copy(head.phase_dir, orientation.y_direction);
        copy(head.slice_dir, orientation.z_direction);
        for (const auto* axis : {&orientation.x_direction, &orientation.y_direction, &orientation.z_direction}) {
            const double length = std::hypot((*axis)[0], (*axis)[1], (*axis)[2]);
            constexpr double rounding = 1e-2;
            if (!(std::abs(length - 1) < rounding)) {
                return std::nullopt;  // never set
            }
        }
        const auto& centre = orientation.centre_mm;
        return std::isfinite(centre[0] + centre[1] + centre[2]) ? std::optional(orientation) : std::nullopt;
    }

    void place_in_patient() {
        Scan& scan = stored_.scan;
        for (Frame& frame : scan.frames) {
            frame.orientation = orientation_of(heads_[static_cast<std::size_t>(sorting_.frames.at(frame.label)[0])]);
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

    /// Noise is scaled to the bandwidth of the image's samples: its variance goes as 1 / dwell time.
    void read_noise() {
        const auto imaging = std::find(sorting_.imaging.begin(), sorting_.imaging.end(), true);
        const double dwell_us = heads_[static_cast<std::size_t>(imaging - sorting_.imaging.begin())].sample_time_us;
        std::vector<std::vector<cfloat>> coils(static_cast<std::size_t>(channels_.count()));
        std::vector<bool> usable = sorting_.noise;
        Index unusable = 0;
        for (std::size_t i = 0; i < heads_.size(); ++i) {
            if (usable[i] && channels_.positions(heads_[i]).empty()) {
                usable[i] = false;
                ++unusable;
            }
        }
        acquisitions_.visit(usable, [&](Index i, std::span<const float>, std::span<const cfloat> data) {
            const Head& head = heads_[static_cast<std::size_t>(i)];
            const double ratio = head.sample_time_us / dwell_us;
            const float scale = std::isfinite(ratio) && ratio > 0 ? static_cast<float>(std::sqrt(ratio)) : 1.0F;
            const std::vector<Index> channels = channels_.positions(head);
            for (std::size_t coil = 0; coil < channels.size(); ++coil) {
                const auto samples = data.subspan(static_cast<std::size_t>(channels[coil]) * head.number_of_samples,
                                                  head.number_of_samples);
                for (const cfloat& sample : samples) {
                    coils[coil].push_back(scale * sample);
                }
            }
        });
        for (const std::vector<cfloat>& coil : coils) {
            stored_.scan.noise.insert(stored_.scan.noise.end(), coil.begin(), coil.end());
        }
        if (!coils[0].empty()) {
            stored_.notes.push_back(fmt::format("read {} noise samples a coil", coils[0].size()));
        }
        if (unusable > 0) {
            stored_.notes.push_back(fmt::format("skipped {} noise acquisition(s) with other channels", unusable));
        }
    }

    const std::string& path_;
    const MrdAcquisitions& acquisitions_;
    const std::vector<Head>& heads_;
    const ISMRMRD::IsmrmrdHeader& header_;
    const MrdSorting& sorting_;
    MrdChannels channels_;
    const ISMRMRD::Encoding* encoding_ = nullptr;
    TrajectorySource source_;
    std::vector<Place> place_;
    std::vector<std::shared_ptr<Trajectory>> trajectories_;
    StoredScan stored_;
};

void collect_groups(const H5File& file, const std::string& group, int depth, std::vector<std::string>& found) {
    if (MrdAcquisitions::recognises(file, group + "/data") && file.has_dataset(group + "/xml")) {
        found.push_back(group);
        return;
    }
    for (const std::string& name : file.names_in(group.empty() ? "/" : group)) {
        const std::string path = group + "/" + name;
        if (depth > 0 && file.has_group(path)) {
            collect_groups(file, path, depth - 1, found);
        }
    }
}

void note_recon_space(const ISMRMRD::Encoding& encoding, StoredScan& stored) {
    const auto& recon = encoding.reconSpace.matrixSize;
    const PerAxis<Index>& matrix = stored.scan.geometry.matrix_size;
    if (recon.x != matrix[0] || recon.y != matrix[1] || recon.z != matrix[2]) {
        stored.notes.push_back(fmt::format(
            "reconstructing the encoded space, {} x {} x {}; the header's recon space is {} x {} "
            "x {} over {} x {} x {} mm (--matrix, --fov)",
            matrix[0], matrix[1], matrix[2], recon.x, recon.y, recon.z, encoding.reconSpace.fieldOfView_mm.x,
            encoding.reconSpace.fieldOfView_mm.y, encoding.reconSpace.fieldOfView_mm.z));
    }
}

}  // namespace

std::optional<std::string> MrdReader::find_group(const H5File& file) {
    std::vector<std::string> found;
    constexpr int deepest = 3;
    collect_groups(file, "", deepest, found);
    if (found.empty()) {
        return std::nullopt;
    }
    const auto usual = std::find(found.begin(), found.end(), "/dataset");
    const std::string group = usual == found.end() ? found[0] : *usual;
    if (found.size() > 1) {
        log_warning("{}: {} groups hold acquisitions; reading {}", file.path(), found.size(), group);
    }
    return group;
}

StoredScan MrdReader::read(const ScanReadOptions& options) const {
    const H5File file = H5File::open(path_);
    const std::string group = find_group(file).value();
    const std::vector<std::string> xml = file.read<std::string>(group + "/xml");
    if (xml.size() != 1) {
        throw InputError(fmt::format("{}: {}/xml holds {} texts, expected 1 header", path_, group, xml.size()));
    }
    const ISMRMRD::IsmrmrdHeader header = parse_mrd_header(xml[0], path_);
    const MrdAcquisitions acquisitions(file, group + "/data");
    const MrdSorting sorting = sort_acquisitions(acquisitions.heads(), options.encoding_space, path_);

    std::vector<FrameLabel> labels;
    for (const auto& [label, members] : sorting.frames) {
        labels.push_back(label);
    }
    std::vector<FrameLabel> picked;
    for (const std::size_t i : options.selection.pick(labels, path_)) {
        picked.push_back(labels[i]);
    }
    StoredScan stored = ScanBuilder(path_, acquisitions, header, sorting).build(picked);
    stored.scan.path = path_;
    stored.scan.format = format();
    note_recon_space(header.encoding[static_cast<std::size_t>(sorting.encoding_space)], stored);
    read_mrd_arrays(file, group, acquisitions.heads(), sorting, options, stored);
    return stored;
}

}  // namespace recon
