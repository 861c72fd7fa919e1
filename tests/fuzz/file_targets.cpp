// What is read from files: each input becomes a file in memory, and is read in every role that files have.
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "core/base/error.hpp"
#include "data/describe_file.hpp"
#include "data/files/checkpoint/checkpoint_file.hpp"
#include "data/files/content_hash.hpp"
#include "data/files/disk_cache.hpp"
#include "data/files/hdf5_probe.hpp"
#include "data/files/reading_process/reading_process.hpp"
#include "data/formats/impatient/impatient_file.hpp"
#include "data/formats/parboil/parboil_file.hpp"
#include "data/reading/array_reader.hpp"
#include "data/reading/field_map_reader.hpp"
#include "data/reading/format.hpp"
#include "data/reading/impulse_response_file.hpp"
#include "data/reading/placed_image_reader.hpp"
#include "data/reading/trajectory_file.hpp"
#include "tests/fuzz/fuzz_target.hpp"
#include "tests/fuzz/trial_process.hpp"
#include "tests/support/file_contents.hpp"
#include "tests/support/impatient_set.hpp"
#include "tests/support/sample_scan.hpp"

namespace recon::test {
namespace {

namespace fs = std::filesystem;
using Texts = std::vector<std::string>;

/// A folder in memory, one for the process, removed at its end.
class FuzzFolder {
public:
    FuzzFolder() : path_("/dev/shm/recon-fuzz-" + std::to_string(::getpid())) { fs::create_directories(path_); }
    ~FuzzFolder() {
        std::error_code ignored;
        if (path_ == "/dev/shm/recon-fuzz-" + std::to_string(::getpid())) {  // not of a child's
            fs::remove_all(path_, ignored);
        }
    }
    /// A new file, as one that was written to again could be taken for the one before.
    std::string file(const std::string& name, Bytes bytes) const {
        const std::string path = path_ + "/" + name;
        std::error_code ignored;
        fs::remove(path, ignored);
        std::ofstream(path, std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
        return path;
    }
    std::string operator/(const std::string& name) const { return path_ + "/" + name; }

private:
    std::string path_;
};

const FuzzFolder& folder() {
    static const FuzzFolder instance;
    return instance;
}

bool one_role_each = false;

/// In all of its roles or in one: a file may be refused in one role and fine in the next.
void read_in_roles(const std::string& path, Bytes bytes) {
    const PerAxis<Index> matrix{4, 3, 2};
    const std::function<void()> roles[] = {
        [&] {
            ScanReadOptions options;
            options.matrix_size = matrix;
            read_scan(path, options);
        },
        [&] { read_placed_image(path); },
        [&] { read_trajectory(path); },
        [&] { read_coil_maps(path, matrix, 2); },
        [&] { read_field_map(path, matrix); },
        [&] { describe_file(path); },
    };
    const std::size_t chosen = std::hash<std::string_view>()(text_of_bytes(bytes)) % std::size(roles);
    for (std::size_t role = 0; role < std::size(roles); ++role) {
        if (one_role_each && role != chosen) {
            continue;
        }
        try {
            roles[role]();
        } catch (const Error& error) {
            if (is_finding(error)) {
                throw;
            }
        }
    }
}

Texts written_scan(const std::string& format, const std::string& file) {
    const std::string path = folder() / file;
    formats().get(format).write_scan(sample_scan({{4, 3, 2}, 2, 3, 4, 2}), path);
    return {test::contents_of(path)};
}

Texts written_image(const std::string& format, const std::string& file) {
    Image image;
    image.geometry.matrix_size = {4, 3, 2};
    image.geometry.field_of_view_mm = {240, 200, 33};
    image.geometry.orientation = Orientation{{1, 2, 3}, {0, 1, 0}, {-1, 0, 0}, {0, 0, 1}};
    image.voxels.assign(24, cfloat(1, 0));
    const std::string path = folder() / file;
    formats().get(format).write_image(image, path);
    return {test::contents_of(path)};
}

FuzzTarget file_target(const std::string& name, const std::string& file, std::function<Texts()> seeds) {
    return {name, [file](Bytes bytes) { read_in_roles(folder().file(file, bytes), bytes); }, std::move(seeds)};
}

/// A file that is refused before it is read is so in every role.
class Hdf5Reading {
public:
    Hdf5Reading() : trial_([&] { walk(); }, [&] { read(); }) {}

    /// As the program does, which has another process walk through the file first: here one for many files. What ends
    /// it later is the library's, or a finding: reading the file with all that the program does tells.
    void run(Bytes bytes) {
        folder().file("fuzz.h5", bytes);
        if (trial_.run() == TrialEnd::otherwise) {
            read_in_roles(path_, bytes);
        }
    }

private:
    void walk() {
        try {
            walk_hdf5(path_, path_);
            is_sound_ = true;
        } catch (const InputError&) {
            is_sound_ = false;
        }
    }
    void read() {
        const ReadInThisProcess this_is_it;
        if (is_sound_) {
            const std::string contents = test::contents_of(path_);
            read_in_roles(path_, std::as_bytes(std::span(contents)));
        }
    }

    std::string path_ = folder() / "fuzz.h5";
    bool is_sound_ = false;  ///< in the other process
    TrialProcess trial_;
};

void read_hdf5(Bytes bytes) {
    static Hdf5Reading reading;
    reading.run(bytes);
}

/// Header and numbers of BART in one: what stands before the first zero byte is the header.
void read_bart(Bytes bytes) {
    const auto zero = std::find(bytes.begin(), bytes.end(), std::byte{0});
    const auto length = static_cast<std::size_t>(zero - bytes.begin());
    folder().file("fuzz.hdr", bytes.first(length));
    read_in_roles(folder().file("fuzz.cfl", bytes.subspan(std::min(length + 1, bytes.size()))), bytes);
}

Texts bart_seeds() {
    written_image("bart", "seed.cfl");
    return {test::contents_of(folder() / "seed.hdr") + '\0' + test::contents_of(folder() / "seed.cfl")};
}

/// With the digest that belongs to it, which no mutation would find.
void read_checkpoint(Bytes bytes) {
    std::vector<std::byte> whole(bytes.begin(), bytes.end());
    ContentHash hash;
    hash.add_bytes(bytes);
    const Digest digest = hash.digest();
    whole.insert(whole.end(), digest.begin(), digest.end());
    const CheckpointFile file(folder().file("fuzz.ckpt", whole));
    for (const std::string& name : file.names()) {
        std::vector<std::byte> block(file.size_of(name));
        file.read(name, 0, block);
    }
}

Texts checkpoint_seeds() {
    const std::string path = folder() / "seed.ckpt";
    const std::vector<std::byte> block(20, std::byte{7});
    write_checkpoint_file(
        path, {{"options", {{"--lambda", "0.01"}}}},
        {{"x", block.size(), [&](const ByteSink& sink) { sink(block); }}, {"empty", 0, [](const ByteSink&) {}}});
    const std::string whole = test::contents_of(path);
    return {whole.substr(0, whole.size() - sizeof(Digest))};
}

DiskCache fuzz_cache() { return DiskCache({.folder = folder() / "cache"}); }

void read_cache_entry(Bytes bytes) {
    fs::create_directories(folder() / "cache");
    folder().file("cache/" + fs::path(fuzz_cache().path_of({})).filename().string(), bytes);
    std::vector<std::byte> contents(64);
    fuzz_cache().read({}, contents);
}

Texts cache_seeds() {
    fuzz_cache().write({}, std::vector<std::byte>(64, std::byte{3}));
    return {test::contents_of(fuzz_cache().path_of({}))};
}

/// A block of each kind: a pulse, a trapezoid and a shape, a readout; shapes packed and not.
Texts pulseq_seeds() {
    return {
        "# Pulseq sequence file\n[VERSION]\nmajor 1\nminor 4\nrevision 1\n\n[DEFINITIONS]\nGradientRasterTime 1e-05\n"
        "BlockDurationRaster 1e-05\nRadiofrequencyRasterTime 1e-06\n\n[BLOCKS]\n1 10 1 0 0 0 0 0\n2 10 0 1 2 0 1 0\n\n"
        "[RF]\n1 2500 1 2 0 0 0 0\n\n[GRADIENTS]\n2 100 3 0 0\n\n[TRAP]\n1 1000 10 80 10 0\n\n[ADC]\n1 4 25000 0 0 "
        "0\n\n"
        "[SHAPES]\n\nshape_id 1\nnum_samples 100\n1\n0\n0\n97\n\nshape_id 2\nnum_samples 2\n0\n0\n\n"
        "shape_id 3\nnum_samples 10\n1\n0\n0\n7\n"};
}

Texts impatient_seeds() {
    return {impatient_bytes({1, 2, 3, 4}, ImpatientHeader::binary, 2),
            impatient_bytes({1, 2, 3, 4}, ImpatientHeader::text, 2)};
}

Texts parboil_seeds() {
    ParboilInput input;
    input.k = {std::vector<float>{0, 1}, std::vector<float>{1, 2}, std::vector<float>{3, 4}};
    input.r = {std::vector<float>{0}, std::vector<float>{1}, std::vector<float>{2}};
    input.phi = {cfloat(1, 0), cfloat(0, 1)};
    write_parboil_input(folder() / "seed.bin", input);
    write_parboil_output(folder() / "seed.out", input.phi);
    return {test::contents_of(folder() / "seed.bin"), test::contents_of(folder() / "seed.out")};
}

}  // namespace

void read_in_one_role_each() { one_role_each = true; }

std::vector<FuzzTarget> file_targets() {
    return {
        {"scan_hdf5", read_hdf5, [] { return written_scan("recon", "seed.h5"); }},
        {"scan_mrd", read_hdf5, [] { return written_scan("mrd", "seed_mrd.h5"); }},
        file_target("scan_npz", "fuzz.npz", [] { return written_scan("npz", "seed.npz"); }),
        file_target("nifti", "fuzz.nii", [] { return written_image("nifti", "seed.nii"); }),
        file_target("image_npy", "fuzz.npy", [] { return written_image("npy", "seed.npy"); }),
        file_target("text", "fuzz.txt",
                    [] {
                        return Texts{"# k\n0.5, 1.5\n-2 3e-1\n", "1;2;3\n4\t5 6\r\n"};
                    }),
        file_target("scan_mrdstream", "fuzz.mrdstream", [] { return written_scan("mrdstream", "seed.mrdstream"); }),
        file_target("image_mrdstream", "fuzz.mrdstream",
                    [] { return written_image("mrdstream", "seed_image.mrdstream"); }),
        file_target("pulseq", "fuzz.seq", pulseq_seeds),
        {"impulse_response", [](Bytes bytes) { read_impulse_response(folder().file("girf.txt", bytes)); },
         [] { return Texts{"# s x y z\n0 0.6 0.5 0.6\n4e-6 .4 .5 .4\n"}; }},
        {"bart", read_bart, bart_seeds},
        {"impatient", [](Bytes bytes) { read_impatient_file(folder().file("fuzz.dat", bytes)); }, impatient_seeds},
        {"parboil", [](Bytes bytes) { read_parboil_input(folder().file("fuzz.bin", bytes)); }, parboil_seeds},
        {"parboil_output", [](Bytes bytes) { read_parboil_output(folder().file("fuzz.out", bytes)); }, parboil_seeds},
        {"checkpoint", read_checkpoint, checkpoint_seeds},
        {"cache", read_cache_entry, cache_seeds},
    };
}

}  // namespace recon::test
