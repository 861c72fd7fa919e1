#include "app/cli/shell/uncaught.hpp"

#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <exception>
#include <new>

#include "app/cli/shell/exit_code.hpp"
#include "data/files/atomic_output.hpp"

namespace recon {
namespace {

[[noreturn]] void end_with(ErrorKind kind, const char* what) {
    abandon_all_outputs();
    std::fprintf(stderr, "recon: error: %s\n", what);
    std::fflush(stderr);
    _exit(exit_code_of(kind));
}

/// Several threads may come here at once; the first one speaks.
void end_with_its_line() {
    static std::atomic_flag spoken;
    if (spoken.test_and_set()) {
        for (;;) {
            pause();
        }
    }
    try {
        if (const std::exception_ptr uncaught = std::current_exception()) {
            std::rethrow_exception(uncaught);
        }
    } catch (const Error& error) {
        end_with(error.kind(), error.what());
    } catch (const std::bad_alloc&) {
        end_with(ErrorKind::device, out_of_memory);
    } catch (const std::exception& error) {
        end_with(ErrorKind::internal, error.what());
    } catch (...) {
    }
    end_with(ErrorKind::internal, "ended by an exception of no known kind");
}

}  // namespace

void end_with_a_line_if_uncaught() { std::set_terminate(end_with_its_line); }

}  // namespace recon
