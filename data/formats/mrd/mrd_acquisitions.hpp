#pragma once

#include <ismrmrd/ismrmrd.h>

#include <functional>
#include <span>
#include <vector>

#include "core/base/types.hpp"

namespace recon {

/// The acquisitions of a scan in MRD, from a file of any kind: their heads in memory, their samples when asked for.
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

    virtual ~MrdAcquisitions() = default;

    const std::vector<Head>& heads() const { return heads_; }
    static bool has_flag(const Head& head, ISMRMRD::ISMRMRD_AcquisitionFlags flag) {
        return ((head.flags >> (flag - 1)) & 1U) != 0;
    }
    /// Bytes of that part of an acquisition, as its head announces them.
    static std::size_t announced_bytes(const Head& head, Part part) {
        return std::size_t{head.number_of_samples} * (part == Part::data ? head.active_channels * sizeof(cfloat)
                                                                         : head.trajectory_dimensions * sizeof(float));
    }

    /// Visits acquisitions, a few megabytes in memory at a time: perhaps by several threads at once, in any order, and
    /// one perhaps twice.
    /// @param wanted  their numbers, in ascending order
    /// @throws InputError if the samples stored are not those that the head announces
    virtual void visit(std::span<const Index> wanted, Part part, const Visit& visit) const = 0;

protected:
    std::vector<Head> heads_;
};

}  // namespace recon
