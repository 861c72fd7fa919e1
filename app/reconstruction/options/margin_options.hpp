#pragma once

#include <optional>

#include "core/mri/grids/margin.hpp"

namespace recon {

/// Room around the field of view for what the object has there.
struct MarginOptions {
    std::optional<Margin> given = {};  ///< none: as the object needs, where that is known
    bool automatic = true;             ///< else no more than what is given
};

}  // namespace recon
