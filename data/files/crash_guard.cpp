#include "data/files/crash_guard.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace recon {
namespace {

// A signal handler may touch little more than plain memory.
std::array<char, 4096> message{};

extern "C" void report_crash(int) {
    const ssize_t ignored = write(STDERR_FILENO, message.data(), std::strlen(message.data()));
    static_cast<void>(ignored);
    _exit(CrashGuard::exit_code);
}

void set_message(const std::string& text) {
    const std::size_t length = std::min(text.size(), message.size() - 1);
    std::copy_n(text.begin(), length, message.begin());
    message[length] = '\0';
}

}  // namespace

CrashGuard::CrashGuard(const std::string& path) : message_before_(message.data()) {
    set_message("recon: " + path +
                ": the file is damaged in a way that made the HDF5 library crash; get an intact copy\n");
    struct sigaction action {};
    action.sa_handler = report_crash;
    for (std::size_t i = 0; i < std::size(signals); ++i) {
        sigaction(signals[i], &action, &before_[i]);
    }
}

CrashGuard::~CrashGuard() {
    for (std::size_t i = 0; i < std::size(signals); ++i) {
        sigaction(signals[i], &before_[i], nullptr);
    }
    set_message(message_before_);
}

}  // namespace recon
