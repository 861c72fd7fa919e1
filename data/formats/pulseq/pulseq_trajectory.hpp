#pragma once

#include "data/formats/pulseq/pulseq_file.hpp"
#include "data/reading/stored/stored_array.hpp"

namespace recon {

/// Where the samples of a sequence lie, in 1/m: the integral of its gradients since the last excitation, turned round
/// by refocusing pulses. [readout, sample, 3], or [sample, 3] where readouts differ in length; readouts in the file's
/// order, without those that labels say are of noise or navigators, and with the frames that labels say they are of.
/// @param path  for messages. @throws InputError if the sequence has no readouts
StoredArray pulseq_trajectory(const PulseqFile& file, const std::string& path);

}  // namespace recon
