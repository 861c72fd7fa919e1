#include "app/cli/program.hpp"

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <new>
#include <span>
#include <system_error>

#include "app/cli/commands.hpp"
#include "app/cli/refusal/half_sizes.hpp"
#include "app/cli/refusal/refused_line.hpp"
#include "app/cli/shell/cpu_level_limit.hpp"
#include "app/cli/shell/exit_code.hpp"
#include "app/cli/shell/guide.hpp"
#include "app/cli/shell/launch.hpp"
#include "app/cli/shell/option_names.hpp"
#include "app/cli/shell/signals.hpp"
#include "app/cli/shell/thread_waiting.hpp"
#include "app/cli/shell/uncaught.hpp"
#include "app/cli/stream/standard_streams.hpp"
#include "core/base/available_memory.hpp"
#include "core/base/cancel.hpp"
#include "core/base/log_binding.hpp"

namespace recon {
namespace {

constexpr const char* description =
    "recon reconstructs MRI images from non-Cartesian scans by iterative least squares.\n\n"
    "  recon brain.h5                                            the image, brain-image.h5 beside the scan\n"
    "  recon --scan brain.h5 --out image.h5 --report page.html   the same, with a page to look at\n"
    "  recon --scan brain.h5 --baseline --png image.png          beside gridding + FFT\n"
    "  recon simulate --out scan.h5 --truth truth.h5             a scan to try, whose true image is known\n";

constexpr const char* footer =
    "Exit codes: 0 done, 1 internal error, 2 usage, 3 input or file, 4 device or memory, 5 a --check or bench "
    "--compare failed, 6 a scan is doubtful (recon check, --strict), 130 stopped by Ctrl-C, 143 by SIGTERM.\n";

int fail(ErrorKind kind, const std::string& what) {
    std::fprintf(stderr, "recon: error: %s\n", with_stream_names(what).c_str());
    return exit_code_of(kind);
}

/// What commands print goes to stdout's buffer; whether it came through is known at the end, or where {fmt} refuses.
void run_command(CLI::App& app, int argc, char** argv) {
    try {
        require_no_half_sizes(app, std::span(argv, static_cast<std::size_t>(argc)));
        app.parse(argc, argv);
    } catch (const CLI::Success& help_or_version) {
        app.exit(help_or_version);
    } catch (const std::system_error&) {
        require_written_stdout();
        throw;
    }
    require_written_stdout();
}

}  // namespace

int run_program(int argc, char** argv) {
    end_with_a_line_if_uncaught();
    fill_closed_streams();
    std::signal(SIGXFSZ, SIG_IGN);  // a file that exceeds ulimit -f is an error of its writer
    let_waiting_threads_sleep();
    Log log(LogLevel::info);
    const LogBinding bound(&log);
    CLI::App app(description, "recon");
    app.footer([] { return footer + ("Guide: " + guide()); });
    app.set_version_flag("--version", "recon " RECON_VERSION, "The version of this program");
    app.require_subcommand(0, 1);
    app.parse_complete_callback([&app] {
        require_values(app);
        require_memory_to_start();  // --help and --version take less
    });
    add_commands(app);
    log.set_wording([options = option_names(app)](const std::string& line) {
        return with_stream_names(with_options(line, options));
    });
    try {
        limit_cpu_level_by_environment();
        run_command(app, argc, argv);
        return exit_code_done;
    } catch (const CLI::ParseError& wrong) {
        const Error refused = refused_line(wrong, app);
        return fail(refused.kind(), refused.what());
    } catch (const EndedTogether& ended) {
        return ended.exit_code;
    } catch (const Cancelled& stopped) {
        std::fprintf(stderr, "recon: stopped by %s: %s\n", name_of_signal(), stopped.what());
        return exit_code_of_signal();
    } catch (const Error& error) {
        return fail(error.kind(), with_options(error.what(), option_names(app)));
    } catch (const std::bad_alloc&) {
        return fail(ErrorKind::device, out_of_memory);
    } catch (const std::system_error& refused) {
        return fail(ErrorKind::device, std::string("the system refuses: ") + refused.what());
    } catch (const std::exception& error) {
        return fail(ErrorKind::internal, error.what());
    }
}

}  // namespace recon
