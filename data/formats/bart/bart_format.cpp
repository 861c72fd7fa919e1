#include "data/formats/bart/bart_file.hpp"
#include "data/formats/bart/bart_frames.hpp"
#include "data/formats/bart/bart_reader.hpp"
#include "data/formats/bart/bart_writer.hpp"
#include "data/reading/format.hpp"

namespace recon {
namespace {

std::unique_ptr<ScanReader> bart_reader(const std::string& path) { return std::make_unique<BartReader>(path); }

/// Whether all that there is beyond the third dimension are frames with labels.
bool has_labels(const BartExtents& extents) {
    for (std::size_t i = bart_coil; i < bart_rank; ++i) {
        if (extents[i] > 1 && !tells_frames(i)) {
            return false;
        }
    }
    return true;
}

/// Whatever lies beyond the third dimension, coils first, are frames: sorted by label where all have one, as those of
/// other formats are, else in the order of the file.
StoredImage read_bart_image(const std::string& path, const std::string& dataset) {
    require_no_dataset(path, dataset, "a BART file");
    const BartFile file = open_bart(path);
    Image image = image_of_extents({file.extents.rbegin(), file.extents.rend()});
    if (!has_labels(file.extents)) {
        image.voxels = file.read();
        return {"", std::move(image)};
    }
    image.frames.clear();
    const Index voxel_count = image.voxel_count();
    for (const BartFramePlace& place : bart_frame_places(file.extents)) {
        image.frames.push_back({place.label, std::nullopt});
        const std::vector<cfloat> voxels = file.read(place.block(file.extents) * voxel_count, voxel_count);
        image.voxels.insert(image.voxels.end(), voxels.begin(), voxels.end());
    }
    return {"", std::move(image)};
}

StoredArray read_bart_array(const std::string& path, const ArrayName& name) {
    require_no_dataset(path, name.asked, "a BART file");
    const BartFile file = open_bart(path);
    StoredArray array;
    array.where = path;
    array.extents.assign(file.extents.rbegin(), file.extents.rend());
    array.axes.assign(bart_dimension_names.rbegin(), bart_dimension_names.rend());
    array.values = file.read();
    array.unit = TrajectoryUnit::cycles_per_fov;
    array.unit_stated_by = "the BART format";
    return array;
}

const Registration registered_bart(formats(), Format{.name = "bart",
                                                     .title = "a BART file (.cfl with its .hdr)",
                                                     .recognises = is_bart,
                                                     .scan_reader = bart_reader,
                                                     .read_image = read_bart_image,
                                                     .read_array = read_bart_array,
                                                     .write_scan = write_bart_scan,
                                                     .write_image = write_bart_image,
                                                     .write_image_help = "Complex image as BART's .cfl and .hdr",
                                                     .extensions = ".cfl .hdr"});

}  // namespace
}  // namespace recon
