#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/base/shared_list.hpp"
#include "core/fourier/trajectory.hpp"
#include "core/parallel/communicator.hpp"

namespace recon {

/// How the ranks divide k-space [sample coil]: by coils where every rank gets one at least, else by samples.
class Division {
public:
    /// One rank, which has everything.
    explicit Division(Index coil_count) : Division(only_rank(), coil_count) {}
    Division(Communicator& ranks, Index coil_count);

    Communicator& ranks() const { return ranks_; }
    /// The ranks between which the samples of one coil are divided; and those between which the coils are.
    Communicator& along_samples() const { return by_coils_ ? only_rank() : ranks_; }
    Communicator& along_coils() const { return by_coils_ ? ranks_ : only_rank(); }

    /// What this rank has.
    Share coils() const { return share_of(coil_count_, along_coils()); }
    Share samples(Index sample_count) const { return share_of(sample_count, along_samples()); }
    /// Coils whose normal product this rank computes, which needs no samples: none where there are more ranks than
    /// coils.
    Share coils_of_normal() const { return share_of(coil_count_, ranks_); }

    /// This rank's part of k-space [sample coil]: a view of it, or gathered in `buffer`.
    std::span<const cfloat> part_of_kspace(std::span<const cfloat> kspace, std::vector<cfloat>& buffer) const;

private:
    Communicator& ranks_;
    Index coil_count_;
    bool by_coils_;
};

/// Elements of a list; of an empty one, which stands for a default, none.
template <class T>
std::vector<T> part_of(const std::vector<T>& all, const Share& share) {
    return all.empty() ? all : std::vector<T>(all.begin() + share.first, all.begin() + share.first + share.count);
}
template <class T>
std::vector<T> part_of(const SharedList<T>& all, const Share& share) {
    return part_of(all.values(), share);
}
/// The trajectory itself where that is all of it.
std::shared_ptr<const Trajectory> part_of(const std::shared_ptr<const Trajectory>& trajectory, const Share& samples);

}  // namespace recon
