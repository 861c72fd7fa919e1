#include "data/files/checkpoint/checkpoint_file.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "core/base/error.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

CheckpointBlock block(const std::string& name, const std::string& contents) {
    return {name, contents.size(),
            [contents](const ByteSink& sink) { sink(std::as_bytes(std::span(contents.data(), contents.size()))); }};
}

class CheckpointFileTest : public ::testing::Test {
protected:
    void SetUp() override {
        write_checkpoint_file(path_, {{"version", "1.2"}}, {block("a", "some bytes"), block("b", "")});
        std::ifstream file(path_, std::ios::binary);
        bytes_ = (std::ostringstream() << file.rdbuf()).str();
    }
    void expect_damaged(const std::string& contents, const std::string& what) const {
        std::ofstream(path_, std::ios::binary) << contents;
        EXPECT_THROW(CheckpointFile{path_}, InputError) << what;
    }

    test::TemporaryFolder folder_;
    std::string path_ = folder_ / "a.ckpt";
    std::string bytes_;
};

TEST_F(CheckpointFileTest, GivesBackItsBlocks) {
    const CheckpointFile file(path_);
    EXPECT_EQ(file.header(), (RunRecord{{"version", "1.2"}}));
    EXPECT_EQ(file.names(), (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(file.size_of("b"), 0U);
    std::string part(5, ' ');
    file.read("a", 5, std::as_writable_bytes(std::span(part)));
    EXPECT_EQ(part, "bytes");
    test::expect_error<InputError>([&] { file.read("a", 6, std::as_writable_bytes(std::span(part))); }, {"damaged"});
}

TEST_F(CheckpointFileTest, ADamagedOneIsRefusedWhereverTheDamageIs) {
    for (std::size_t i = 0; i < bytes_.size(); ++i) {
        for (const char flip : {'\x01', '\x80'}) {
            std::string changed = bytes_;
            changed[i] = static_cast<char>(changed[i] ^ flip);
            expect_damaged(changed, "byte " + std::to_string(i));
        }
        expect_damaged(bytes_.substr(0, i), "cut to " + std::to_string(i));
    }
    expect_damaged(bytes_ + "x", "one byte more");
}

TEST_F(CheckpointFileTest, OneThatFailsLeavesTheOneBefore) {
    CheckpointBlock fails = block("c", "");
    fails.write = [](const ByteSink&) { throw InputError("the device is lost"); };
    EXPECT_THROW(write_checkpoint_file(path_, {{"version", "2"}}, {fails}), InputError);
    EXPECT_EQ(CheckpointFile(path_).header(), (RunRecord{{"version", "1.2"}}));
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_.path()), {}), 1) << "no litter";
}

}  // namespace
}  // namespace recon
