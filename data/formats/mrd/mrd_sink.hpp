#pragma once

#include <ismrmrd/ismrmrd.h>

#include <string>
#include <vector>

#include "core/base/types.hpp"

namespace recon {

/// Where MRD goes: a file, a stream.
class MrdSink {
public:
    virtual ~MrdSink() = default;
    virtual void header(const std::string& xml) = 0;
    virtual void acquisition(const ISMRMRD::Acquisition& acquisition) = 0;
    /// @param extents  first axis fastest
    virtual void array(const char* name, const std::vector<Index>& extents, const std::vector<cfloat>& values) = 0;
    virtual void array(const char* name, const std::vector<Index>& extents, const std::vector<float>& values) = 0;
};

}  // namespace recon
