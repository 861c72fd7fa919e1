#pragma once

#include <ismrmrd/ismrmrd.h>

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "data/files/hdf5_file.hpp"
#include "data/formats/mrd/mrd_heap.hpp"

namespace recon {

/// The acquisitions of an MRD file, read-only.
///
/// libismrmrd 1.8 opens files for writing even to read them, so this decodes its dataset `data` (compound of head,
/// traj, data; the last two of variable length) with HDF5 itself.
class MrdAcquisitions {
public:
    using Head = ISMRMRD::ISMRMRD_AcquisitionHeader;
    /// Which of the samples' numbers to read.
    enum class Part { trajectory, data };
    /// @param place  of the acquisition in the list that was asked for
    /// @param trajectory  [dimension sample]; @param data  [sample coil]: first axis fastest; the part not read is
    /// empty
    using Visit =
        std::function<void(std::size_t place, std::span<const float> trajectory, std::span<const cfloat> data)>;

    /// Reads all heads. @throws InputError if they claim more than the file can hold
    MrdAcquisitions(const H5File& file, const std::string& dataset);

    /// True if the dataset is a table of acquisitions.
    static bool recognises(const H5File& file, const std::string& dataset);

    const std::vector<Head>& heads() const { return heads_; }
    static bool has_flag(const Head& head, ISMRMRD::ISMRMRD_AcquisitionFlags flag) {
        return ((head.flags >> (flag - 1)) & 1U) != 0;
    }

    /// Visits acquisitions, a few megabytes in memory at a time: by several threads at once, in any order, and one
    /// perhaps twice.
    /// @param wanted  their numbers, in ascending order
    /// @throws InputError if the samples stored are not those that the head announces
    void visit(std::span<const Index> wanted, Part part, const Visit& visit) const;

private:
    std::size_t stored_bytes(Index acquisition, Part part) const;
    struct OpenTable;
    void visit_in_pieces(const OpenTable& table, std::span<const Index> wanted,
                         std::span<const std::size_t> number_counts, Part part, const MrdHeap::Consume& consume) const;
    void visit_by_hdf5(const OpenTable& table, std::span<const Index> wanted, Part part,
                       const MrdHeap::Consume& consume) const;
    void require_announced(Index acquisition, Part part, std::size_t found) const;

    const H5File& file_;
    std::string dataset_;
    std::vector<Head> heads_;
};

}  // namespace recon
