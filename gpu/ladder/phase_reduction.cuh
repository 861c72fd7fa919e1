#pragma once

namespace recon::ladder {

/// A phase in turns less its nearest integer, for |turns| < 2^22: adding 1.5 * 2^23 leaves no bits for a fraction. Two
/// additions of the FMA units; rintf would take a place in the queue of the special-function units.
__device__ inline float reduced(float turns) {
    constexpr float big = 12582912.0F;
    return turns - ((turns + big) - big);
}

}  // namespace recon::ladder
