#include "data/reading/scan_reader.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <new>

#include "core/base/error.hpp"
#include "core/base/log.hpp"
#include "core/base/number_text.hpp"
#include "core/mri/coil_parts.hpp"
#include "data/files/file_identity.hpp"
#include "data/files/hdf5_file.hpp"
#include "data/reading/format.hpp"
#include "data/reading/scan/foreign_scan.hpp"
#include "data/reading/scan/scan_checks.hpp"
#include "data/reading/scan_conversion.hpp"
#include "data/reading/trajectory_file.hpp"
#include "data/reading/unreadable_file.hpp"

namespace recon {

std::unique_ptr<ScanReader> find_scan_reader(const std::string& path) {
    const Format* format = format_of(path, &Format::scan_reader);
    return format == nullptr ? nullptr : format->scan_reader(path);
}

std::unique_ptr<ScanReader> open_scan(const std::string& path) {
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) {
        throw missing_file(path);
    }
    require_file_or_folder(path);
    if (std::unique_ptr<ScanReader> reader = find_scan_reader(path)) {
        return reader;
    }
    if (H5File::looks_like_hdf5(path)) {
        throw InputError(
            fmt::format("{}: this HDF5 file holds no scan: neither MRD acquisitions nor /kspace and "
                        "/trajectory; see what is in it with: recon info {}",
                        path, path));
    }
    if (const std::string advice = advice_on_foreign_scan(path); !advice.empty()) {
        throw InputError(fmt::format("{}: is {}", path, advice));
    }
    throw unreadable_file(path, "is no scan that can be read", titles_of(formats_with(&Format::scan_reader)));
}

namespace {

/// Large files need more memory than there is.
template <class Read>
auto guarded(const std::string& path, Read&& read) {
    try {
        return read();
    } catch (const std::bad_alloc&) {
        throw DeviceError(fmt::format("{}: this scan needs more memory than there is", path));
    }
}

/// What is read later is checked later: a scan that is still being written, or that another program changes, would give
/// an image of two scans.
template <class Read>
auto of_unchanged_file(Read read, const std::string& path, const std::vector<FileStamp>& stamps) {
    return [read = std::move(read), path, stamps](const auto&... coils) {
        std::vector<cfloat> values = guarded(path, [&] { return read(coils...); });
        require_unchanged(path, stamps);
        return values;
    };
}

StoredScan read_stored(const std::string& path, const ScanReadOptions& options) {
    const std::vector<FileStamp> stamps = stamps_of(path);
    StoredScan stored = guarded(path, [&] { return open_scan(path)->read(options); });
    if (!options.trajectory_path.empty() && !stored.took_trajectory) {
        replace_trajectory(stored, read_trajectory(options.trajectory_path));
    }
    require_unchanged(path, stamps);
    for (Frame& frame : stored.scan.frames) {
        if (frame.is_on_demand()) {
            frame.read_kspace = of_unchanged_file(std::move(frame.read_kspace), path, stamps);
        }
        if (frame.read_coils) {
            frame.read_coils = of_unchanged_file(std::move(frame.read_coils), path, stamps);
        }
    }
    for (Frame& frame : stored.scan.calibration) {
        const auto checked = [read = std::move(frame.read_kspace), path] {
            std::vector<cfloat> kspace = read();
            check_finite(kspace, path, "the calibration's k-space");
            return kspace;
        };
        frame.read_kspace = of_unchanged_file(checked, path, stamps);
    }
    if (stored.scan.read_coil_maps) {
        stored.scan.read_coil_maps = of_unchanged_file(std::move(stored.scan.read_coil_maps), path, stamps);
    }
    return stored;
}

}  // namespace

Scan read_scan(const std::string& path, const ScanReadOptions& options) {
    Scan scan = convert_scan(read_stored(path, options), options);
    check_scan(scan);
    if (options.kspace == KspaceReading::at_once) {
        load_all(scan);
    } else if (options.kspace == KspaceReading::on_demand) {
        hold_all(scan);
    }
    const PerAxis<Index>& matrix = scan.geometry.matrix_size;
    Index samples = 0;
    for (const Frame& frame : scan.frames) {
        samples += frame.sample_count();
    }
    log_info("read {} ({}): {} x {} x {} voxels, {}, {}, {}", path, scan.format, matrix[0], matrix[1], matrix[2],
             counted(static_cast<Index>(scan.frames.size()), "frame"), counted(samples, "sample"),
             counted(scan.coil_count, "coil"));
    return scan;
}

}  // namespace recon
