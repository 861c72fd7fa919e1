#pragma once

#include "core/backend/backend.hpp"

namespace recon::test {

/// Limits a backend's memory, and leaves it unlimited and undivided behind.
class MemoryLimit {
public:
    MemoryLimit(Backend& backend, std::size_t bytes) : memory_(backend.memory()) { memory_.set_limit(bytes); }
    ~MemoryLimit() {
        memory_.set_limit(MemoryBudget::unlimited);
        memory_.set_piece_bytes(MemoryBudget::unlimited);
    }
    MemoryLimit(const MemoryLimit&) = delete;
    MemoryLimit& operator=(const MemoryLimit&) = delete;

private:
    MemoryBudget& memory_;
};

}  // namespace recon::test
