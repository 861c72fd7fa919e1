#include "core/heart/ranked_excitation.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.hpp"
#include "core/heart/excitation_tile.hpp"
#include "core/parallel/share.hpp"

namespace recon {
namespace {

CellBlock tile_of(int rank, const RankGeometry& geometry, Index size) {
    const Share rows = share_of(size, rank / geometry.columns, geometry.rows);
    const Share columns = share_of(size, rank % geometry.columns, geometry.columns);
    return {rows.first, rows.first + rows.count, columns.first, columns.first + columns.count};
}

/// Numbers that go to a neighbour and come from it.
template <class T>
struct Neighbour {
    int rank;
    CellBlock mine, theirs;  ///< that it needs of this rank, and this rank of it
    std::vector<T> sent, received;
};

template <class T>
class RankedExcitation final : public Excitation {
public:
    RankedExcitation(ProcessGroup& group, const ExcitationSetup& setup, const RankedSetup& ranked)
        : group_(group),
          size_(setup.size),
          ranked_(ranked),
          tile_(setup, tile_of(group.rank(), ranked.geometry, setup.size), ranked.halo) {
        for (int other = 0; other < group.size(); ++other) {
            const CellBlock own = tile_of(other, ranked.geometry, size_);
            const CellBlock mine = own.wider(ranked.halo, size_).within(tile_.own());
            const CellBlock theirs = tile_.stored().within(own);
            if (other != group.rank() && mine.count() > 0 && theirs.count() > 0) {
                neighbours_.push_back({other, mine, theirs, std::vector<T>(static_cast<std::size_t>(2 * mine.count())),
                                       std::vector<T>(static_cast<std::size_t>(2 * theirs.count()))});
            }
        }
        // not by ExcitationState::spiral_start, of which no rank but the first needs all
        set_stored([&](Index, Index column) { return ExcitationState::excitation_at_start(size_, column); },
                   [&](Index row, Index) { return ExcitationState::recovery_at_start(size_, row); });
    }

    void advance(Index steps) override {
        for (Index step = 0; step < steps; ++step) {
            if (known_beyond_ == 0) {
                step_with_messages();
                known_beyond_ = ranked_.halo - 1;
            } else {
                --known_beyond_;
                tile_.step(tile_.own().wider(known_beyond_, size_));
            }
            tile_.end_step();
        }
    }

    void synchronize() override {}

    ExcitationState state() override {
        std::vector<T> own(static_cast<std::size_t>(2 * tile_.own().count()));
        tile_.pack(tile_.own(), own);
        if (group_.rank() != 0) {
            group_.copy_to_root(group_.rank(), std::as_writable_bytes(std::span(own)));
            return {};
        }
        ExcitationState state = ExcitationState::at_rest(size_);
        for (int rank = 0; rank < group_.size(); ++rank) {
            const CellBlock cells = tile_of(rank, ranked_.geometry, size_);
            if (rank > 0) {
                own.resize(static_cast<std::size_t>(2 * cells.count()));
                group_.copy_to_root(rank, std::as_writable_bytes(std::span(own)));
            }
            const T* from = own.data();
            for (std::vector<double>* const to : {&state.excitation, &state.recovery}) {
                for (Index row = cells.first_row; row < cells.end_row; ++row) {
                    std::copy_n(from, cells.columns(), to->begin() + row * size_ + cells.first_column);
                    from += cells.columns();
                }
            }
        }
        return state;
    }

    void set_state(const ExcitationState& state) override {
        state.require_size(size_);
        const auto value_of = [&](const std::vector<double>& values) {
            return [&values, size = size_](Index row, Index column) {
                return values[static_cast<std::size_t>(row * size + column)];
            };
        };
        set_stored(value_of(state.excitation), value_of(state.recovery));
    }

private:
    template <class E, class R>
    void set_stored(const E& excitation_at, const R& recovery_at) {
        const CellBlock& cells = tile_.stored();
        std::vector<T> values;
        values.reserve(static_cast<std::size_t>(2 * cells.count()));
        const auto add_all = [&](const auto& value_at) {
            for (Index row = cells.first_row; row < cells.end_row; ++row) {
                for (Index column = cells.first_column; column < cells.end_column; ++column) {
                    values.push_back(static_cast<T>(value_at(row, column)));
                }
            }
        };
        add_all(excitation_at);
        add_all(recovery_at);
        tile_.unpack(cells, values);
        known_beyond_ = ranked_.halo;
    }

    /// A step after which `halo - 1` cells of the neighbours are known.
    void step_with_messages() {
        if (ranked_.communicates) {
            for (Neighbour<T>& neighbour : neighbours_) {
                tile_.pack(neighbour.mine, neighbour.sent);
                group_.transport().receive(neighbour.rank, std::as_writable_bytes(std::span(neighbour.received)));
                group_.transport().send(neighbour.rank, std::as_bytes(std::span(neighbour.sent)));
            }
        }
        const CellBlock inner = cells_without_neighbours();
        tile_.step(inner);
        if (ranked_.communicates) {
            group_.wait();
            for (const Neighbour<T>& neighbour : neighbours_) {
                tile_.unpack(neighbour.theirs, neighbour.received);
            }
        }
        const CellBlock all = tile_.own().wider(ranked_.halo - 1, size_);
        tile_.step({all.first_row, inner.first_row, all.first_column, all.end_column});
        tile_.step({inner.end_row, all.end_row, all.first_column, all.end_column});
        tile_.step({inner.first_row, inner.end_row, all.first_column, inner.first_column});
        tile_.step({inner.first_row, inner.end_row, inner.end_column, all.end_column});
    }

    /// Own cells that need no cell of another rank.
    CellBlock cells_without_neighbours() const {
        const CellBlock& own = tile_.own();
        const auto inner = [&](Index first, Index end) {
            const Index from = first > 0 ? first + 1 : 0, to = end < size_ ? end - 1 : size_;
            return std::pair(std::min(from, end), std::max(to, std::min(from, end)));
        };
        const auto rows = inner(own.first_row, own.end_row), columns = inner(own.first_column, own.end_column);
        return {rows.first, rows.second, columns.first, columns.second};
    }

    ProcessGroup& group_;
    Index size_;
    RankedSetup ranked_;
    ExcitationTile<T> tile_;
    std::vector<Neighbour<T>> neighbours_;
    Index known_beyond_ = 0;  ///< cells of the neighbours that have made as many steps
};

}  // namespace

RankGeometry near_square(int rank_count) {
    RankGeometry geometry{rank_count, 1};
    for (int columns = 1; columns * columns <= rank_count; ++columns) {
        if (rank_count % columns == 0) {
            geometry = {rank_count / columns, columns};
        }
    }
    return geometry;
}

std::unique_ptr<Excitation> make_ranked_excitation(ProcessGroup& group, const ExcitationSetup& setup,
                                                   const RankedSetup& ranked) {
    setup.model.require_valid(setup.size, setup.time_step);
    const RankGeometry& geometry = ranked.geometry;
    if (geometry.rows < 1 || geometry.columns < 1 || geometry.rows * geometry.columns != group.size()) {
        throw UsageError(fmt::format("`ranks_geometry` {}: {} ranks, but {} were started", geometry.text(),
                                     geometry.rows * geometry.columns, group.size()));
    }
    if (ranked.halo < 1) {
        throw UsageError(fmt::format("a `halo` of {} cells: expected at least one", ranked.halo));
    }
    const Index least = std::min(setup.size / geometry.rows, setup.size / geometry.columns);
    if (least < std::max<Index>(ranked.halo, 2)) {
        throw UsageError(
            fmt::format("`ranks_geometry` {}: a rank has {} cells along an axis of {}, expected at least "
                        "two, and no fewer than the `halo` of {}",
                        geometry.text(), least, setup.size, ranked.halo));
    }
    if (setup.tissue) {
        throw UsageError("tissue that differs from cell to cell is for one process");
    }
    return with_precision(setup.precision, [&](auto zero) -> std::unique_ptr<Excitation> {
        return std::make_unique<RankedExcitation<decltype(zero)>>(group, setup, ranked);
    });
}

}  // namespace recon
