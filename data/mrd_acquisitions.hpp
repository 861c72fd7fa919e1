#pragma once

#include <ismrmrd/ismrmrd.h>

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "data/hdf5_file.hpp"

namespace recon {

/// The acquisitions of an MRD file, read-only.
///
/// libismrmrd 1.8 opens files for writing even to read them, so this decodes its dataset `data` (compound of head,
/// traj, data; the last two of variable length) with HDF5 itself.
class MrdAcquisitions {
public:
    using Head = ISMRMRD::ISMRMRD_AcquisitionHeader;
    /// @param trajectory  [dimension sample]; @param data  [sample coil]: first axis fastest
    using Visit =
        std::function<void(Index acquisition, std::span<const float> trajectory, std::span<const cfloat> data)>;

    /// Reads all heads. @throws InputError if they claim more than the file can hold
    MrdAcquisitions(const H5File& file, const std::string& dataset);

    /// True if the dataset is a table of acquisitions.
    static bool recognises(const H5File& file, const std::string& dataset);

    const std::vector<Head>& heads() const { return heads_; }
    static bool has_flag(const Head& head, ISMRMRD::ISMRMRD_AcquisitionFlags flag) {
        return ((head.flags >> (flag - 1)) & 1U) != 0;
    }

    /// Visits the acquisitions wanted in the file's order, a batch in memory at a time.
    /// @throws InputError if the samples stored are not those that the head announces
    void visit(const std::vector<bool>& wanted, const Visit& visit) const;

private:
    void visit_batch(Index first, Index count, const std::vector<bool>& wanted, const Visit& visit) const;

    const H5File& file_;
    std::string dataset_;
    std::vector<Head> heads_;
};

}  // namespace recon
