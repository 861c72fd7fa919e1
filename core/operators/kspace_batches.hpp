#pragma once

#include <algorithm>

#include "core/operators/encoding.hpp"
#include "core/parallel/communicator.hpp"

namespace recon {

/// Where the numbers of a scan are while they are needed.
enum class Residency {
    resident,  ///< on the backend, all of them
    streamed,  ///< on the host, uploaded piece by piece
};

/// The weighted k-space of a frame, for operators that take it by batches of coils.
class KspaceBatches {
public:
    /// @param kspace  of `shape` [sample coil]; outlives this object
    /// @param weights  [sample]; empty means 1
    KspaceBatches(Backend& backend, std::span<const cfloat> kspace, const Shape& shape, std::span<const double> weights,
                  Precision precision, Residency residency);

    const Shape& shape() const { return shape_; }
    /// Coils first, ..., first + count - 1: [sample coil], to be used before the next call.
    ConstArrayView coils(Index first, Index count) const;

private:
    void apply_weights(ArrayView coils) const;

    Backend& backend_;
    Shape shape_;
    Precision precision_;
    std::optional<Array> weights_;             ///< [sample]
    std::optional<HostStack> streamed_;        ///< none where all of it is on the backend
    mutable std::optional<Array> on_backend_;  ///< all of it, or the batch that was asked for last
};

/// Calls function(first coil, count) for the batches of an encoding.
template <class Function>
void for_each_batch(const Encoding& encoding, Function&& function) {
    const Index coil_count = encoding.coils().coil_count();
    for (Index first = 0; first < coil_count; first += encoding.coils_at_once()) {
        function(first, std::min(encoding.coils_at_once(), coil_count - first));
    }
}

/// image = E^H d
void encoding_adjoint(const Encoding& encoding, const KspaceBatches& kspace, ArrayView image);

/// |E rho|^2 over the k-space of all ranks
double predicted_energy(const Encoding& encoding, ConstArrayView image, Communicator& ranks);

/// |E rho - d| / |d| over the k-space of all ranks; 0 if d is
double relative_data_residual(const Encoding& encoding, ConstArrayView image, const KspaceBatches& kspace,
                              Communicator& ranks);

}  // namespace recon
