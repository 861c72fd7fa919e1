#pragma once

#include <span>
#include <string>

#include "data/files/hdf5_file.hpp"
#include "data/formats/mrd/heap/mrd_heap.hpp"
#include "data/formats/mrd/mrd_acquisitions.hpp"

namespace recon {

/// The acquisitions of an MRD file in HDF5, read-only.
///
/// libismrmrd 1.8 opens files for writing even to read them, so this decodes its dataset `data` (compound of head,
/// traj, data; the last two of variable length) with HDF5 itself.
class MrdHdf5Acquisitions final : public MrdAcquisitions {
public:
    /// Reads all heads. @throws InputError if they claim more than the file can hold
    MrdHdf5Acquisitions(const H5File& file, const std::string& dataset);

    /// True if the dataset is a table of acquisitions.
    static bool recognises(const H5File& file, const std::string& dataset);

    void visit(std::span<const Index> wanted, Part part, const Visit& visit) const override;

private:
    void visit_in_pieces(std::span<const Index> wanted, std::span<const std::size_t> number_counts, Part part,
                         const MrdHeap::Consume& consume) const;
    void visit_by_hdf5(std::span<const Index> wanted, std::size_t number_count, Part part,
                       const MrdHeap::Consume& consume) const;
    void require_announced(Index acquisition, Part part, std::size_t found) const;

    const H5File& file_;
    std::string dataset_;
};

}  // namespace recon
