#include "data/files/hdf5_probe.hpp"

#include <algorithm>
#include <deque>
#include <mutex>
#include <vector>

#include "data/files/file_identity.hpp"
#include "data/files/hdf5_file.hpp"
#include "data/files/rehearsal/rehearsal.hpp"

namespace recon {
namespace {

/// The files found sound last, of the whole process: which they are is no one's business, and changes nothing but time.
class SoundFiles {
public:
    bool has(const std::vector<FileStamp>& file) {
        const std::scoped_lock lock(mutex_);
        return std::find(files_.begin(), files_.end(), file) != files_.end();
    }
    void add(const std::vector<FileStamp>& file) {
        constexpr std::size_t most = 100;
        const std::scoped_lock lock(mutex_);
        files_.push_back(file);
        if (files_.size() > most) {
            files_.pop_front();
        }
    }

private:
    std::mutex mutex_;
    std::deque<std::vector<FileStamp>> files_;
};

}  // namespace

void require_sound_hdf5(const std::string& path) {
    static SoundFiles sound;
    if (!H5File::looks_like_hdf5(path)) {
        return;
    }
    const std::vector<FileStamp> stamps = stamps_of(path);
    if (sound.has(stamps)) {
        return;
    }
    rehearse(path, [&path] { walk_hdf5(path); });
    sound.add(stamps);
}

}  // namespace recon
