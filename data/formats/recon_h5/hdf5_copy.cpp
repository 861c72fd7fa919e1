#include "data/formats/recon_h5/hdf5_copy.hpp"

#include "data/files/hdf5_handle.hpp"

namespace recon {

void copy_object(const H5File& from, const std::string& from_name, H5File& to, const std::string& to_name) {
    silence_hdf5();
    const H5Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
    h5_check(H5Pset_create_intermediate_group(links, 1), to.path(), "making groups");
    h5_check(H5Ocopy(from.id(), from_name.c_str(), to.id(), to_name.c_str(), H5P_DEFAULT, links), from.path(),
             "copying " + from_name);
}

}  // namespace recon
