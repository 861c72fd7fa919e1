#include "data/formats/mrd/mrd_arrays.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.hpp"
#include "data/reading/maps_of_coils.hpp"
#include "data/reading/maps_of_slices.hpp"

namespace recon {
namespace {

using Head = MrdAcquisitions::Head;

/// The first of these datasets that exists, in the group or in the root; empty if none does.
std::string find_dataset(const H5File& file, const std::string& group, const std::vector<std::string>& names) {
    for (const std::string& name : names) {
        for (const std::string& path : {group + "/" + name, "/" + name}) {
            if (file.has_dataset(path)) {
                return path;
            }
        }
    }
    return "";
}

void read_coil_maps_of(const H5File& file, const std::string& group, KspaceReading reading, StoredScan& stored) {
    const std::string dataset = find_dataset(file, group, {"coil_maps", "csm"});
    if (dataset.empty()) {
        return;
    }
    const Scan& scan = stored.scan;
    const auto [nx, ny, nz] = scan.geometry.matrix_size;
    const H5Info info = file.dataset_info(dataset);
    const bool fits = slices_of_maps(info.extents, {scan.coil_count, nz, ny, nx}) > 0;
    if (!fits && dataset.ends_with("/csm")) {  // tools of ISMRMRD write those of the recon space
        stored.notes.push_back(
            fmt::format("{} is {}, not of the encoded matrix, and not used; with `matrix` and `fov` of its image, "
                        "`coil_maps` {}:{} uses it",
                        dataset, info.text(), file.path(), dataset));
        return;
    }
    if (!fits) {
        throw InputError(fmt::format(
            "{}: {} is {}, expected [{} coils, {}, {}, {}] (z, y, x), the encoded matrix, or as much of each slice",
            file.path(), dataset, info.text(), scan.coil_count, nz, ny, nx));
    }
    read_maps_of_coils(file, dataset, reading, stored);
    stored.notes.push_back(fmt::format("coil maps from {}", dataset));
}

void read_field_map(const H5File& file, const std::string& group, const std::string& asked, StoredScan& stored) {
    // The map continued beyond the object first: where a measured map falls to 0 at the rim, it misleads.
    const std::vector<std::string> usual{"fieldmap_extrapolated", "fieldmap", "field_map", "off_resonance_hz"};
    const std::string dataset = find_dataset(file, group, asked.empty() ? usual : std::vector{asked});
    if (dataset.empty()) {
        if (!asked.empty()) {
            throw InputError(fmt::format("{}: there is no field map named {} in {}", file.path(), asked, group));
        }
        return;
    }
    stored.scan.off_resonance_hz = file.read<float>(dataset);
    stored.field_map_name = dataset;
    stored.field_map_extents = file.dataset_info(dataset).extents;
    stored.notes.push_back(fmt::format("field map in Hz from {}", dataset));
}

/// Keeps the weights of the samples that were kept of one acquisition; returns how many it had.
Index take_weights(const std::vector<float>& weights, Index from, const Head& head, std::vector<float>& to) {
    const auto begin = weights.begin() + from;
    to.insert(to.end(), begin + head.discard_pre, begin + (Index{head.number_of_samples} - Index{head.discard_post}));
    return head.number_of_samples;
}

void read_density_weights(const H5File& file, const std::string& group, const std::vector<Head>& heads,
                          const MrdSorting& sorting, StoredScan& stored) {
    const std::string dataset = find_dataset(file, group, {"density_weights"});
    if (dataset.empty()) {
        return;
    }
    const std::vector<float> weights = file.read<float>(dataset);
    const auto weight_count = static_cast<Index>(weights.size());
    std::vector<Index> offset(heads.size(), 0);  // of each acquisition, counting imaging ones alone
    Index total = 0;
    for (std::size_t i = 0; i < heads.size(); ++i) {
        offset[i] = total;
        total += sorting.imaging[i] ? Index{heads[i].number_of_samples} : 0;
    }
    DistinctLists<float> distinct;
    for (Frame& frame : stored.scan.frames) {
        const std::vector<Index>& members = sorting.frames.at(frame.label);
        Index of_frame = 0;
        for (const Index i : members) {
            of_frame += heads[static_cast<std::size_t>(i)].number_of_samples;
        }
        if (weight_count != total && weight_count != of_frame) {
            throw InputError(
                fmt::format("{}: {} is {}, expected one weight for each of the {} samples of the imaging "
                            "acquisitions, or of the {} of one frame",
                            file.path(), dataset, file.dataset_info(dataset).text(), total, of_frame));
        }
        Index from = 0;
        std::vector<float> kept;
        for (const Index i : members) {
            const auto at = static_cast<std::size_t>(i);
            from += take_weights(weights, weight_count == total ? offset[at] : from, heads[at], kept);
        }
        frame.density_weights = distinct.shared(std::move(kept));
    }
    stored.notes.push_back(fmt::format("density weights from {}", dataset));
}

}  // namespace

void read_mrd_arrays(const H5File& file, const std::string& group, const std::vector<Head>& heads,
                     const MrdSorting& sorting, const ScanReadOptions& options, StoredScan& stored) {
    read_coil_maps_of(file, group, options.kspace, stored);
    read_field_map(file, group, options.field_map_name, stored);
    read_density_weights(file, group, heads, sorting, stored);
}

}  // namespace recon
