#include "core/backend/array_elements.hpp"

namespace recon {

std::vector<cdouble> download_elements(ConstArrayView array, std::span<const Index> offsets) {
    const ConstArrayView list = array.reshaped({{"element", array.size()}});
    std::vector<cdouble> values(offsets.size());
    for (std::size_t i = 0; i < offsets.size(); ++i) {
        download(list.slices(offsets[i], 1), std::span(values).subspan(i, 1));
    }
    return values;
}

void upload_elements(std::span<const cdouble> values, std::span<const Index> offsets, ArrayView array) {
    const ArrayView list = array.reshaped({{"element", array.size()}});
    for (std::size_t i = 0; i < offsets.size(); ++i) {
        upload(values.subspan(i, 1), list.slices(offsets[i], 1));
    }
}

}  // namespace recon
