#include "data/files/hdf5_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "core/base/log.hpp"
#include "data/files/file_identity.hpp"
#include "data/files/hdf5_there.hpp"
#include "data/files/hdf5_types.hpp"

namespace recon {
namespace {

/// The library's own clean-up at exit writes through handles whose closing has failed, and crashes. Everything of ours
/// is closed where it goes out of use.
[[maybe_unused]] const herr_t no_clean_up_at_exit = H5dont_atexit();

}  // namespace

struct H5File::Implementation {
    ~Implementation() {
        there.reset();
        if (descriptor >= 0) {
            ::close(descriptor);
        }
    }
    H5Handle file;
    int descriptor = -1;
    std::unique_ptr<Hdf5There> there;
};

void silence_hdf5() { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }

InputError h5_failure(const std::string& path, const std::string& doing) {
    std::string reason;
    // The outermost frames only repeat which call failed; the innermost one says why.
    const auto keep_first = [](unsigned, const H5E_error2_t* frame, void* out) -> herr_t {
        auto& text = *static_cast<std::string*>(out);
        if (text.empty() && frame->desc != nullptr) {
            text = frame->desc;
        }
        return 0;
    };
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, &reason);
    std::erase(reason, '\n');                                        // of the times in it
    constexpr std::string_view of_the_system = "error message = '";  // among addresses and counts of bytes
    if (const std::size_t at = reason.find(of_the_system); at != std::string::npos) {
        const std::size_t begin = at + of_the_system.size();
        reason = reason.substr(begin, reason.find('\'', begin) - begin);
    }
    if (reason.find("version number") != std::string::npos) {
        return InputError(fmt::format(
            "{}: {} failed: {}: it is in a newer form of HDF5 than version {}.{}.{} reads, or damaged; rewrite it by "
            "h5repack, or from h5py with File(name, 'w', libver=('earliest', 'v110'))",
            path, doing, reason, H5_VERS_MAJOR, H5_VERS_MINOR, H5_VERS_RELEASE));
    }
    return InputError(fmt::format("{}: {} failed{}{}", path, doing, reason.empty() ? "" : ": ", reason));
}

H5Handle h5_open_file(const std::string& path) {
    // The default driver looks for a file by the name that its link leads to. Never closed before the end: closing
    // would wipe out the reason of a failure.
    static const H5Handle by_stream = [] {
        H5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
        H5Pset_fapl_stdio(access);
        return access;
    }();
    std::error_code ignored;
    const bool is_nameless = std::filesystem::hard_link_count(path, ignored) == 0;
    return {H5Fopen(path.c_str(), H5F_ACC_RDONLY, is_nameless ? hid_t{by_stream} : H5P_DEFAULT), H5Fclose};
}

H5File::H5File(std::string path, std::unique_ptr<Implementation> implementation)
    : path_(std::move(path)), implementation_(std::move(implementation)) {}
H5File::~H5File() = default;
H5File::H5File(H5File&&) noexcept = default;

std::int64_t H5File::id() const { return implementation_->file; }

int H5File::descriptor() const { return implementation_->descriptor; }
Hdf5There* H5File::there() const { return implementation_->there.get(); }

/// The signature stands at the start, or behind a block of the user's of 512, 1024, 2048, ... bytes.
bool H5File::looks_like_hdf5(const std::string& path) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) {
        return false;
    }
    constexpr std::string_view signature("\x89HDF\r\n\x1a\n", 8);
    std::ifstream file(path, std::ios::binary);
    std::array<char, signature.size()> found{};
    for (std::streamoff at = 0; file.seekg(at).read(found.data(), found.size()); at = at == 0 ? 512 : 2 * at) {
        if (std::string_view(found.data(), found.size()) == signature) {
            return true;
        }
    }
    return false;
}

H5File H5File::open(const std::string& path) {
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) {
        throw missing_file(path);
    }
    require_file_or_folder(path);  // opening a pipe would wait for someone to write
    if (std::ifstream readable(path); !readable) {
        throw InputError(fmt::format("{}: cannot be read: {}", path, std::strerror(errno)));
    }
    if (!looks_like_hdf5(path)) {
        const bool is_empty =
            std::filesystem::is_regular_file(path, ignored) && std::filesystem::is_empty(path, ignored);
        throw InputError(fmt::format("{}: is {}", path, is_empty ? "empty (0 bytes)" : "not an HDF5 file"));
    }
    std::shared_ptr<ReadingProcess> process;
    if (!ReadInThisProcess::is_asked_for()) {
        process = ReadingProcess::current();
        if (!process) {
            log_warning("{}: is read without having been tried out, as the system refuses a process: {}", path,
                        std::strerror(errno));
        }
    }
    if (!process) {
        return open_here(path, path);
    }
    auto implementation = std::make_unique<Implementation>();
    implementation->descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    implementation->there = std::make_unique<Hdf5There>(process, path, implementation->descriptor);
    return {path, std::move(implementation)};
}

H5File H5File::open_here(const std::string& path, const std::string& opened_as) {
    silence_hdf5();
    auto implementation = std::make_unique<Implementation>();
    implementation->file = h5_open_file(opened_as);
    h5_check<hid_t>(implementation->file, path, "opening the HDF5 file (is it complete?)");
    implementation->descriptor = ::open(opened_as.c_str(), O_RDONLY | O_CLOEXEC);
    return {path, std::move(implementation)};
}

H5File H5File::create(const std::string& path) {
    silence_hdf5();
    auto implementation = std::make_unique<Implementation>();
    implementation->file = H5Handle(
        h5_check(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), path, "creating the HDF5 file"),
        H5Fclose);
    return {path, std::move(implementation)};
}

void H5File::close() {
    if (implementation_->file >= 0) {
        h5_check(H5Fflush(implementation_->file, H5F_SCOPE_GLOBAL), path_,
                 "writing the last bytes (is the disk full?)");
        h5_check(implementation_->file.close(), path_, "closing the file (is the disk full?)");
    }
}

namespace {

/// Data outside of the file are not read: the file would make the program open any other that it names.
void require_own_storage(const std::string& path, const std::string& name, hid_t dataset) {
    const H5Handle properties(h5_check(H5Dget_create_plist(dataset), path, "opening dataset " + name), H5Pclose);
    if (H5Pget_layout(properties) == H5D_VIRTUAL || H5Pget_external_count(properties) > 0) {
        throw InputError(
            fmt::format("{}: the numbers of dataset {} lie in other files, which are not read; copy the "
                        "dataset with its contents into one file",
                        path, name));
    }
}

/// Type of the object at `name`; H5O_TYPE_UNKNOWN if any part of the path is missing.
/// @throws InputError if it is there and cannot be read, or leads out of the file
H5O_type_t object_type(const std::string& path, hid_t file, const std::string& name) {
    if (name.empty()) {
        return H5O_TYPE_UNKNOWN;
    }
    H5O_type_t type = H5O_TYPE_GROUP;  // the root
    for (std::size_t end = 0; end != std::string::npos;) {
        end = name.find('/', end + 1);
        const std::string part = name.substr(0, end);
        if (part == "/") {
            continue;
        }
        if (type != H5O_TYPE_GROUP) {
            return H5O_TYPE_UNKNOWN;  // nothing lies within a dataset
        }
        const htri_t is_link = h5_check(H5Lexists(file, part.c_str(), H5P_DEFAULT), path, "looking for " + part);
        if (is_link == 0) {
            return H5O_TYPE_UNKNOWN;
        }
        H5L_info_t link{};
        h5_check(H5Lget_info(file, part.c_str(), &link, H5P_DEFAULT), path, "looking for " + part);
        if (link.type == H5L_TYPE_EXTERNAL) {
            throw InputError(
                fmt::format("{}: {} is a link into another file, which is not followed; copy what it "
                            "names into this file",
                            path, part));
        }
        const htri_t leads_somewhere = H5Oexists_by_name(file, part.c_str(), H5P_DEFAULT);
        if (link.type == H5L_TYPE_SOFT && leads_somewhere <= 0) {
            return H5O_TYPE_UNKNOWN;  // a symbolic link to nothing
        }
        const H5Handle object(h5_check(H5Oopen(file, part.c_str(), H5P_DEFAULT), path, "opening " + part), H5Oclose);
        switch (H5Iget_type(object)) {
            case H5I_DATASET:
                require_own_storage(path, part, object);
                type = H5O_TYPE_DATASET;
                break;
            case H5I_GROUP: type = H5O_TYPE_GROUP; break;
            default: type = H5O_TYPE_UNKNOWN;
        }
    }
    return type;
}

std::vector<std::string> names_there(const H5File& file, const std::string& group) {
    const H5Handle handle(
        h5_check(H5Gopen2(file.id(), group.c_str(), H5P_DEFAULT), file.path(), "opening group " + group), H5Gclose);
    std::vector<std::string> names;
    const auto collect = [](hid_t, const char* name, const H5L_info_t*, void* out) -> herr_t {
        static_cast<std::vector<std::string>*>(out)->emplace_back(name);
        return 0;
    };
    h5_check(H5Literate(handle, H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, collect, &names), file.path(),
             "listing group " + group);
    std::sort(names.begin(), names.end());
    return names;
}

std::vector<std::string> attribute_names_there(const H5File& file, const std::string& object) {
    std::vector<std::string> names;
    const auto collect = [](hid_t, const char* name, const H5A_info_t*, void* out) -> herr_t {
        static_cast<std::vector<std::string>*>(out)->emplace_back(name);
        return 0;
    };
    h5_check(H5Aiterate_by_name(file.id(), object.c_str(), H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, collect, &names,
                                H5P_DEFAULT),
             file.path(), "listing the attributes of " + object);
    std::sort(names.begin(), names.end());
    return names;
}

}  // namespace

bool H5File::has_dataset(const std::string& name) const {
    return call_there(
        *this,
        +[](const H5File& file, const std::string& dataset) {
            return object_type(file.path(), file.id(), dataset) == H5O_TYPE_DATASET;
        },
        name);
}

bool H5File::has_group(const std::string& name) const {
    return call_there(
        *this,
        +[](const H5File& file, const std::string& group) {
            return object_type(file.path(), file.id(), group) == H5O_TYPE_GROUP;
        },
        name);
}

bool H5File::has_attribute(const std::string& object, const std::string& name) const {
    return call_there(
        *this,
        +[](const H5File& file, const std::string& of, const std::string& attribute) {
            return object_type(file.path(), file.id(), of) != H5O_TYPE_UNKNOWN &&
                   h5_check(H5Aexists_by_name(file.id(), of.c_str(), attribute.c_str(), H5P_DEFAULT), file.path(),
                            fmt::format("looking for attribute {} of {}", attribute, of)) > 0;
        },
        object, name);
}

std::vector<std::string> H5File::names_in(const std::string& group) const {
    return call_there(*this, names_there, group);
}

std::vector<std::string> H5File::attribute_names(const std::string& object) const {
    return call_there(*this, attribute_names_there, object);
}

}  // namespace recon
