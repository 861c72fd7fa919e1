#include "data/files/hdf5_there.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <filesystem>
#include <map>
#include <vector>

#include "data/files/file_identity.hpp"
#include "data/files/hdf5_probe.hpp"

namespace recon {
namespace {

/// Of the reading process.
std::map<std::uint64_t, H5File>& open_files() {
    static std::map<std::uint64_t, H5File> files;
    return files;
}

/// Walks through a file unless it is one of those found sound last: which they are changes nothing but time.
void walk_once(const std::string& path, const std::string& opened_as) {
    static std::deque<std::vector<FileStamp>> sound;
    const std::vector<FileStamp> stamps = stamps_of(opened_as);
    if (std::find(sound.begin(), sound.end(), stamps) != sound.end()) {
        return;
    }
    walk_hdf5(path, opened_as);
    constexpr std::size_t most = 100;
    sound.push_back(stamps);
    if (sound.size() > most) {
        sound.pop_front();
    }
}

void open_there(MessageReader& request, int descriptor, MessageWriter&) {
    const auto number = request.take<std::uint64_t>();
    const auto path = request.take<std::string>();
    const std::string by_descriptor = fmt::format("/proc/self/fd/{}", descriptor);
    std::error_code ignored;
    const std::string opened_as = std::filesystem::exists(by_descriptor, ignored) ? by_descriptor : path;
    walk_once(path, opened_as);
    open_files().emplace(number, H5File::open_here(path, opened_as));
}

void close_there(MessageReader& request, int, MessageWriter&) { open_files().erase(request.take<std::uint64_t>()); }

void work_there(MessageReader& request, int, MessageWriter& answer) {
    const auto number = request.take<std::uint64_t>();
    const auto work = request.take<Hdf5There::Work>();
    work(open_files().at(number), request, answer);
}

}  // namespace

Hdf5There::Hdf5There(std::shared_ptr<ReadingProcess> process, std::string path, int descriptor)
    : path_(std::move(path)), descriptor_(descriptor) {
    static std::atomic<std::uint64_t> count = 0;
    number_ = ++count;
    open(*process);
    process_ = process;
}

Hdf5There::~Hdf5There() {
    const std::shared_ptr<ReadingProcess> process = process_.lock();
    if (process && process->is_alive()) {
        try {
            MessageWriter request;
            request.put(number_);
            process->ask(path_, close_there, std::move(request));
        } catch (const std::exception&) {  // it is gone, or this process is to stop: then it is as good as closed
        }
    }
}

void Hdf5There::open(ReadingProcess& process) {
    MessageWriter request;
    request.put(number_);
    request.put(path_);
    process.ask(path_, open_there, std::move(request), descriptor_);
}

ReadingProcess::Answer Hdf5There::ask(Work work, MessageWriter request, const ReadingLimits& limits) {
    const std::scoped_lock lock(mutex_);
    std::shared_ptr<ReadingProcess> process = process_.lock();
    if (!process || !process->is_alive()) {  // another file was its end
        process = ReadingProcess::current();
        if (!process) {
            throw InputError(path_ + ": cannot be read any further, as the system refuses a process");
        }
        open(*process);
        process_ = process;
    }
    MessageWriter whole;
    whole.put(number_);
    whole.put(work);
    whole.bytes().insert(whole.bytes().end(), request.bytes().begin(), request.bytes().end());
    return process->ask(path_, work_there, std::move(whole), -1, limits);
}

}  // namespace recon
