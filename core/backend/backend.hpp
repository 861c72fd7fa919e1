#pragma once

#include "core/backend/device.hpp"
#include "core/backend/image_primitives.hpp"
#include "core/backend/plan_factory.hpp"
#include "core/backend/vector_primitives.hpp"

namespace recon {

/// All that a device must offer, in four parts. Everything above this interface is written once, for the CPU and for
/// the GPU.
class Backend : public Device, public VectorPrimitives, public PlanFactory {
public:
    Backend() = default;
    Backend(const Backend&) = delete;
    Backend& operator=(const Backend&) = delete;

    virtual const ImagePrimitives& image_primitives() const = 0;
};

}  // namespace recon
