#pragma once

#include <fstream>
#include <iterator>
#include <string>

namespace recon::test {

/// All bytes of a file; none if it cannot be read.
inline std::string contents_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace recon::test
