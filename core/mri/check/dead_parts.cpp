#include "core/mri/check/dead_parts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.hpp"

namespace recon {
namespace {

bool all_zero(std::span<const cfloat> values) {
    return std::all_of(values.begin(), values.end(), [](cfloat value) { return value == cfloat(0); });
}

}  // namespace

std::vector<Index> coils_of_zeros(std::span<const cfloat> values, Index coil_count) {
    const std::size_t length = values.size() / static_cast<std::size_t>(coil_count);
    std::vector<Index> coils;
    for (Index coil = 0; coil < coil_count; ++coil) {
        if (all_zero(values.subspan(static_cast<std::size_t>(coil) * length, length))) {
            coils.push_back(coil);
        }
    }
    return coils;
}

std::vector<Index> readouts_of_zeros(std::span<const cfloat> kspace, Index coil_count, Index length) {
    const Index sample_count = static_cast<Index>(kspace.size()) / coil_count;
    std::vector<Index> readouts;
    for (Index readout = 0; length > 0 && readout < sample_count / length; ++readout) {
        bool zero = true;
        for (Index coil = 0; coil < coil_count && zero; ++coil) {
            zero = all_zero(kspace.subspan(static_cast<std::size_t>(coil * sample_count + readout * length),
                                           static_cast<std::size_t>(length)));
        }
        if (zero) {
            readouts.push_back(readout);
        }
    }
    return readouts;
}

void keep_other_coils(std::vector<cfloat>& values, Index coil_count, const std::vector<Index>& dropped) {
    const Index length = static_cast<Index>(values.size()) / coil_count;
    auto end = values.begin();
    for (Index coil = 0; coil < coil_count; ++coil) {
        if (!std::binary_search(dropped.begin(), dropped.end(), coil)) {
            const auto from = values.begin() + coil * length;
            end = std::copy(from, from + length, end);
        }
    }
    values.resize(static_cast<std::size_t>(end - values.begin()));
}

void drop_coils(Scan& scan, const std::vector<Index>& dropped) {
    const Index coil_count = scan.coil_count;
    for (const Index coil : dropped) {
        if (coil < 0 || coil >= coil_count) {
            throw InputError(fmt::format("{}: there is no coil {}; expected 0 to {}", scan.path, coil, coil_count - 1));
        }
    }
    if (static_cast<Index>(dropped.size()) >= coil_count) {
        throw InputError(fmt::format("{}: all {} coils are left out: nothing to reconstruct", scan.path, coil_count));
    }
    transform_kspace(scan, [coil_count, dropped](Index, std::vector<cfloat>& kspace) {
        keep_other_coils(kspace, coil_count, dropped);
    });
    keep_other_coils(scan.noise, coil_count, dropped);
    keep_other_coils(scan.coil_maps, coil_count, dropped);
    scan.coil_count -= static_cast<Index>(dropped.size());
}

}  // namespace recon
