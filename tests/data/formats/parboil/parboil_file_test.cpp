#include "data/formats/parboil/parboil_file.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <limits>
#include <random>

#include "core/base/error.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/file_contents.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

ParboilInput sample_input() {
    ParboilInput input;
    float next = 0.5F;
    const auto numbers = [&](int count) {
        std::vector<float> values(count);
        for (float& value : values) {
            value = next += 0.25F;
        }
        return values;
    };
    for (int axis = 0; axis < 3; ++axis) {
        input.k[axis] = numbers(5);
        input.r[axis] = numbers(7);
    }
    for (int m = 0; m < 5; ++m) {
        input.phi.emplace_back(1.0F + static_cast<float>(m), -2.0F);
        input.kspace.emplace_back(-3.0F, static_cast<float>(m));
    }
    return input;
}

class ParboilFile : public ::testing::Test {
protected:
    std::string file_of(const std::string& bytes) const {
        std::ofstream(path_, std::ios::binary) << bytes;
        return path_;
    }
    template <class T>
    static std::string with(std::string bytes, std::size_t offset, T value) {
        std::memcpy(bytes.data() + offset, &value, sizeof(T));
        return bytes;
    }
    void expect_refused(const std::string& bytes, const std::vector<std::string>& parts) const {
        std::vector<std::string> expected = parts;
        expected.push_back(path_);
        test::expect_error<InputError>([&] { read_parboil_input(file_of(bytes)); }, expected);
    }

    test::TemporaryFolder folder_;
    std::string path_ = folder_ / "input.bin";
};

TEST_F(ParboilFile, InputWithDataIsReadAsWritten) {
    const ParboilInput written = sample_input();
    write_parboil_input(path_, written);
    const ParboilInput read = read_parboil_input(path_);
    EXPECT_EQ(read.k, written.k);
    EXPECT_EQ(read.r, written.r);
    EXPECT_EQ(read.phi, written.phi);
    EXPECT_EQ(read.kspace, written.kspace);
}

// The layout itself, by bytes written by hand: counts, three components of k, three of r, phi.
TEST_F(ParboilFile, LayoutIsThatOfMriQ) {
    std::string bytes(2 * 4 + (5 * 2 + 3 * 1) * 4, '\0');
    const std::int32_t counts[] = {2, 1};
    const float numbers[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13};
    std::memcpy(bytes.data(), counts, sizeof(counts));
    std::memcpy(bytes.data() + sizeof(counts), numbers, sizeof(numbers));
    const ParboilInput input = read_parboil_input(file_of(bytes));
    EXPECT_EQ(input.k[1], (std::vector<float>{3, 4}));
    EXPECT_EQ(input.r[2], (std::vector<float>{9}));
    EXPECT_EQ(input.phi, (std::vector<cfloat>{{10, 12}, {11, 13}}));
    EXPECT_TRUE(input.kspace.empty());
    write_parboil_input(path_, input);
    EXPECT_EQ(test::contents_of(path_), bytes);
}

TEST_F(ParboilFile, KeepsTheFirstSamples) {
    ParboilInput input = sample_input();
    input.keep_samples(99);
    EXPECT_EQ(input.sample_count(), 5);
    input.keep_samples(2);
    EXPECT_EQ(input.sample_count(), 2);
    EXPECT_EQ(input.k[2].size(), 2U);
    EXPECT_EQ(input.kspace.size(), 2U);
    EXPECT_EQ(input.voxel_count(), 7);
}

TEST_F(ParboilFile, DamageIsNamed) {
    write_parboil_input(path_, sample_input());
    const std::string good = test::contents_of(path_);
    expect_refused("", {"is empty (0 bytes)"});
    expect_refused(good.substr(0, 6), {"ends within"});
    expect_refused(good.substr(0, good.size() - 1), {"cut short", "5 samples", "7 voxels"});
    expect_refused(good + "x", {"bytes added"});
    expect_refused(with(good, 0, std::int32_t{-5}), {"-5 samples"});
    expect_refused(with(good, 4, std::int32_t{0}), {"0 voxels"});
    expect_refused(with(good, 0, std::numeric_limits<std::int32_t>::max()), {"2147483647 samples", "cut short"});
    const std::size_t second_y = 8 + 4 * (3 * 5 + 7 + 1);
    expect_refused(with(good, second_y, std::numeric_limits<float>::quiet_NaN()),
                   {"1 of the 7 numbers of y", "index 1"});
    expect_refused(with(good, good.size() - 4, std::numeric_limits<float>::infinity()), {"dI", "index 4"});
    test::expect_error<InputError>([&] { read_parboil_input(folder_ / "none.bin"); }, {"none.bin", "no such file"});
    test::expect_error<InputError>([&] { read_parboil_input(folder_.path()); }, {"no such file"});
}

// One to four changed bytes and now and then a cut: read or refused, and nothing else.
TEST_F(ParboilFile, MutationsAreReadOrRefused) {
    write_parboil_input(path_, sample_input());
    const std::string good = test::contents_of(path_);
    std::mt19937 random(3);
    int read = 0;
    int refused = 0;
    for (int round = 0; round < 400; ++round) {
        std::string bad = good;
        for (unsigned change = 0; change <= random() % 4; ++change) {
            const std::size_t reach = random() % 2 ? 8 : bad.size();  // the counts as often as all the rest
            bad[random() % reach] = static_cast<char>(random());
        }
        if (random() % 16 == 0) {
            bad.resize(random() % bad.size());
        }
        try {
            const ParboilInput input = read_parboil_input(file_of(bad));
            EXPECT_GT(input.voxel_count(), 0);
            EXPECT_TRUE(input.kspace.empty() || input.kspace.size() == input.phi.size());
            ++read;
        } catch (const InputError&) {
            ++refused;
        }
    }
    EXPECT_GT(read, 0);
    EXPECT_GT(refused, 0);
}

TEST_F(ParboilFile, OutputIsReadAsWritten) {
    const std::vector<cfloat> values{{1, 2}, {3, 4}, {5, 6}};
    write_parboil_output(path_, values);
    EXPECT_EQ(read_parboil_output(path_), values);
    const std::string good = test::contents_of(path_);
    ASSERT_EQ(good.size(), 4U + 6U * 4U);
    test::expect_error<InputError>([&] { read_parboil_output(file_of(good.substr(4))); }, {path_});
    test::expect_error<InputError>([&] { read_parboil_output(file_of(good + "1234")); }, {"bytes added"});
}

TEST_F(ParboilFile, AFailedWriteLeavesWhatWasThere) {
    file_of("precious");
    EXPECT_THROW(write_parboil_output(folder_ / "none/output.bin", {{1, 2}}), InputError);
    EXPECT_EQ(test::contents_of(path_), "precious");
}

}  // namespace
}  // namespace recon
