#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "data/files/hdf5_file.hpp"
#include "data/files/reading_process/reading_process.hpp"

namespace recon {

/// An HDF5 file of anyone's, open in the reading process: the library, which crashes and hangs on damaged files, reads
/// it there alone. What it finds there is answered as values, numbers too large for a message in shared memory; where
/// numbers lie as they are, this process reads them from the file itself (hdf5_straight_read.hpp).
class Hdf5There {
public:
    using Work = void (*)(const H5File&, MessageReader& request, MessageWriter& answer);

    /// Has it walk through the file, unless it has, and open it.
    /// @param descriptor  of the file, open for reading, as long as this lives
    /// @throws InputError as walk_hdf5, ReadingProcess::ask, or if the file cannot be opened
    Hdf5There(std::shared_ptr<ReadingProcess> process, std::string path, int descriptor);
    ~Hdf5There();
    Hdf5There(const Hdf5There&) = delete;
    Hdf5There& operator=(const Hdf5There&) = delete;

    ReadingProcess::Answer ask(Work work, MessageWriter request, const ReadingLimits& limits);

private:
    void open(ReadingProcess& process);

    std::mutex mutex_;
    std::string path_;
    int descriptor_;
    std::uint64_t number_;                   ///< of this in the other process
    std::weak_ptr<ReadingProcess> process_;  ///< in which it is open
};

/// Does `work` where the library may read the file: in the reading process, or here for files that are open here. It is
/// serial and silent, and captures nothing. @throws what it throws, and as ReadingProcess::ask
template <class Result, class... Arguments>
Result call_there(const H5File& file, const ReadingLimits& limits, Result (*work)(const H5File&, const Arguments&...),
                  const std::type_identity_t<Arguments>&... arguments) {
    if (file.there() == nullptr) {
        return work(file, arguments...);
    }
    using WorkPointer = decltype(work);
    MessageWriter request;
    request.put(work);
    (request.put(arguments), ...);
    ReadingProcess::Answer answer = file.there()->ask(
        [](const H5File& opened, MessageReader& asked, MessageWriter& result) {
            const auto asked_work = asked.take<WorkPointer>();
            const std::tuple<Arguments...> values{asked.take<Arguments>()...};  // in this order, as they are in braces
            result.put_and_keep(
                std::apply([&](const Arguments&... value) { return asked_work(opened, value...); }, values));
        },
        std::move(request), limits);
    return answer.reader().template take<Result>();
}

template <class Result, class... Arguments>
Result call_there(const H5File& file, Result (*work)(const H5File&, const Arguments&...),
                  const std::type_identity_t<Arguments>&... arguments) {
    return call_there(file, ReadingLimits{}, work, arguments...);
}

}  // namespace recon
