#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>

#include "tests/support/paths.hpp"

namespace recon::test {

/// The program at work, its output in a file. It does not outlive the object, or the test that dies.
class RunningProgram {
public:
    /// @param launcher  the words before the program, if there are any
    RunningProgram(const std::string& arguments, std::string output, const std::string& launcher = "")
        : output_(std::move(output)) {
        std::filesystem::remove(output_);  // or what an earlier one said could be taken for its words
        pid_ = fork();
        if (pid_ == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            const int file = open(output_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
            dup2(file, STDOUT_FILENO);
            dup2(file, STDERR_FILENO);
            execl("/bin/sh", "sh", "-c", ("exec " + launcher + std::string(program_path()) + " " + arguments).c_str(),
                  nullptr);
            _exit(127);
        }
    }

    ~RunningProgram() {
        if (!has_ended_) {
            send(SIGKILL);
            wait();
        }
    }
    RunningProgram(const RunningProgram&) = delete;
    RunningProgram& operator=(const RunningProgram&) = delete;

    std::string output() const {
        std::ifstream file(output_);
        return (std::ostringstream() << file.rdbuf()).str();
    }
    /// Waits until the log says so. @return whether it came to that
    bool has_said(const std::string& text) const {
        for (const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
             std::chrono::steady_clock::now() < end;) {
            if (output().find(text) != std::string::npos) {
                return true;
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        return false;
    }
    void send(int signal) const { kill(pid_, signal); }
    /// @return the exit code; of a program ended by a signal, minus its number
    int wait() {
        int status = 0;
        waitpid(pid_, &status, 0);
        has_ended_ = true;
        return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    }

private:
    std::string output_;
    pid_t pid_;
    bool has_ended_ = false;
};

}  // namespace recon::test
