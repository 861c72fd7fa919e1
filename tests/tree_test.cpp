// The tree of docs/developer-guide.md: no folders that include each other, short files, folders to be seen at a glance.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "tests/support/paths.hpp"

namespace {

namespace fs = std::filesystem;
using Names = std::set<std::string>;

constexpr int most_lines = 300;
constexpr int most_files = 30;

/// Files that may be longer, and why.
const std::map<std::string, std::string> longer_files = {
    {"core/backend/cpu/cpu_toeplitz.cpp", "one plan in two forms that share their transforms"},
    {"gpu/exact/cuda_off_resonance_sums.cu", "forward and adjoint kernels that mirror each other line by line"},
    {"gpu/toeplitz/cuda_toeplitz.cu", "mirrors core/backend/cpu/cpu_toeplitz.cpp"},
    {"tests/benchmark/bench_gpu_exact_sums.cu", "kernels side by side, to be compared"},
    {"tests/data/formats/nifti/nifti_reader_test.cpp", "one format's cases over the same hand-made file"},
};

std::vector<fs::path> sources_in(const std::string& folder) {
    std::vector<fs::path> found;
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(recon::test::source_folder()) / folder)) {
        const std::string extension = entry.path().extension();
        if (extension == ".hpp" || extension == ".cpp" || extension == ".cu" || extension == ".cuh") {
            found.push_back(entry.path().lexically_relative(recon::test::source_folder()));
        }
    }
    return found;
}

/// Below `folder` the file lies in this folder, or directly: ".".
std::string place_in(const std::string& folder, const std::string& file) {
    const std::string rest = file.substr(folder.size() + 1);
    const std::size_t slash = rest.find('/');
    return slash == std::string::npos ? "." : rest.substr(0, slash);
}

class IncludeGraph {
public:
    void add(const std::string& from, const std::string& to) {
        for (std::size_t slash = from.find('/'); slash != std::string::npos; slash = from.find('/', slash + 1)) {
            if (to.compare(0, slash + 1, from, 0, slash + 1) != 0) {
                return;
            }
            const std::string folder = from.substr(0, slash);
            const std::string here = place_in(folder, from), there = place_in(folder, to);
            if (here != there) {
                edges_[folder][here][there] = from + " includes " + to;
            }
        }
    }

    Names folders() const {
        Names names;
        for (const auto& [folder, edges] : edges_) {
            names.insert(folder);
        }
        return names;
    }

    /// The parts of `folder` that lead back to themselves.
    Names in_cycles(const std::string& folder) const {
        Names found;
        for (const auto& [part, edges] : edges_.at(folder)) {
            if (reachable(folder, part).contains(part)) {
                found.insert(part);
            }
        }
        return found;
    }

    /// An include for each arrow between `parts`.
    std::string arrows(const std::string& folder, const Names& parts) const {
        std::string text;
        for (const std::string& part : parts) {
            for (const auto& [to, example] : edges_.at(folder).at(part)) {
                text += parts.contains(to) ? "  " + example + "\n" : "";
            }
        }
        return text;
    }

private:
    Names reachable(const std::string& folder, const std::string& start) const {
        Names seen;
        std::vector<std::string> open{start};
        while (!open.empty()) {
            const auto next = edges_.at(folder).find(open.back());
            open.pop_back();
            if (next != edges_.at(folder).end()) {
                for (const auto& [part, example] : next->second) {
                    if (seen.insert(part).second) {
                        open.push_back(part);
                    }
                }
            }
        }
        return seen;
    }

    std::map<std::string, std::map<std::string, std::map<std::string, std::string>>> edges_;
};

TEST(Tree, FoldersDoNotIncludeEachOther) {
    const std::regex include(R"re(^\s*#include\s+"([^"]+)")re");
    IncludeGraph graph;
    for (const char* folder : {"app", "core", "data", "gpu", "solver"}) {
        for (const fs::path& source : sources_in(folder)) {
            std::ifstream file(recon::test::source_folder() / source);
            std::smatch match;
            for (std::string line; std::getline(file, line);) {
                if (std::regex_search(line, match, include)) {
                    graph.add(source, match[1]);
                }
            }
        }
    }
    EXPECT_GT(graph.folders().size(), 5U);  // the search found the sources
    for (const std::string& folder : graph.folders()) {
        const Names parts = graph.in_cycles(folder);
        EXPECT_TRUE(parts.empty()) << folder << ": " << fmt::format("{}", fmt::join(parts, ", "))
                                   << " include each other:\n"
                                   << graph.arrows(folder, parts);
    }
}

TEST(Tree, FilesAreShort) {
    for (const char* folder : {"app", "core", "data", "gpu", "solver", "tests"}) {
        for (const fs::path& source : sources_in(folder)) {
            std::ifstream file(recon::test::source_folder() / source);
            int line_count = 0;
            for (std::string line; std::getline(file, line);) {
                ++line_count;
            }
            EXPECT_TRUE(line_count <= most_lines || longer_files.contains(source))
                << source << " has " << line_count << " lines, expected at most " << most_lines
                << ": split it, or give the reason in longer_files";
            EXPECT_TRUE(line_count > most_lines || !longer_files.contains(source))
                << source << " has " << line_count << " lines, and needs no place in longer_files";
        }
    }
}

TEST(Tree, FoldersAreSeenAtAGlance) {
    std::map<std::string, int> file_count;
    for (const char* folder : {"app", "core", "data", "gpu", "solver", "tests"}) {
        for (const fs::path& source : sources_in(folder)) {
            ++file_count[source.parent_path()];
        }
    }
    for (const auto& [folder, count] : file_count) {
        EXPECT_LE(count, most_files) << folder;
    }
}

}  // namespace
