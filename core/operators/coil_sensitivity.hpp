#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/backend/array.hpp"
#include "core/backend/host_stack.hpp"

namespace recon {

/// Coil maps S_c, [x y z coil]; absent maps mean one coil of sensitivity 1.
///
/// Works on batches of coils, so that no more of the coil images is held than memory allows. The maps themselves are
/// on the backend, or on the host and uploaded a piece at a time whenever they are needed: the same numbers, later.
class CoilSensitivity {
public:
    CoilSensitivity() = default;
    explicit CoilSensitivity(Array maps) : maps_(std::move(maps)) {}
    explicit CoilSensitivity(HostStack maps) : streamed_(std::move(maps)) {}

    Index coil_count() const;
    bool has_maps() const { return maps_ || streamed_; }

    /// coil_images[c] = S_(first+c) image; coil_images [x y z coil] of any number of coils
    void forward(ConstArrayView image, Index first_coil, ArrayView coil_images) const;
    /// image += sum_c conj(S_(first+c)) coil_images[c]
    void accumulate_adjoint(ConstArrayView coil_images, Index first_coil, ArrayView image) const;

    /// Calls function(first coil, maps of the piece) for pieces in ascending order: all of the maps at once if they are
    /// on the backend, with none for one coil of sensitivity 1.
    void for_each_piece(const std::function<void(Index, const std::optional<ConstArrayView>&)>& function,
                        Precision precision) const;
    /// One map, [x y z]: a view of it, or of `buffer` after uploading it there. Only where there are maps.
    ConstArrayView map(Index coil, Precision precision, std::optional<Array>& buffer) const;
    /// Single numbers of a map, on the host; 1 where there are no maps. @param voxels  offsets into the image
    std::vector<cdouble> map_at(Index coil, std::span<const Index> voxels) const;

    /// Coils of a piece of streamed maps. @param piece_bytes  as MemoryBudget::piece_bytes
    static Index streamed_coils_at_once(const Shape& image, Index coil_count, Precision precision,
                                        std::size_t piece_bytes);

private:
    std::optional<Array> maps_;
    std::optional<HostStack> streamed_;
};

}  // namespace recon
