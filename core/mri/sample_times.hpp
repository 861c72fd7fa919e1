#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/mri/scan.hpp"

namespace recon {

/// What a user knows about the time of samples.
struct SampleTiming {
    std::optional<double> dwell_s;      ///< between the samples of a readout
    std::optional<double> echo_time_s;  ///< from excitation to the sample nearest the centre of k-space
};

/// Sample of a readout at which the squared distance from the centre of k-space is smallest in the mean of readouts.
Index centre_sample(const Trajectory& trajectory, Index samples_per_readout);

/// Gives every frame's samples their times. With a dwell time, sample s of each readout is at
///
///     t = echo time + (s - centre sample) dwell,
///
/// where an echo time that is not given is the file's, else such that readouts begin at 0: a constant added to all
/// times changes the phase of the image alone. Without a dwell time, the file's times move by a constant.
/// @throws InputError if readouts are not known to be of equal length, or there are no times to move, or if an echo
/// time is given for frames of several contrasts
void set_sample_times(Scan& scan, const SampleTiming& timing);

/// The same times counted from their mean. @param times_s  not empty
std::vector<float> from_their_mean(std::vector<float> times_s);

/// What is suspicious about a frame's times, a sentence each: negative ones, ones that do not advance during a readout,
/// ones that go on from readout to readout for longer than an echo train lasts.
std::vector<std::string> sample_time_doubts(const Scan& scan, const Frame& frame);

}  // namespace recon
