#pragma once

#include <sys/types.h>

#include <cstddef>
#include <functional>

namespace recon::test {

enum class TrialEnd {
    well,
    by_signal_in_walk,  ///< or after 20 ms of processor
    otherwise,          ///< by a signal or after 200 ms in what came after, or by a sanitizer
};

/// A process that does the same work again and again, in which the HDF5 library may crash and run in circles. A process
/// for each file would cost several times what reading it does, under sanitizers.
class TrialProcess {
public:
    /// @param walk,then  without effect but what they take of memory
    TrialProcess(std::function<void()> walk, std::function<void()> then);
    ~TrialProcess();
    TrialProcess(const TrialProcess&) = delete;
    TrialProcess& operator=(const TrialProcess&) = delete;

    /// Does both once, and takes over which code they went through, for libFuzzer. After an end that is not well the
    /// next time is a new process's.
    TrialEnd run();

private:
    void start();
    int end();
    [[noreturn]] void serve(int orders, int answers);

    std::function<void()> walk_, then_;
    std::byte* coverage_;  ///< of the last time, in memory that both see
    pid_t process_ = -1;
    int orders_ = -1, answers_ = -1;
    int done_ = 0;  ///< how many times by this process
};

}  // namespace recon::test
