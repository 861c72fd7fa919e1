#pragma once

#include <algorithm>
#include <span>

#include "core/base/cpu_memory.hpp"
#include "core/heart/excitation_rates.hpp"

namespace recon {

/// Cells of a sheet, from the first row and column to those before `end`.
struct CellBlock {
    Index first_row = 0, end_row = 0, first_column = 0, end_column = 0;

    Index rows() const { return std::max<Index>(0, end_row - first_row); }
    Index columns() const { return std::max<Index>(0, end_column - first_column); }
    Index count() const { return rows() * columns(); }
    /// So many cells more on every side, within a sheet.
    CellBlock wider(Index by, Index size) const {
        return {std::max<Index>(0, first_row - by), std::min(size, end_row + by), std::max<Index>(0, first_column - by),
                std::min(size, end_column + by)};
    }
    /// The cells that both have.
    CellBlock within(const CellBlock& other) const {
        return {std::max(first_row, other.first_row), std::min(end_row, other.end_row),
                std::max(first_column, other.first_column), std::min(end_column, other.end_column)};
    }
};

/// A rectangle of a sheet that one rank steps forward, with a halo of cells that others own. Every cell is computed by
/// the operations of excitation_row.hpp, as in a band, so that the bytes are the same on any tiles.
template <class T>
class ExcitationTile {
public:
    /// @param own  cells  @param halo  cells beyond these that are stored, where the sheet goes on
    ExcitationTile(const ExcitationSetup& setup, const CellBlock& own, Index halo);

    const CellBlock& own() const { return own_; }
    const CellBlock& stored() const { return stored_; }

    /// E, then R, of some stored cells, row by row. @param values  twice as many
    void pack(const CellBlock& cells, std::span<T> values) const;
    void unpack(const CellBlock& cells, std::span<const T> values);

    /// Makes the next step of some cells; their neighbours have made the one before. Cells may be stepped in several
    /// calls, but each once before `end_step`.
    void step(const CellBlock& cells);
    void end_step();

private:
    /// Of some rows, E as it is now, where they reach an edge of the sheet.
    void mirror_ends(Index first_row, Index end_row);
    Index at(Index row, Index column) const {
        return (row - stored_.first_row) * stride_ + column - stored_.first_column + 1;
    }

    ExcitationRates<T> rates_;
    Index size_;
    CellBlock own_, stored_;
    Index stride_;  ///< with a cell before and after each row, for its mirrored ends
    CpuBuffer<T> excitation_[2];
    CpuBuffer<T> recovery_;
    int current_ = 0;
};

}  // namespace recon
