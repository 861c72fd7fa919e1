#include "app/cli/scan/coil_command_line.hpp"

#include "app/cli/shell/number_range.hpp"

namespace recon {

void add_coil_options(CLI::App& app, std::string& coil_maps, std::string& body_coil_path, CoilOptions& options) {
    constexpr const char* group = "Coils";
    constexpr const char* automatic = "auto";
    constexpr const char* all = "all";
    constexpr double most_coils = 4096;
    app.add_option(
        "--coil-maps", coil_maps,
        "A file with coil maps, in any format that recon reads, or how to estimate them: "
        "espirit, walsh or nlinv (default: those of the scan, else espirit, or nlinv where samples leave the "
        "centre of k-space open)");
    const auto body_coil =
        app.add_option("--body-coil", body_coil_path,
                       "Image of the body coil, in any format that recon reads: coil maps are relative to it")
            ->group(group);
    app.get_option("--coil-maps")->excludes(body_coil);
    app.add_option("--calibration-radius", options.calibration_radius,
                   "Part of k-space that coil maps are estimated from, cycles per FOV (default: what the trajectory "
                   "covers, up to 12)")
        ->check(number_above(0, most_voxels))
        ->group(group);
    app.add_option("--coil-crop", options.crop,
                   "Eigenvalue of ESPIRiT below which maps are 0 (default: from the data); 0 keeps everything")
        ->check(number_from(0, 1))
        ->default_str("auto")
        ->group(group);
    options.compression.automatic = true;
    const auto coils =
        app.add_option_function<std::string>(
               "--coils",
               [&options](const std::string& text) {
                   options.compression.automatic = text == automatic;
                   options.compression.coil_count =
                       text == automatic || text == all ? 0 : static_cast<Index>(std::stod(text));
               },
               "Compress to so many virtual coils; all: take them as they are; auto: of 16 or more, with the prior of "
               "the scan, as few as hold its signal")
            ->check(number_or(whole_number(1, most_coils), {automatic, all}))
            ->default_str(automatic)
            ->group(group);
    app.add_option("--coil-energy", options.compression.energy,
                   "Compress to as few virtual coils as hold this part of the energy of k-space, such as 0.99")
        ->check(number_from(1e-6, 1))
        ->excludes(coils)
        ->group(group);
    const auto whitening =
        app.add_flag("!--no-prewhitening", options.prewhiten, "Leave the coils as they are despite a noise scan")
            ->group(group);
    app.add_option(
           "--noise-covariance", options.noise_covariance_path,
           "Noise covariance of the coils for prewhitening (HDF5 or .npy, complex [coil coil]) instead of a noise scan")
        ->excludes(whitening)
        ->group(group);
}

}  // namespace recon
