#include "app/cli/shell/launch.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <new>
#include <optional>

#include "app/cli/shell/exit_code.hpp"
#include "app/cli/shell/option_names.hpp"
#include "app/cli/shell/signals.hpp"
#include "core/base/log_binding.hpp"
#include "core/base/threads/cpu_count.hpp"
#include "core/parallel/rank_meeting.hpp"
#include "core/processes/process_communicator.hpp"

namespace recon {
namespace {

using How = ProcessEnding::How;

std::optional<int> number_in(const char* variable) {
    const char* const text = std::getenv(variable);
    return text != nullptr && *text != 0 ? std::optional(std::atoi(text)) : std::nullopt;
}

/// Beside the program, where it was built; in lib/recon, where it was installed.
std::vector<std::string> folders_of_modules() {
    std::error_code ignored;
    const std::filesystem::path folder = std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
    return {folder.string(), (folder.parent_path() / "lib/recon").string()};
}

ProcessEnding failed(int exit_code, const std::string& why) { return {How::failed, exit_code, why}; }

ProcessEnding ending_of(const std::set<std::string>& option_names, const std::function<void()>& work) {
    try {
        work();
        return {};
    } catch (const RanksAborted&) {
        return {How::dragged, exit_code_of(ErrorKind::device), ""};
    } catch (const Cancelled& stopped) {
        return {How::stopped, exit_code_of(ErrorKind::device),
                fmt::format("stopped by {}: {}", name_of_signal(), stopped.what())};
    } catch (const Error& error) {
        return failed(exit_code_of(error.kind()), with_options(error.what(), option_names));
    } catch (const std::bad_alloc&) {
        return failed(exit_code_of(ErrorKind::device), "out of memory; use more ranks, or a smaller --matrix");
    } catch (const std::exception& error) {
        return failed(exit_code_of(ErrorKind::internal), error.what());
    }
}

}  // namespace

bool is_one_of_several() {
    if (const auto size = number_in("OMPI_COMM_WORLD_SIZE")) {
        return *size > 1;
    }
    if (number_in("PMI_RANK")) {
        return number_in("PMI_SIZE").value_or(2) > 1;
    }
    const int tasks_of_step = number_in("SLURM_STEP_NUM_TASKS").value_or(2);
    if (number_in("PMIX_RANK")) {
        return tasks_of_step > 1;
    }
    if (number_in("SLURM_PROCID") && number_in("SLURM_STEP_NUM_TASKS") && tasks_of_step > 1) {
        throw UsageError(fmt::format(
            "srun has started {} processes that cannot find each other, and each would write the same files; use srun "
            "--mpi=pmix (srun --mpi=list has what there is), or `divide` none if each has files of its own",
            tasks_of_step));
    }
    return false;
}

void run_with_others(const std::set<std::string>& option_names, const std::function<void(ProcessGroup*)>& work) {
    const std::unique_ptr<ProcessGroup> group = ProcessGroup::join(folders_of_modules());
    const bool is_root = group->rank() == 0;
    const LogBinding bound(is_root ? log_of_this_thread() : nullptr);
    end_at_once_with(exit_code_of(ErrorKind::device), is_root ? Speaks::for_all : Speaks::not_at_all);
    const ProcessEnding mine = ending_of(option_names, [&] { work(group.get()); });
    pay_no_heed_to_signals();
    const int exit_code =
        group->end(mine, [](const std::string& line) { std::fprintf(stderr, "recon: %s\n", line.c_str()); });
    if (exit_code != exit_code_done) {
        throw EndedTogether{exit_code};
    }
}

int threads_of_rank(ProcessGroup& group) {
    const ProcessPlace& place = group.place();
    const int usable = usable_cpu_count();
    const bool limited = usable < place.own_cpus;  // by OMP_NUM_THREADS, or a control group, which the ranks share
    const int share = std::max(1, number_in("OMP_NUM_THREADS") ? usable
                                  : limited                    ? usable / place.ranks_on_host
                                            : place.own_cpus * place.cpus_of_host / place.sum_of_own_cpus);
    std::vector<double> shares(static_cast<std::size_t>(group.size()), 0.0);
    shares.at(static_cast<std::size_t>(group.rank())) = share;
    make_process_communicator(group)->all_reduce_sum(std::span<double>(shares));
    const int threads = static_cast<int>(*std::ranges::min_element(shares));
    omp_set_num_threads(threads);
    const int cpus = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    if (place.ranks_on_host * threads * 2 <= cpus && place.sum_of_own_cpus * 2 <= cpus) {
        log_warning(
            "the launcher has bound the {} ranks of {} to {} of its {} processors; mpirun --bind-to none (srun "
            "--cpus-per-task N) gives them more",
            place.ranks_on_host, place.host, place.cpus_of_host, cpus);
    }
    return threads;
}

}  // namespace recon
