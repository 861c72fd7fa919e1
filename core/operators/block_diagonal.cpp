#include "core/operators/block_diagonal.hpp"

#include "core/base/error.hpp"

namespace recon {
namespace {

const LinearOperator& first_of(const std::vector<const LinearOperator*>& blocks) {
    if (blocks.empty()) {
        throw ShapeError("block diagonal operator: no blocks");
    }
    return *blocks.front();
}

}  // namespace

BlockDiagonal::BlockDiagonal(const std::vector<const LinearOperator*>& blocks)
    : LinearOperator(first_of(blocks).name() + " of each frame", first_of(blocks).backend(),
                     first_of(blocks).domain().with_axis("frame", std::ssize(blocks)),
                     first_of(blocks).codomain().with_axis("frame", std::ssize(blocks)), first_of(blocks).precision()),
      blocks_(blocks) {
    for (const LinearOperator* block : blocks) {
        if (!(block->domain() == blocks.front()->domain()) || !(block->codomain() == blocks.front()->codomain())) {
            throw ShapeError("block diagonal operator: " + block->name() + " maps " + block->domain().text() + " to " +
                             block->codomain().text() + ", the first block " + blocks.front()->domain().text() +
                             " to " + blocks.front()->codomain().text());
        }
    }
}

void BlockDiagonal::do_forward(ConstArrayView x, ArrayView y) const {
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
        blocks_[i]->forward(x.slice(static_cast<Index>(i)), y.slice(static_cast<Index>(i)));
    }
}

void BlockDiagonal::do_adjoint(ConstArrayView y, ArrayView x) const {
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
        blocks_[i]->adjoint(y.slice(static_cast<Index>(i)), x.slice(static_cast<Index>(i)));
    }
}

void BlockDiagonal::do_normal(ConstArrayView x, ArrayView z) const {
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
        blocks_[i]->normal(x.slice(static_cast<Index>(i)), z.slice(static_cast<Index>(i)));
    }
}

}  // namespace recon
