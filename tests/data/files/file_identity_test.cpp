#include "data/files/file_identity.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "core/base/error.hpp"
#include "data/files/atomic_output.hpp"
#include "data/files/hdf5_file.hpp"
#include "data/files/numeric_datasets.hpp"
#include "data/reading/scan_reader.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/file_contents.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

namespace fs = std::filesystem;
using test::expect_error;
using Files = std::vector<NamedFile>;

class FileIdentity : public ::testing::Test {
protected:
    void write(const std::string& path, const std::string& text = "x") { std::ofstream(path) << text; }
    void expect_refused(const Files& inputs, const Files& outputs, const std::vector<std::string>& words) {
        expect_error<UsageError>([&] { require_outputs_apart(inputs, outputs); }, words);
    }
    test::TemporaryFolder folder;
    std::string scan = folder / "scan.h5";
};

TEST_F(FileIdentity, OutputsThatAreInputsAreRefused) {
    write(scan);
    fs::create_symlink(scan, folder / "link.h5");
    fs::create_hard_link(scan, folder / "hard.h5");
    fs::create_directory(folder / "below");
    for (const std::string& name : {scan, folder / "link.h5", folder / "hard.h5", folder / "below/../scan.h5"}) {
        expect_refused({{"--scan", scan}}, {{"--out", name}}, {"--out", name, "--scan", scan});
    }
    expect_refused({{"--field-map", scan + ":/off_resonance_hz"}}, {{"--png", scan}}, {"--png", "--field-map"});
    expect_refused({{"--scan", folder / "link.h5"}}, {{"--json", scan}}, {"--json"});
    require_outputs_apart(Files{{"--scan", scan}, {"--mask", ""}},
                          Files{{"--out", folder / "image.h5"}, {"--png", ""}});
}

/// Of BART's, which go by the name of either file, or by neither's ending.
TEST_F(FileIdentity, EitherFileOfAPairStandsForBoth) {
    write(folder / "k.hdr");
    write(folder / "k.cfl");
    for (const char* const input : {"k", "k.cfl", "k.hdr"}) {
        for (const char* const output : {"k", "k.cfl", "k.hdr"}) {
            expect_refused({{"--scan", folder / input}}, {{"--out", folder / output}}, {"--out", "--scan"});
        }
        require_outputs_apart(Files{{"--scan", folder / input}}, Files{{"--out", folder / "k.h5"}});
    }
    write(folder / "scan");  // of another format, without an ending
    require_outputs_apart(Files{{"--scan", folder / "scan"}}, Files{{"--json", folder / "scan.hdr"}});
    expect_refused({}, {{"--out", folder / "new.cfl"}, {"--bart", folder / "new"}}, {"--out", "--bart"});
}

TEST_F(FileIdentity, OutputsOfOneNameAreRefused) {
    fs::create_symlink(folder / "new.h5", folder / "link.h5");
    expect_refused({}, {{"--out", folder / "new.h5"}, {"--json", folder / "./new.h5"}}, {"--out", "--json"});
    expect_refused({}, {{"--out", folder / "new.h5"}, {"--truth", folder / "link.h5"}}, {"--truth"});
    require_outputs_apart({}, Files{{"--png", "/dev/null"}, {"--json", "/dev/null"}});
}

TEST_F(FileIdentity, AFileOfAnInputFolderIsRefused) {
    fs::create_directory(folder / "set");
    write(folder / "set/kx.dat");
    expect_refused({{"--scan", folder / "set"}}, {{"--out", folder / "set/kx.dat"}}, {"kx.dat"});
    require_outputs_apart(Files{{"--scan", folder / "set"}}, Files{{"--out", folder / "set/image.h5"}});
}

TEST_F(FileIdentity, APipeIsRefusedAndNotWaitedFor) {
    const std::string pipe = folder / "pipe.h5";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    expect_error<InputError>([&] { read_scan(pipe); }, {"pipe.h5", "named pipe"});
    expect_error<InputError>([&] { H5File::open(pipe); }, {"pipe.h5", "named pipe"});
    expect_error<InputError>([&] { read_scan("/dev/zero"); }, {"/dev/zero", "device"});
}

TEST_F(FileIdentity, AFileThatMayNotBeReadIsSaidToBeOne) {
    write(scan, "mine");
    fs::permissions(scan, fs::perms::none);
    const uid_t before = ::geteuid();
    constexpr uid_t nobody = 65534;
    const bool is_nobody = before != 0 || ::seteuid(nobody) == 0;  // root may read everything
    expect_error<InputError>([&] { read_scan(scan); }, {scan, is_nobody ? "Permission denied" : ""});
    ASSERT_EQ(::seteuid(before), 0);
}

TEST_F(FileIdentity, AChangedInputIsSeen) {
    write(scan, "four");
    const auto before = stamps_of(scan);
    require_unchanged(scan, before);
    write(scan, "fourteen");
    expect_error<InputError>([&] { require_unchanged(scan, before); }, {"scan.h5", "changed while it was read"});
    const auto larger = stamps_of(scan);
    fs::remove(scan);
    expect_error<InputError>([&] { require_unchanged(scan, larger); }, {"changed"});
}

TEST_F(FileIdentity, WhatDeadProcessesLeftIsRemovedByTheNext) {
    const pid_t child = ::fork();
    if (child == 0) {
        ::_exit(0);
    }
    ASSERT_EQ(::waitpid(child, nullptr, 0), child);
    const std::string image = folder / "image.h5";
    const std::string of_this_process = AtomicOutput(image).temporary_path();  // NAME.partial-PLACE-PID-N
    const std::string place = of_this_process.substr(0, of_this_process.find("-" + std::to_string(::getpid()))) + "-";
    const std::string of_dead = std::to_string(child) + "-0";
    const std::string litter = place + of_dead;
    const std::string living = place + std::to_string(::getppid()) + "-7";
    const std::string of_another_host = image + ".partial-00c0ffee-" + of_dead;
    const std::string of_another_name = folder / ("other.h5" + litter.substr(image.size()));
    for (const std::string& name : {litter, living, of_another_host, of_another_name}) {
        write(name);
    }
    { const AtomicOutput output(image); }
    EXPECT_FALSE(fs::exists(litter));
    EXPECT_TRUE(fs::exists(living));
    EXPECT_TRUE(fs::exists(of_another_host)) << "whose processes have numbers of their own";
    EXPECT_TRUE(fs::exists(of_another_name));
}

TEST_F(FileIdentity, NamesMayBeAsLongAsTheFileSystemTakes) {
    const std::string path = folder / (std::string(250, 'a') + ".h5");
    AtomicOutput output(path);
    write(output.temporary_path());
    output.commit();
    EXPECT_TRUE(fs::exists(path));
}

/// The limit on the size of files makes a write fail wherever in HDF5 it happens, at the last close included.
TEST_F(FileIdentity, AWriteThatFailsLeavesTheOldFile) {
    const std::string path = folder / "image.h5";
    write(path, "old");
    const auto write_new = [&] {
        AtomicOutput output(path);
        H5File file = H5File::create(output.temporary_path());
        file.write("/image", std::vector<float>(20'000, 1.0F));
        file.write_attribute("/image", "unit", "1");
        file.close();
        output.commit();
    };
    rlimit limit{};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &limit), 0);
    const auto old_action = std::signal(SIGXFSZ, SIG_IGN);
    for (const rlim_t bytes : {0, 100, 2048, 50'000}) {
        rlimit lower = limit;
        lower.rlim_cur = bytes;
        ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &lower), 0);
        EXPECT_THROW(write_new(), InputError) << bytes << " bytes";
        ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
        EXPECT_EQ(test::contents_of(path), "old") << bytes << " bytes";
    }
    std::signal(SIGXFSZ, old_action);
    write_new();
    EXPECT_EQ(H5File::open(path).read<float>("/image").size(), 20'000U);
}

TEST_F(FileIdentity, AMissingFileIsToldWithItsLikeliestNeighbour) {
    write(folder / "measured.h5");
    const auto said = [](const std::string& path) { return std::string(missing_file(path).what()); };
    EXPECT_EQ(said(folder / "mesured.h5"),
              (folder / "mesured.h5") + ": no such file; did you mean '" + (folder / "measured.h5") + "'?");
    EXPECT_EQ(said(folder / "other.dat"), (folder / "other.dat") + ": no such file");
    EXPECT_EQ(said("/no/such/folder/scan.h5"), "/no/such/folder/scan.h5: no such file");
}

}  // namespace
}  // namespace recon
