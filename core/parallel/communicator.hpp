#pragma once

#include <cstddef>
#include <span>

#include "core/backend/array.hpp"
#include "core/parallel/share.hpp"

namespace recon {

/// The ranks of one reconstruction: the same program runs on each of them, on a backend of its own, and they meet here.
///
/// Every rank makes the same reductions in the same order. A result is the same to the last bit on all ranks, so that
/// whatever is decided by it is decided alike everywhere. Once a rank has called `abort`, a reduction of any other, one
/// that waits or one that comes, throws RanksAborted.
class Communicator {
public:
    virtual ~Communicator() = default;
    Communicator() = default;
    Communicator(const Communicator&) = delete;
    Communicator& operator=(const Communicator&) = delete;

    virtual int rank() const = 0;
    virtual int size() const = 0;

    /// array = sum of the ranks' arrays, in the order of the backend's queue. @throws ShapeError if the sizes differ
    virtual void all_reduce_sum(ArrayView array) = 0;
    /// The same for a few numbers on the host.
    virtual void all_reduce_sum(std::span<double> values) = 0;
    double sum(double value) {
        all_reduce_sum(std::span(&value, 1));
        return value;
    }

    /// Rank 0's bytes, on all ranks. @throws ShapeError if the sizes differ
    virtual void broadcast(std::span<std::byte> bytes) = 0;

    /// Whether the ranks are threads of one process, which see the same objects; else each has copies of its own.
    virtual bool in_one_process() const { return true; }

    virtual void abort() noexcept = 0;
};

/// The only rank.
class SelfCommunicator final : public Communicator {
public:
    int rank() const override { return 0; }
    int size() const override { return 1; }
    void all_reduce_sum(ArrayView) override {}
    void all_reduce_sum(std::span<double>) override {}
    void broadcast(std::span<std::byte>) override {}
    void abort() noexcept override {}
};

/// The default where nothing is divided.
Communicator& only_rank();

/// That of this rank.
Share share_of(Index total, const Communicator& ranks);

}  // namespace recon
