#pragma once

#include <string>
#include <vector>

#include "core/mri/gradients/gradient_delays.hpp"
#include "core/mri/scan.hpp"
#include "data/files/run_record.hpp"

namespace recon {

/// What is known of the gradients beside what the sequence asked them for.
struct GradientOptions {
    std::string impulse_response;     ///< FILE or FILE:/dataset; empty: none
    std::vector<std::string> delays;  ///< empty: none; "auto": from the scan; else samples along x, y, z

    bool are_found() const { return delays == std::vector<std::string>{"auto"}; }
};

/// Puts the samples of all frames where the gradients took them: first by the impulse response, then by what delays
/// remain, if these are numbers (else see correct_delays).
/// @return for the record: what was done; empty where nothing was asked for
/// @throws InputError if the scan does not allow it, UsageError for delays that are no numbers
RunRecord correct_gradients(Scan& scan, const GradientOptions& options);

/// Moves the samples of all frames. @throws as `delayed`
void move_by_delays(Scan& scan, const GradientDelays& delays);
/// For the record: in samples and, where sample times are known, in us.
RunRecord delay_record(const Scan& scan, const GradientDelays& delays);

}  // namespace recon
