#include "data/formats/mrd/mrd_writer.hpp"

#include <fmt/format.h>
#include <ismrmrd/ismrmrd.h>
#include <ismrmrd/xml.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <sstream>

#include "core/base/error.hpp"
#include "core/base/log.hpp"
#include "data/formats/mrd/mrd_count.hpp"
#include "data/reading/maps_of_slices.hpp"
#include "data/reading/scan/frame_labels.hpp"
#include "data/reading/stored_field_maps.hpp"

namespace recon {
namespace {

constexpr Index most = std::numeric_limits<std::uint16_t>::max();

/// Sample times of a contrast as MRD has them: first + sample x step in each readout.
struct Timing {
    double first_s = 0;
    double step_s = 0;
};

class MrdWriter {
public:
    MrdWriter(const Scan& scan, const std::string& path) : scan_(scan), path_(path) {
        if (scan.frames.empty()) {
            throw ShapeError(fmt::format("{}: cannot write a scan without frames", path));
        }
        readout_length_ = scan.samples_per_readout;
        if (readout_length_ == 0) {
            readout_length_ = std::min(most, scan.frames[0].sample_count());
        }
        mrd_count(readout_length_, path, "the number of samples of a readout");
        find_timings();
    }

    void write(MrdSink& sink) {
        std::ostringstream xml;
        ISMRMRD::serialize(header(), xml);
        sink.header(xml.str());
        append_noise(sink);
        for (std::size_t f = 0; f < scan_.frames.size(); ++f) {
            append_frame(sink, f);
        }
        append_arrays(sink);
    }

private:
    /// Times of all frames of a contrast must lie on one line; else no times at all are written.
    void find_timings() {
        for (const Frame& frame : scan_.frames) {
            const std::vector<float>& times = frame.sample_times_s;
            const auto length = static_cast<std::size_t>(readout_length_);
            Timing timing;
            if (times.empty() || scan_.samples_per_readout == 0) {
                timed_ = false;
                break;
            }
            timing.first_s = times[0];
            timing.step_s = length > 1
                                ? (static_cast<double>(times[length - 1]) - times[0]) / static_cast<double>(length - 1)
                                : 1e-6;
            timing = timings_.try_emplace(frame.label.contrast, timing).first->second;
            for (std::size_t s = 0; s < times.size(); ++s) {
                const double expected = timing.first_s + static_cast<double>(s % length) * timing.step_s;
                constexpr double rounding_s = 1e-7;
                if (std::abs(times[s] - expected) > rounding_s || timing.step_s <= 0) {
                    timed_ = false;
                    log_warning(
                        "{}: sample times differ between readouts or are uneven; MRD cannot hold them, and they "
                        "are left out",
                        path_);
                    return;
                }
            }
        }
    }

    ISMRMRD::IsmrmrdHeader header() const {
        ISMRMRD::IsmrmrdHeader header;
        header.experimentalConditions.H1resonanceFrequency_Hz = 0;
        ISMRMRD::AcquisitionSystemInformation system;
        system.receiverChannels = mrd_count(scan_.coil_count, path_, "the number of coils");
        header.acquisitionSystemInformation = system;

        ISMRMRD::Encoding encoding;
        const PerAxis<Index>& matrix = scan_.geometry.matrix_size;
        const PerAxis<double>& extent = scan_.geometry.field_of_view_mm;
        encoding.encodedSpace.matrixSize = {mrd_count(matrix[0], path_, "the matrix size"),
                                            mrd_count(matrix[1], path_, "the matrix size"),
                                            mrd_count(matrix[2], path_, "the matrix size")};
        encoding.encodedSpace.fieldOfView_mm = {static_cast<float>(extent[0]), static_cast<float>(extent[1]),
                                                static_cast<float>(extent[2])};
        encoding.reconSpace = encoding.encodedSpace;
        encoding.trajectory = ISMRMRD::TrajectoryType::OTHER;
        FrameLabel last;
        Index readouts = 0;
        for (const Frame& frame : scan_.frames) {
            for (const LabelPart& part : label_parts) {
                last.*part.value = std::max(last.*part.value, frame.label.*part.value);
            }
            readouts = std::max(readouts, readout_count(frame));
        }
        const auto limit = [&](Index maximum) {
            return ISMRMRD::Limit(0, mrd_count(std::min(maximum, most), path_, "a counter"), 0);
        };
        encoding.encodingLimits.kspace_encoding_step_0 = limit(readout_length_ - 1);
        encoding.encodingLimits.kspace_encoding_step_1 = limit(readouts - 1);
        encoding.encodingLimits.kspace_encoding_step_2 = limit(0);
        encoding.encodingLimits.contrast = limit(last.contrast);
        encoding.encodingLimits.repetition = limit(last.repetition);
        encoding.encodingLimits.set = limit(last.set);
        encoding.encodingLimits.slice = limit(last.slice);
        encoding.encodingLimits.phase = limit(last.phase);
        header.encoding.push_back(encoding);

        ISMRMRD::SequenceParameters sequence;
        if (timed_) {
            std::vector<float> echo_times_ms;
            for (Index contrast = 0; contrast <= last.contrast; ++contrast) {
                const auto timing = timings_.find(contrast);
                echo_times_ms.push_back(timing == timings_.end() ? 0.0F
                                                                 : static_cast<float>(1000 * timing->second.first_s));
            }
            sequence.TE = echo_times_ms;
        }
        header.sequenceParameters = sequence;
        ISMRMRD::UserParameters user;
        user.userParameterString.push_back({"trajectory_unit", "cycles/FOV"});
        user.userParameterString.push_back({"signal_sign", "exp(-i 2 pi k.r)"});
        header.userParameters = user;
        return header;
    }

    Index readout_count(const Frame& frame) const {
        return (frame.sample_count() + readout_length_ - 1) / readout_length_;
    }

    void set_channels(ISMRMRD::Acquisition& acquisition) const {
        acquisition.available_channels() = mrd_count(scan_.coil_count, path_, "the number of coils");
        constexpr Index mask_bits = 64 * ISMRMRD::ISMRMRD_CHANNEL_MASKS;
        for (Index coil = 0; coil < scan_.coil_count && scan_.coil_count <= mask_bits; ++coil) {
            acquisition.setChannelActive(static_cast<std::uint16_t>(coil));
        }
    }

    void place(ISMRMRD::Acquisition& acquisition, const std::optional<Orientation>& orientation) const {
        if (!orientation) {
            return;
        }
        for (std::size_t i = 0; i < 3; ++i) {
            acquisition.position()[i] = static_cast<float>(orientation->centre_mm[i]);
            acquisition.read_dir()[i] = static_cast<float>(orientation->x_direction[i]);
            acquisition.phase_dir()[i] = static_cast<float>(orientation->y_direction[i]);
            acquisition.slice_dir()[i] = static_cast<float>(orientation->z_direction[i]);
        }
    }

    void append_noise(MrdSink& sink) {
        const Index total = static_cast<Index>(scan_.noise.size()) / scan_.coil_count;
        for (Index first = 0; first < total; first += most) {
            const Index count = std::min(most, total - first);
            ISMRMRD::Acquisition acquisition(static_cast<std::uint16_t>(count),
                                             mrd_count(scan_.coil_count, path_, "the number of coils"), 0);
            set_channels(acquisition);
            acquisition.setFlag(ISMRMRD::ISMRMRD_ACQ_IS_NOISE_MEASUREMENT);
            acquisition.scan_counter() = counter_++;
            for (Index coil = 0; coil < scan_.coil_count; ++coil) {
                const auto from = scan_.noise.begin() + coil * total + first;
                std::copy(from, from + count, acquisition.getDataPtr() + coil * count);
            }
            sink.acquisition(acquisition);
        }
    }

    void append_frame(MrdSink& sink, std::size_t index) {
        const Frame& frame = scan_.frames[index];
        const Index samples = frame.sample_count();
        if (static_cast<Index>(frame.kspace.size()) != samples * scan_.coil_count) {
            throw ShapeError(fmt::format("{}: a frame has {} k-space values for {} samples of {} coils", path_,
                                         frame.kspace.size(), samples, scan_.coil_count));
        }
        for (Index readout = 0; readout < readout_count(frame); ++readout) {
            const Index first = readout * readout_length_;
            const Index count = std::min(readout_length_, samples - first);
            ISMRMRD::Acquisition acquisition(static_cast<std::uint16_t>(count),
                                             mrd_count(scan_.coil_count, path_, "the number of coils"), 3);
            set_channels(acquisition);
            place(acquisition, frame.orientation ? frame.orientation : scan_.geometry.orientation);
            acquisition.scan_counter() = counter_++;
            acquisition.sample_time_us() =
                timed_ ? static_cast<float>(1e6 * timings_.at(frame.label.contrast).step_s) : 0.0F;
            ISMRMRD::EncodingCounters& counters = acquisition.idx();
            counters.kspace_encode_step_1 = static_cast<std::uint16_t>(std::min(readout, most));
            counters.contrast = mrd_count(frame.label.contrast, path_, "the contrast");
            counters.repetition = mrd_count(frame.label.repetition, path_, "the repetition");
            counters.set = mrd_count(frame.label.set, path_, "the set");
            counters.slice = mrd_count(frame.label.slice, path_, "the slice");
            counters.phase = mrd_count(frame.label.phase, path_, "the phase");
            if (index + 1 == scan_.frames.size() && first + count == samples) {
                acquisition.setFlag(ISMRMRD::ISMRMRD_ACQ_LAST_IN_MEASUREMENT);
            }
            for (Index s = 0; s < count; ++s) {
                for (std::size_t axis = 0; axis < 3; ++axis) {
                    acquisition.getTrajPtr()[3 * s + static_cast<Index>(axis)] =
                        static_cast<float>(frame.trajectory->k[axis][static_cast<std::size_t>(first + s)]);
                }
            }
            for (Index coil = 0; coil < scan_.coil_count; ++coil) {
                const auto from = frame.kspace.begin() + coil * samples + first;
                std::copy(from, from + count, acquisition.getDataPtr() + coil * count);
            }
            sink.acquisition(acquisition);
        }
    }

    void append_arrays(MrdSink& sink) const {
        if (!scan_.coil_maps.empty()) {
            std::vector<Index> extents = extents_of_maps(scan_);
            std::ranges::reverse(extents);  // first axis fastest
            sink.array("coil_maps", extents, stored_coil_maps(scan_).values);
        }
        if (!scan_.off_resonance_hz.empty()) {
            std::vector<Index> extents = extents_of_field_maps(scan_, scan_.off_resonance_hz);
            std::ranges::reverse(extents);
            sink.array("fieldmap", extents, scan_.off_resonance_hz);
        }
        std::vector<float> weights;
        for (const Frame& frame : scan_.frames) {
            weights.insert(weights.end(), frame.density_weights.begin(), frame.density_weights.end());
        }
        const auto count = static_cast<Index>(weights.size());
        if (count > 0 && count % readout_length_ == 0) {
            sink.array("density_weights", {readout_length_, count / readout_length_}, weights);
        } else if (count > 0) {
            sink.array("density_weights", {count}, weights);
        }
    }

    const Scan& scan_;
    const std::string& path_;
    Index readout_length_ = 1;
    bool timed_ = true;
    std::map<Index, Timing> timings_;
    std::uint32_t counter_ = 0;
};

}  // namespace

void write_mrd(const Scan& scan, const std::string& path, MrdSink& sink) { MrdWriter(scan, path).write(sink); }

}  // namespace recon
