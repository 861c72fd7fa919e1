#include "data/formats/pulseq/pulseq_trajectory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>

#include "core/base/error.hpp"

namespace recon {
namespace {

/// A gradient with its integral up to each of its knots, in 1/m.
struct Integrated {
    const PulseqGradient* gradient;
    std::vector<double> areas;

    explicit Integrated(const PulseqGradient& g) : gradient(&g), areas(g.times_s.size(), 0) {
        for (std::size_t i = 1; i < areas.size(); ++i) {
            areas[i] = areas[i - 1] +
                       (g.values_hz_per_m[i - 1] + g.values_hz_per_m[i]) / 2 * (g.times_s[i] - g.times_s[i - 1]);
        }
    }

    /// From the block's beginning to `time_s`.
    double area_until(double time_s) const {
        const std::vector<double>&times = gradient->times_s, &values = gradient->values_hz_per_m;
        const auto above =
            static_cast<std::size_t>(std::upper_bound(times.begin(), times.end(), time_s) - times.begin());
        if (above == 0) {
            return 0;
        }
        const std::size_t i = above - 1;
        if (above == times.size()) {
            return areas[i];
        }
        const double part_s = time_s - times[i];
        const double slope = (values[above] - values[i]) / (times[above] - times[i]);
        return areas[i] + part_s * (values[i] + slope * part_s / 2);
    }
};

using IntegratedGradients = std::map<Index, Integrated>;

/// Gradients of one block along the three axes, with their integrals at ascending times.
class BlockAreas {
public:
    /// @param rotation  null for none
    BlockAreas(const IntegratedGradients& gradients, const PulseqBlock& block, const PulseqRotation* rotation)
        : rotation_(rotation) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            gradients_[axis] = block.gradients[axis] == 0 ? nullptr : &gradients.at(block.gradients[axis]);
        }
    }
    PerAxis<double> at(double time_s) const {
        PerAxis<double> areas{};
        for (std::size_t axis = 0; axis < 3; ++axis) {
            areas[axis] = gradients_[axis] == nullptr ? 0 : gradients_[axis]->area_until(time_s);
        }
        if (rotation_ == nullptr) {
            return areas;
        }
        PerAxis<double> rotated{};
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const PerAxis<double>& row = (*rotation_)[axis];
            rotated[axis] = row[0] * areas[0] + row[1] * areas[1] + row[2] * areas[2];
        }
        return rotated;
    }

private:
    PerAxis<const Integrated*> gradients_{};
    const PulseqRotation* rotation_;
};

/// Numbers of the frames in the order of their labels, one a sample; empty where all are of one.
std::vector<Index> frames_of_samples(const std::vector<FrameLabel>& of_readouts, const std::vector<Index>& lengths) {
    std::map<FrameLabel, Index> numbers;
    for (const FrameLabel& label : of_readouts) {
        numbers.emplace(label, 0);
    }
    if (numbers.size() == 1) {
        return {};
    }
    Index next = 0;
    for (auto& [label, number] : numbers) {
        number = next++;
    }
    std::vector<Index> frames;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        frames.insert(frames.end(), static_cast<std::size_t>(lengths[i]), numbers.at(of_readouts[i]));
    }
    return frames;
}

}  // namespace

StoredArray pulseq_trajectory(const PulseqFile& file, const std::string& path) {
    IntegratedGradients gradients;
    for (const auto& [id, gradient] : file.gradients) {
        gradients.emplace(id, gradient);
    }
    PerAxis<double> before{};  // k at the block's beginning, 1/m
    std::vector<double> positions;
    std::vector<Index> lengths;
    std::vector<FrameLabel> frames;  // of the readouts
    PulseqLabelState labels;
    for (const PulseqBlock& block : file.blocks) {
        if (block.labels != 0) {
            labels.change(file.labels.at(block.labels));
        }
        const BlockAreas areas(gradients, block, block.rotation == 0 ? nullptr : &file.rotations.at(block.rotation));
        PerAxis<double> offset = before;  // k is this and the block's own integral
        if (block.pulse != 0) {
            const PulseqPulse& pulse = file.pulses.at(block.pulse);
            const PerAxis<double> at_pulse = areas.at(pulse.centre_s);
            for (std::size_t axis = 0; axis < 3; ++axis) {
                offset[axis] = pulse.excites     ? -at_pulse[axis]
                               : pulse.refocuses ? -(before[axis] + at_pulse[axis]) - at_pulse[axis]
                                                 : before[axis];
            }
        }
        if (block.readout != 0 && labels.is_imaging()) {
            const PulseqReadout& readout = file.readouts.at(block.readout);
            lengths.push_back(readout.sample_count);
            frames.push_back(labels.frame());
            constexpr std::size_t most_positions = std::size_t{1} << 28;
            if (positions.size() + 3 * static_cast<std::size_t>(readout.sample_count) > most_positions) {
                throw InputError(fmt::format("{}: has more than {} samples", path, most_positions / 3));
            }
            for (Index s = 0; s < readout.sample_count; ++s) {
                const PerAxis<double> area =
                    areas.at(readout.delay_s + (static_cast<double>(s) + 0.5) * readout.dwell_s);
                for (std::size_t axis = 0; axis < 3; ++axis) {
                    positions.push_back(offset[axis] + area[axis]);
                }
            }
        }
        const PerAxis<double> whole = areas.at(block.duration_s);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            before[axis] = offset[axis] + whole[axis];
        }
    }
    if (lengths.empty()) {
        throw InputError(fmt::format("{}: this sequence has no readouts (ADC events)", path));
    }
    StoredArray array;
    array.where = path;
    const bool even = std::all_of(lengths.begin(), lengths.end(), [&](Index length) { return length == lengths[0]; });
    array.extents = even ? std::vector<Index>{static_cast<Index>(lengths.size()), lengths[0], 3}
                         : std::vector<Index>{static_cast<Index>(positions.size() / 3), 3};
    array.values = std::move(positions);
    array.unit = TrajectoryUnit::cycles_per_metre;
    array.unit_stated_by = "the Pulseq format";
    array.field_of_view_mm = file.field_of_view_mm;
    array.sequence = MeasuredOrder{.frame_of_sample = frames_of_samples(frames, lengths)};
    return array;
}

}  // namespace recon
