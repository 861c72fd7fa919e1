#include "data/files/disk_cache.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <vector>

#include "core/base/log_binding.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<std::byte>;

Digest digest_of(std::span<const std::byte> bytes) {
    ContentHash hash;
    hash.add_bytes(bytes);
    return hash.digest();
}

Digest key(int number) { return digest_of(std::as_bytes(std::span(&number, 1))); }

Bytes contents(std::size_t size, int seed = 1) {
    Bytes bytes(size);
    for (std::size_t i = 0; i < size; ++i) {
        bytes[i] = static_cast<std::byte>((i * 131 + static_cast<std::size_t>(seed) * 7919) >> 3);
    }
    return bytes;
}

/// Lines of the log that contain a text.
Index count_of_log_lines(const std::string& text) {
    const std::vector<std::string> lines = log_history();
    return std::count_if(lines.begin(), lines.end(),
                         [&](const std::string& line) { return line.find(text) != std::string::npos; });
}

class DiskCacheTest : public ::testing::Test {
protected:
    std::vector<std::string> files() const {
        std::vector<std::string> names;
        for (const auto& entry : fs::directory_iterator(place)) {
            names.push_back(entry.path().filename().string());
        }
        return names;
    }
    /// As if last used so many minutes ago.
    void age(const std::string& path, int minutes) const {
        fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::minutes(minutes));
    }
    void overwrite(const std::string& path, std::streamoff offset, const std::string& text) const {
        std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(offset);
        file << text;
    }

    test::TemporaryFolder folder;
    Log log;
    const LogBinding bound{&log};
    std::string place = folder / "some/where";
    DiskCache cache{{place, 100'000'000}};
};

TEST_F(DiskCacheTest, WhatIsWrittenIsRead) {
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{1} << 20, std::size_t{3'000'001}}) {
        const Digest at = key(static_cast<int>(size));
        Bytes found(size);
        EXPECT_FALSE(cache.has(at));
        EXPECT_FALSE(cache.read(at, found));
        ASSERT_TRUE(cache.write(at, contents(size)));
        EXPECT_TRUE(cache.has(at));
        ASSERT_TRUE(cache.read(at, found)) << size;
        EXPECT_EQ(found, contents(size));
    }
    EXPECT_EQ(files().size(), 4U) << "no temporary files are left";
}

TEST_F(DiskCacheTest, DamagedTruncatedAndForeignEntriesAreIgnoredAndReplaced) {
    constexpr std::size_t size = 3'000'000;
    Bytes found(size);
    const Digest at = key(1);
    const std::string path = cache.path_of(at);
    const auto expect_ignored = [&](const char* how, const std::string& reason) {
        const Index before = count_of_log_lines(path);
        EXPECT_FALSE(cache.read(at, found)) << how;
        EXPECT_EQ(count_of_log_lines(path), before + 1) << how;
        EXPECT_GE(count_of_log_lines(reason), 1) << how;
        ASSERT_TRUE(cache.write(at, contents(size)));
        EXPECT_TRUE(cache.read(at, found)) << how << ", replaced";
        EXPECT_EQ(found, contents(size)) << how << ", replaced";
    };
    ASSERT_TRUE(cache.write(at, contents(size)));
    for (const std::streamoff offset : {80, 1'500'000, 3'000'079}) {
        overwrite(path, offset, "\xff");
        expect_ignored("a byte of the contents is another", "it is damaged");
    }
    overwrite(path, 30, "other");
    expect_ignored("the key of another entry", "no entry of this program");
    overwrite(path, 0, "\x89HDF\r\n");
    expect_ignored("another kind of file", "no entry of this program");
    fs::resize_file(path, size);
    expect_ignored("the end is missing", "it is not");
    fs::resize_file(path, 10);
    expect_ignored("hardly a beginning", "no entry of this program");
    fs::resize_file(path, 0);
    expect_ignored("empty", "no entry of this program");
    fs::resize_file(path, size + 200);
    expect_ignored("zeros", "no entry of this program");
    Bytes longer(size + 1);
    EXPECT_FALSE(cache.read(at, longer)) << "not what was asked for";
}

TEST_F(DiskCacheTest, TheEntryNotUsedForLongestMakesRoom) {
    const DiskCache small({place, 3 * 1'000'100});
    for (int i = 0; i < 3; ++i) {
        ASSERT_TRUE(small.write(key(i), contents(1'000'000, i)));
        age(small.path_of(key(i)), 30 - i);
    }
    Bytes found(1'000'000);
    ASSERT_TRUE(small.read(key(0), found)) << "used now";
    ASSERT_TRUE(small.write(key(3), contents(1'000'000, 3)));
    EXPECT_TRUE(small.has(key(0)));
    EXPECT_FALSE(small.has(key(1))) << "was used before all others";
    EXPECT_TRUE(small.has(key(2)));
    EXPECT_TRUE(small.has(key(3)));
    EXPECT_FALSE(small.write(key(4), contents(4'000'000))) << "larger than the cache may be";
    EXPECT_EQ(files().size(), 3U);
}

TEST_F(DiskCacheTest, OnlyItsOwnFilesAreRemoved) {
    const DiskCache small({place, 1000});
    ASSERT_TRUE(small.write(key(0), contents(10)));
    const std::string foreign = place + "/thesis.q";
    std::ofstream(foreign) << std::string(5000, 'x');
    age(foreign, 1000);
    const std::string abandoned = small.path_of(key(7)) + ".partial-4711-0";
    const std::string being_written = small.path_of(key(8)) + ".partial-4712-0";
    std::ofstream(abandoned) << "half";
    std::ofstream(being_written) << "half";
    age(abandoned, 1000);
    age(small.path_of(key(0)), 10);
    ASSERT_TRUE(small.write(key(1), contents(800)));
    EXPECT_TRUE(fs::exists(foreign));
    EXPECT_FALSE(fs::exists(abandoned)) << "of a process that died";
    EXPECT_TRUE(fs::exists(being_written));
    EXPECT_TRUE(small.has(key(1)));
}

TEST_F(DiskCacheTest, AFolderThatCannotBeWrittenIsAWarningOnce) {
    std::ofstream(folder / "file") << "no folder";
    const std::string impossible = folder / "file" + std::string("/cache");
    const DiskCache unwritable({impossible, 1'000'000});
    const Index before = count_of_log_lines(impossible);
    EXPECT_FALSE(unwritable.write(key(1), contents(100)));
    EXPECT_FALSE(unwritable.write(key(2), contents(100)));
    Bytes found(100);
    EXPECT_FALSE(unwritable.read(key(1), found));
    EXPECT_EQ(count_of_log_lines(impossible), before + 1);
    EXPECT_FALSE(DiskCache({"", 1'000'000}).write(key(1), contents(100))) << "no cache is no error";
}

/// Readers and writers of the same few entries, in several processes, under a limit that keeps throwing entries out: a
/// read gives the whole contents or nothing.
TEST_F(DiskCacheTest, ProcessesMayShareIt) {
    constexpr int process_count = 4, without_hits = 2;  // all may find theirs gone but one
    int with_hits = 0;
    constexpr std::size_t size = 200'000;
    std::vector<pid_t> children;
    for (int process = 0; process < process_count; ++process) {
        const pid_t child = fork();
        if (child == 0) {
            const DiskCache shared({place, 2 * size + 1000});
            Bytes found(size);
            bool good = true;
            int hits = 0;
            for (int i = 0; i < 60; ++i) {
                const int number = (i + process) % 3;
                if (shared.read(key(number), found)) {
                    ++hits;
                    good = good && found == contents(size, number);
                } else {
                    shared.write(key(number), contents(size, number));
                }
            }
            _exit(!good ? 1 : hits > 0 ? 0 : without_hits);
        }
        children.push_back(child);
    }
    for (const pid_t child : children) {
        int status = 0;
        ASSERT_EQ(waitpid(child, &status, 0), child);
        EXPECT_TRUE(WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == without_hits)) << status;
        with_hits += status == 0 ? 1 : 0;
    }
    EXPECT_GT(with_hits, 0);
    for (const std::string& name : files()) {
        EXPECT_EQ(name.size(), 66U) << name << " was left behind";
    }
}

TEST(ContentHash, IsSha256AndKeepsPartsApart) {
    // FIPS 180-4, the standard's example of one block.
    const std::string abc = "abc";
    EXPECT_EQ(text_of(digest_of(std::as_bytes(std::span(abc)))),
              "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    const auto of_texts = [](const std::string& a, const std::string& b) {
        ContentHash hash;
        hash.add(a);
        hash.add(b);
        return hash.digest();
    };
    EXPECT_NE(of_texts("ab", "c"), of_texts("a", "bc"));
    const auto of_lists = [](std::vector<double> a, std::vector<double> b) {
        ContentHash hash;
        hash.add_list(std::span<const double>(a));
        hash.add_list(std::span<const double>(b));
        return hash.digest();
    };
    EXPECT_NE(of_lists({1, 2}, {3}), of_lists({1}, {2, 3}));
    EXPECT_NE(of_lists({1, 2}, {}), of_lists({}, {1, 2}));
    std::vector<double> large(400'000, 1.0);  // several pieces
    const Digest before = of_lists(large, {});
    EXPECT_EQ(of_lists(large, {}), before);
    for (const std::size_t i : {std::size_t{0}, std::size_t{131'072}, large.size() - 1}) {
        large[i] = std::nextafter(1.0, 2.0);
        EXPECT_NE(of_lists(large, {}), before) << i;
        large[i] = 1;
    }
}

}  // namespace
}  // namespace recon
