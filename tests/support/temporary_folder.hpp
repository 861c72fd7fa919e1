#pragma once

#include <filesystem>
#include <random>
#include <string>

namespace recon::test {

/// A folder of its own for one test, removed with all it holds.
class TemporaryFolder {
public:
    TemporaryFolder() {
        std::random_device entropy;
        do {
            path_ = std::filesystem::temp_directory_path() / ("recon-test-" + std::to_string(entropy()));
        } while (!std::filesystem::create_directories(path_));
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    std::string path() const { return path_.string(); }
    std::string operator/(const std::string& name) const { return (path_ / name).string(); }

private:
    std::filesystem::path path_;
};

}  // namespace recon::test
