#include "data/formats/mrd/mrd_hdf5_acquisitions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>

#include "core/base/cancel.hpp"
#include "core/base/error.hpp"
#include "data/files/hdf5_there.hpp"
#include "data/formats/mrd/mrd_table.hpp"

namespace recon {
namespace {

using Head = MrdAcquisitions::Head;

/// Samples that the heads announce must be in the file: they are stored without compression.
void require_samples_fit(const H5File& file, const std::string& dataset, const std::vector<Head>& heads) {
    Index claimed = 0;
    for (const Head& head : heads) {
        const auto samples = static_cast<Index>(head.number_of_samples);
        claimed += samples * (8 * Index{head.active_channels} + 4 * Index{head.trajectory_dimensions});
    }
    const auto file_bytes = static_cast<Index>(std::filesystem::file_size(file.path()));
    if (claimed > file_bytes) {
        throw InputError(
            fmt::format("{}: the acquisitions in {} announce {} bytes of samples, but the file has {}; it is "
                        "damaged or incomplete",
                        file.path(), dataset, claimed, file_bytes));
    }
}

}  // namespace

bool MrdHdf5Acquisitions::recognises(const H5File& file, const std::string& dataset) {
    return call_there(file, is_mrd_table_there, dataset);
}

MrdHdf5Acquisitions::MrdHdf5Acquisitions(const H5File& file, const std::string& dataset)
    : file_(file), dataset_(dataset) {
    const H5Info info = file.dataset_info(dataset);
    const Index count = info.element_count();
    if (info.extents.empty() || count != info.extents[0] || count < 1) {
        throw InputError(fmt::format("{}: {} is a table of {} acquisitions, expected one column with at least one row",
                                     file.path(), dataset, count));
    }
    const Index stored = call_there(file, mrd_table_bytes_there, dataset);
    constexpr Index deflate_limit = 1032;  // as in hdf5_read.cpp
    if (count > stored || count / deflate_limit > stored / info.element_bytes) {
        throw InputError(
            fmt::format("{}: {} claims {} acquisitions, but only {} bytes of them are in the file; it is "
                        "damaged",
                        file.path(), dataset, count, stored));
    }
    const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(Head);
    const SharedBlock heads = call_there(file, ReadingLimits{}.with(bytes), mrd_heads_there, dataset, count);
    heads_.assign(heads.as<Head>().begin(), heads.as<Head>().end());
    heads_.resize(static_cast<std::size_t>(count));
    require_samples_fit(file, dataset, heads_);
}

void MrdHdf5Acquisitions::visit(std::span<const Index> wanted, Part part, const Visit& visit) const {
    cancel_of_this_thread().check();
    std::vector<std::size_t> number_counts;
    number_counts.reserve(wanted.size());
    for (const Index acquisition : wanted) {
        number_counts.push_back(announced_bytes(heads_[static_cast<std::size_t>(acquisition)], part) / sizeof(float));
    }
    const auto consume = [&](std::size_t place, std::span<const float> numbers) {
        if (part == Part::data) {
            visit(place, {}, {reinterpret_cast<const cfloat*>(numbers.data()), numbers.size() / 2});
        } else {
            visit(place, numbers, {});
        }
    };
    if (!MrdHeap(file_, dataset_, mrd_column_of(part)).visit(wanted, number_counts, consume)) {
        visit_in_pieces(wanted, number_counts, part, consume);
    }
}

void MrdHdf5Acquisitions::visit_in_pieces(std::span<const Index> wanted, std::span<const std::size_t> number_counts,
                                          Part part, const MrdHeap::Consume& consume) const {
    constexpr std::size_t most_rows = 4096;
    constexpr std::size_t most_numbers = std::size_t{1} << 20;
    for (std::size_t first = 0; first < wanted.size();) {
        cancel_of_this_thread().check();
        std::size_t rows = 0;
        std::size_t numbers = 0;
        for (; rows < std::min(most_rows, wanted.size() - first); ++rows) {
            if (rows > 0 && numbers + number_counts[first + rows] > most_numbers) {
                break;
            }
            numbers += number_counts[first + rows];
        }
        visit_by_hdf5(wanted.subspan(first, rows), numbers, part,
                      [&](std::size_t place, std::span<const float> of_row) { consume(first + place, of_row); });
        first += rows;
    }
}

void MrdHdf5Acquisitions::visit_by_hdf5(std::span<const Index> wanted, std::size_t number_count, Part part,
                                        const MrdHeap::Consume& consume) const {
    const MrdRecords records =
        call_there(file_, ReadingLimits{}.with(number_count * sizeof(float)), mrd_records_there, dataset_, part,
                   std::vector<Index>(wanted.begin(), wanted.end()), number_count);
    std::span<const float> numbers = records.numbers.as<float>();
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        require_announced(wanted[i], part, i < records.lengths.size() ? records.lengths[i] : 0);
    }
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        consume(i, numbers.first(records.lengths[i]));
        numbers = numbers.subspan(records.lengths[i]);
    }
}

void MrdHdf5Acquisitions::require_announced(Index acquisition, Part part, std::size_t found) const {
    const Head& head = heads_[static_cast<std::size_t>(acquisition)];
    const std::size_t expected = announced_bytes(head, part) / sizeof(float);
    if (found != expected) {
        throw InputError(fmt::format(
            "{}: acquisition {} of {} holds {} {} numbers, expected {} ({} samples, {} dimensions, {} channels){}",
            file_.path(), acquisition, dataset_, found, part == Part::data ? "data" : "trajectory", expected,
            head.number_of_samples, head.trajectory_dimensions, head.active_channels,
            has_flag(head, ISMRMRD::ISMRMRD_ACQ_COMPRESSION1) ? "; compressed data cannot be read" : ""));
    }
}

}  // namespace recon
