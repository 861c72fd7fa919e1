#include "core/mri/coil_parts.hpp"

#include <algorithm>
#include <functional>

namespace recon {
namespace {

using ReadCoils = std::function<std::vector<cfloat>(const Share&)>;

/// What reads some coils of those that are left. @param kept  their numbers in `read`
ReadCoils of_kept(ReadCoils read, std::vector<Index> kept) {
    return [read = std::move(read), kept = std::move(kept)](const Share& coils) {
        const Index first = kept[static_cast<std::size_t>(coils.first)];
        const Index last = kept[static_cast<std::size_t>(coils.first + coils.count - 1)];
        std::vector<cfloat> values = read({first, last - first + 1});
        const auto length = static_cast<std::ptrdiff_t>(values.size()) / (last - first + 1);
        auto end = values.begin();
        for (Index coil = coils.first; coil < coils.first + coils.count; ++coil) {
            const auto from = values.begin() + (kept[static_cast<std::size_t>(coil)] - first) * length;
            end = std::copy(from, from + length, end);
        }
        values.resize(static_cast<std::size_t>(end - values.begin()));
        return values;
    };
}

/// to += factor * from
void add_product(cdouble factor, std::span<const cfloat> from, std::span<cfloat> to) {
    const auto single = cfloat(factor);
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < to.size(); ++i) {
        to[i] += single * from[i];
    }
}

/// @param matrix  [new coil, coil]
ReadCoils of_mixed(ReadCoils read, std::vector<cdouble> matrix, Index coil_count) {
    const Index new_coil_count = static_cast<Index>(matrix.size()) / coil_count;
    return [read = std::move(read), matrix = std::move(matrix), coil_count, new_coil_count](const Share& coils) {
        std::vector<cfloat> result;
        for (Index first = 0; first < coil_count; first += coils.count) {
            const Index count = std::min(coils.count, coil_count - first);
            const std::vector<cfloat> values = read({first, count});
            const std::size_t length = values.size() / static_cast<std::size_t>(count);
            result.resize(length * static_cast<std::size_t>(coils.count));
            for (Index to = 0; to < coils.count; ++to) {
                for (Index from = 0; from < count; ++from) {
                    const cdouble factor =
                        matrix[static_cast<std::size_t>((first + from) * new_coil_count + coils.first + to)];
                    if (factor != cdouble(0)) {
                        add_product(factor, std::span(values).subspan(static_cast<std::size_t>(from) * length, length),
                                    std::span(result).subspan(static_cast<std::size_t>(to) * length, length));
                    }
                }
            }
        }
        return result;
    };
}

/// Changes what reads the coils of k-space and of maps, and shares them out again.
void read_otherwise(Scan& scan, Index coil_count, const std::function<ReadCoils(ReadCoils)>& change) {
    Communicator& ranks = scan.parts->ranks;
    for (Frame& frame : scan.frames) {
        frame.read_coils = change(std::move(frame.read_coils));
    }
    if (scan.read_coil_maps) {
        scan.read_coil_maps = change(std::move(scan.read_coil_maps));
    }
    scan.coil_count = coil_count;
    hold_part(scan, ranks);
}

void set_share(Scan& scan, const Share& coils) {
    for (Frame& frame : scan.frames) {
        frame.kspace = std::vector<cfloat>();
        frame.read_kspace = [read = frame.read_coils, coils] { return read(coils); };
    }
    if (scan.read_coil_maps) {
        scan.coil_maps = std::vector<cfloat>();  // the old ones first
        scan.coil_maps = scan.read_coil_maps(coils);
    }
}

void load_for_good(Frame& frame) {
    frame.load();
    frame.read_kspace = nullptr;
}

}  // namespace

CoilParts parts_of(const Scan& scan) { return scan.parts ? *scan.parts : CoilParts{{0, scan.coil_count}, only_rank()}; }

Index coils_held(const Scan& scan) { return parts_of(scan).own.count; }

bool can_be_held_in_parts(const Scan& scan) {
    return std::ranges::all_of(scan.frames, [](const Frame& frame) { return static_cast<bool>(frame.read_coils); }) &&
           (scan.coil_maps.empty() || scan.read_coil_maps) && scan.calibration.empty();
}

void hold_part(Scan& scan, Communicator& ranks) {
    if (scan.coil_count < ranks.size()) {
        scan.parts = nullptr;
        set_share(scan, {0, scan.coil_count});
        hold_all(scan);
        return;
    }
    const Share own = share_of(scan.coil_count, ranks);
    scan.parts = std::make_shared<const CoilParts>(CoilParts{own, ranks});
    set_share(scan, own);
}

void hold_all(Scan& scan) {
    if (scan.read_coil_maps && scan.coil_maps.empty()) {
        scan.coil_maps = scan.read_coil_maps({0, scan.coil_count});
    }
    scan.read_coil_maps = nullptr;
    for (Frame& frame : scan.frames) {
        frame.read_coils = nullptr;
    }
    if (scan.frames.size() == 1) {
        load_for_good(scan.frames.front());
    }
}

void load_all(Scan& scan) {
    hold_all(scan);
    std::ranges::for_each(scan.frames, load_for_good);
}

void drop_coils_of_parts(Scan& scan, const std::vector<Index>& dropped) {
    std::vector<Index> kept;
    for (Index coil = 0; coil < scan.coil_count; ++coil) {
        if (!std::ranges::binary_search(dropped, coil)) {
            kept.push_back(coil);
        }
    }
    read_otherwise(scan, std::ssize(kept), [&](ReadCoils read) { return of_kept(std::move(read), kept); });
}

void mix_coils_of_parts(Scan& scan, const std::vector<cdouble>& matrix) {
    read_otherwise(
        scan, static_cast<Index>(matrix.size()) / scan.coil_count,
        [&, coil_count = scan.coil_count](ReadCoils read) { return of_mixed(std::move(read), matrix, coil_count); });
}

}  // namespace recon
