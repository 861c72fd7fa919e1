#include "data/files/hdf5_probe.hpp"

#include "data/files/hdf5_file.hpp"

namespace recon {

void require_sound_hdf5(const std::string& path) {
    if (H5File::looks_like_hdf5(path)) {
        H5File::open(path);
    }
}

}  // namespace recon
