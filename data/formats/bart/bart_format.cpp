#include "data/formats/bart/bart_file.hpp"
#include "data/formats/bart/bart_reader.hpp"
#include "data/formats/bart/bart_writer.hpp"
#include "data/reading/format.hpp"

namespace recon {
namespace {

std::unique_ptr<ScanReader> bart_reader(const std::string& path) { return std::make_unique<BartReader>(path); }

/// Whatever lies beyond the third dimension, coils first, are frames.
StoredImage read_bart_image(const std::string& path, const std::string& dataset) {
    require_no_dataset(path, dataset, "a BART file");
    const BartFile file = open_bart(path);
    Image image = image_of_extents({file.extents.rbegin(), file.extents.rend()});
    image.voxels = file.read();
    return {"", std::move(image)};
}

StoredArray read_bart_array(const std::string& path, const ArrayName& name) {
    require_no_dataset(path, name.asked, "a BART file");
    const BartFile file = open_bart(path);
    StoredArray array;
    array.where = path;
    array.extents.assign(file.extents.rbegin(), file.extents.rend());
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
