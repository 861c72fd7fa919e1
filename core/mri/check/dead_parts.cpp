#include "core/mri/check/dead_parts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.hpp"

namespace recon {
namespace {

bool all_zero(std::span<const cfloat> values) {
    return std::all_of(values.begin(), values.end(), [](cfloat value) { return value == cfloat(0); });
}

std::vector<Index> places_of_zeros(const std::vector<double>& values) {
    std::vector<Index> places;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (values[i] == 0) {
            places.push_back(static_cast<Index>(i));
        }
    }
    return places;
}

}  // namespace

std::vector<Index> coils_of_zeros(const AllCoils& values) {
    return places_of_zeros(values.of_each([](std::span<const cfloat> coil) { return all_zero(coil) ? 0.0 : 1.0; }));
}

std::vector<Index> readouts_of_zeros(const AllCoils& kspace, Index length) {
    if (length <= 0) {
        return {};
    }
    std::vector<double> alive(static_cast<std::size_t>(kspace.length() / length), 0.0);
    const Share& here = kspace.here();
    for (Index coil = here.first; coil < here.first + here.count; ++coil) {
        const std::span<const cfloat> values = kspace.coil(coil);
        for (std::size_t readout = 0; readout < alive.size(); ++readout) {
            const auto samples = static_cast<std::size_t>(length);
            if (alive[readout] == 0 && !all_zero(values.subspan(readout * samples, samples))) {
                alive[readout] = 1;
            }
        }
    }
    kspace.sum(alive);
    return places_of_zeros(alive);
}

std::string part_of_zeros(const AllCoils& kspace) {
    const auto holds = [&](auto part) {
        const std::vector<double> coils = kspace.of_each([&](std::span<const cfloat> coil) {
            return std::any_of(coil.begin(), coil.end(), [&](cfloat value) { return part(value) != 0; }) ? 1.0 : 0.0;
        });
        return std::count(coils.begin(), coils.end(), 1.0) > 0;
    };
    const bool real = holds([](cfloat value) { return value.real(); });
    const bool imaginary = holds([](cfloat value) { return value.imag(); });
    return real == imaginary ? "" : real ? "imaginary" : "real";
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
    keep_other_coils(scan.noise, coil_count, dropped);
    if (scan.parts) {
        drop_coils_of_parts(scan, dropped);
        return;
    }
    transform_all_kspace(
        scan, [coil_count, dropped](std::vector<cfloat>& kspace) { keep_other_coils(kspace, coil_count, dropped); });
    keep_other_coils(scan.coil_maps, coil_count, dropped);
    scan.coil_count -= static_cast<Index>(dropped.size());
}

}  // namespace recon
