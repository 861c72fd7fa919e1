#include "core/base/assignment.hpp"

#include <limits>

namespace recon {
namespace {

constexpr Index none = -1;

/// Rows are assigned one after the other; each finds the shortest way to a free column, over columns that others give
/// up for another one, by Dijkstra's algorithm on costs that potentials make 0 or more.
class Assignment {
public:
    Assignment(const std::vector<double>& costs, Index size)
        : costs_(costs), size_(size), of_rows_(size, 0.0), of_columns_(size, 0.0), row_of_(size, none) {}

    void add(Index row) {
        constexpr double far = std::numeric_limits<double>::infinity();
        std::vector<double> distance(size_, far);
        std::vector<Index> before(size_, none);  // the column from which each was reached
        std::vector<char> is_done(size_, 0);
        Index column = none;
        double walked = 0;
        for (Index at = row; at != none; at = row_of_[column]) {
            Index next = none;
            for (Index c = 0; c < size_; ++c) {
                if (is_done[c] != 0) {
                    continue;
                }
                const double here = walked + costs_[at * size_ + c] - of_rows_[at] - of_columns_[c];
                if (here < distance[c]) {
                    distance[c] = here;
                    before[c] = column;
                }
                if (next == none || distance[c] < distance[next]) {
                    next = c;
                }
            }
            column = next;
            walked = distance[column];
            is_done[column] = 1;
        }
        of_rows_[row] += walked;
        for (Index c = 0; c < size_; ++c) {
            if (is_done[c] != 0 && c != column) {
                of_rows_[row_of_[c]] += walked - distance[c];
                of_columns_[c] -= walked - distance[c];
            }
        }
        for (; column != none; column = before[column]) {
            row_of_[column] = before[column] == none ? row : row_of_[before[column]];
        }
    }

    std::vector<Index> columns() const {
        std::vector<Index> result(size_);
        for (Index column = 0; column < size_; ++column) {
            result[row_of_[column]] = column;
        }
        return result;
    }

private:
    const std::vector<double>& costs_;
    Index size_;
    std::vector<double> of_rows_, of_columns_;
    std::vector<Index> row_of_;  ///< of each column
};

}  // namespace

std::vector<Index> least_assignment(const std::vector<double>& costs, Index size) {
    Assignment assignment(costs, size);
    for (Index row = 0; row < size; ++row) {
        assignment.add(row);
    }
    return assignment.columns();
}

}  // namespace recon
