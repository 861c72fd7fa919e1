#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/types.hpp"

namespace recon {

/// BART's dimensions by their place [BART, src/misc/mri.h].
enum BartDimension : std::size_t {
    bart_read,
    bart_phase1,
    bart_phase2,
    bart_coil,
    bart_maps,
    bart_echo,
    bart_time = 10,
    bart_time2 = 11,
    bart_slice = 13,
    bart_batch = 15
};
constexpr std::size_t bart_rank = 16;
using BartExtents = std::array<Index, bart_rank>;
constexpr std::array<std::string_view, bart_rank> bart_dimension_names{
    "READ", "PHS1",   "PHS2", "COIL",  "MAPS",  "TE",    "COEFF", "COEFF2",
    "ITER", "CSHIFT", "TIME", "TIME2", "LEVEL", "SLICE", "AVG",   "BATCH"};

/// Complex numbers in a pair of files, NAME.hdr with the extents and NAME.cfl with the values, first dimension fastest.
struct BartFile {
    std::string cfl_path;
    BartExtents extents{};

    Index element_count() const;
    /// Elements [first, first + count). @throws InputError if they cannot be read
    std::vector<cfloat> read(Index first, Index count) const;
    std::vector<cfloat> read() const { return read(0, element_count()); }
    /// "PHS1 128, PHS2 64, COIL 8": those above 1; "one number" if there is none.
    std::string text() const;
};

/// Whether `path` is NAME.cfl or NAME.hdr, both are there, and the header is one of BART's.
bool is_bart(const std::string& path);

/// @throws InputError if the header makes no sense, or the values are not as many as it says
BartFile open_bart(const std::string& path);

/// Writes both files. @param path  NAME.cfl, NAME.hdr or NAME. @throws InputError if it cannot be written
void write_bart(const std::string& path, const BartExtents& extents, const std::vector<cfloat>& values);

/// NAME of NAME.cfl, NAME.hdr or NAME.
std::string bart_base(const std::string& path);

}  // namespace recon
