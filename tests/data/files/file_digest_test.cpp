#include "data/files/digest/file_digest.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <span>
#include <string>

#include "core/base/error.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

class FileDigest : public ::testing::TestWithParam<std::size_t> {
protected:
    test::TemporaryFolder folder;
    std::string path = folder / "scan.h5";
};

TEST_P(FileDigest, IsThatOfAllBytesInOrder) {
    std::string contents(GetParam(), '\0');
    for (std::size_t i = 0; i < contents.size(); ++i) {
        contents[i] = static_cast<char>(i * 2654435761u >> 24);
    }
    std::ofstream(path, std::ios::binary) << contents;
    ContentHash whole;
    whole.add_bytes(std::as_bytes(std::span(contents)));
    EXPECT_EQ(digest_of_file(path), whole.digest());
}

// Of less than a piece that is read at once, of pieces, and of some more.
INSTANTIATE_TEST_SUITE_P(Sizes, FileDigest, ::testing::Values(0, 5, 1 << 20, 2 << 20, (13 << 20) + 77));

TEST(FileDigestOf, NothingAndOfAFolderIsRefused) {
    test::TemporaryFolder folder;
    test::expect_error<InputError>([&] { digest_of_file(folder / "none.h5"); }, {"none.h5", "cannot be read"});
    test::expect_error<InputError>([&] { digest_of_file(folder / ""); }, {"cannot be read"});
}

TEST(FileDigestOf, AFileEndsWhenAskedTo) {
    test::TemporaryFolder folder;
    std::ofstream(folder / "scan.h5") << "x";
    std::stop_source source;
    source.request_stop();
    EXPECT_FALSE(digest_of_file(folder / "scan.h5", source.get_token()));
}

}  // namespace
}  // namespace recon
