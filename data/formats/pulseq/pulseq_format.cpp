#include "data/formats/pulseq/pulseq_file.hpp"
#include "data/formats/pulseq/pulseq_trajectory.hpp"
#include "data/reading/format.hpp"

namespace recon {
namespace {

StoredArray read_positions(const std::string& path, const ArrayName& name) {
    require_no_dataset(path, name.asked, "a Pulseq file");
    return pulseq_trajectory(read_pulseq(path), path);
}

const Registration registered_pulseq(formats(), Format{.name = "pulseq",
                                                       .title = "a Pulseq sequence (.seq)",
                                                       .recognises = is_pulseq,
                                                       .read_array = read_positions});

}  // namespace
}  // namespace recon
