#include "app/cli/scan/scan_command_line.hpp"

#include <algorithm>

#include "app/cli/shell/named_choice.hpp"
#include "app/cli/shell/number_range.hpp"
#include "data/reading/format.hpp"

namespace recon {
namespace {

constexpr double most_mm = 1e6;

/// 1 to 3 values for x, y, z; 0 for axes left out.
template <class T>
PerAxis<T> per_axis(const std::vector<T>& values) {
    PerAxis<T> result{};
    std::copy(values.begin(), values.end(), result.begin());
    return result;
}

}  // namespace

void add_scan_options(CLI::App& app, ScanCommandLine& line) {
    const std::string group = "What is in the scan";
    app.add_option(
           "--trajectory", line.trajectory,
           "Positions of the samples from a file of their own, if the scan has none or others: BART (.cfl), NumPy, "
           "HDF5 (FILE:/dataset), another scan, Pulseq (.seq), or text")
        ->group(group);
    app.add_option("--select", line.select, "Frames to reconstruct, such as contrast=0,slice=2-4")->group(group);
    app.add_option("--trajectory-unit", line.trajectory_unit,
                   "cycles/FOV, cycles/voxel, rad/voxel, k/kmax, 1/m, rad/m, 1/mm or rad/mm; detected if not given")
        ->group(group);
    app.add_option(
           "--matrix", line.matrix_size,
           "Voxels along x y z, if not those of the scan: 128 128 or 128x128; one number for all its axes, two for "
           "a slice")
        ->check(whole_number(1, most_voxels))
        ->expected(1, 3)
        ->delimiter('x');
    app.add_option("--fov", line.field_of_view_mm,
                   "Field of view along x y z in mm, if not that of the scan; one number for all its axes")
        ->check(number_above(0, most_mm))
        ->expected(1, 3)
        ->delimiter('x')
        ->group(group);
    app.add_option("--outside", line.out_of_band,
                   "Samples outside the band of the matrix: keep, drop, or auto (drop where they reach beyond 1.1 "
                   "times its edge)")
        ->transform(named_choice<OutOfBand>(
            {{"auto", OutOfBand::automatic}, {"keep", OutOfBand::keep}, {"drop", OutOfBand::drop}}))
        ->default_str("auto")
        ->group(group);
}

ScanReadOptions read_options(const ScanCommandLine& line) {
    ScanReadOptions options;
    options.trajectory_path = with_extension(line.trajectory);
    options.selection = line.select.empty() ? FrameSelection() : FrameSelection(line.select);
    options.out_of_band = line.out_of_band;
    if (!line.trajectory_unit.empty()) {
        options.trajectory_unit = parse_trajectory_unit(line.trajectory_unit);
    }
    if (!line.matrix_size.empty()) {
        options.matrix_size = per_axis(line.matrix_size);
    }
    if (!line.field_of_view_mm.empty()) {
        options.field_of_view_mm = per_axis(line.field_of_view_mm);
    }
    return options;
}

}  // namespace recon
