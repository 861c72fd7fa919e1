#include "app/cli/scan/gradient_command_line.hpp"

namespace recon {

void add_gradient_options(CLI::App& app, GradientOptions& options) {
    const std::string group = "Gradients";
    app.add_option(
           "--gradient-delays", options.delays,
           "By how many samples the gradients along x y z come late, such as 0.7 -0.4; auto: from the scan, whose "
           "readouts are radial; without it the same where that is clear, and the scan is doubtful (docs/gradients.md)")
        ->expected(1, 3)
        ->group(group);
    app.add_option(
           "--girf", options.impulse_response,
           "Measured impulse response of the gradients, which the positions of the samples follow: an array with "
           "the columns time in s, x, y, z (NumPy, BART, HDF5 as FILE:/dataset, or text)")
        ->group(group);
}

}  // namespace recon
