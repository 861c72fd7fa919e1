#pragma once

#include <any>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "app/pipeline/journal.hpp"
#include "app/pipeline/run_control.hpp"
#include "app/pipeline/stage_line.hpp"
#include "core/backend/backend.hpp"
#include "core/base/stopwatch.hpp"
#include "core/parallel/communicator.hpp"

namespace recon {

class Run;

/// The stage lasts as long as this does.
class [[nodiscard]] StageScope {
public:
    /// @param run  the rank whose stage it is; null: before or after there are ranks
    /// @throws Cancelled if that was asked for
    StageScope(RunControl& control, Stage stage, Run* run = nullptr);
    ~StageScope();
    StageScope(const StageScope&) = delete;
    StageScope& operator=(const StageScope&) = delete;

    double seconds() const { return watch_.seconds(); }

private:
    MemoryBudget* memory() const;

    RunControl& control_;
    Stage stage_;
    Run* run_;
    CancelToken cancel_;                  ///< where there is no run
    std::optional<CancelBinding> bound_;  ///< to it
    std::size_t peak_before_ = 0;
    Stopwatch watch_;
    std::optional<StageLine> line_;  ///< of the outermost stage, unless that shows its iterations
};

/// The course of a reconstruction on one rank: where it computes, with whom, and the stages that it goes through. Time,
/// memory, cancellation and the record come from entering a stage.
class Run {
public:
    /// @param backend, ranks, control  outlive the run
    Run(Backend& backend, Communicator& ranks, RunControl& control)
        : backend_(backend), ranks_(ranks), control_(control), cancel_(control.cancel), bound_(cancel_) {}
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;

    Backend& backend() const { return backend_; }
    Communicator& ranks() const { return ranks_; }
    RunControl& control() const { return control_; }
    bool is_root() const { return ranks_.rank() == 0; }
    const CancelToken& cancel() const { return cancel_; }

    /// @throws Cancelled if that was asked for
    StageScope stage(Stage stage) { return {control_, stage, this}; }
    template <class Work>
    auto stage(Stage stage, Work&& work) {
        const StageScope scope(control_, stage, this);
        return std::forward<Work>(work)();
    }
    bool is_in(Stage stage) const;

    /// From here on solutions are kept in the control's checkpoint, if it has one, and taken from there.
    void begin_journal();
    /// Null: solutions are not kept.
    SolutionKeeper* keeper() { return journal_ ? &*journal_ : nullptr; }
    /// What `make` comes to, or has come to in the earlier run that is taken up. Every rank calls it.
    template <class Make>
    void kept(const SolutionKeeper::Visit& result, Make&& make);

    /// Which way the course goes; taken up, the way it went, as what it is decided by may be rounded otherwise by
    /// another number of ranks, and what is kept is numbered along the course. Every rank calls it.
    template <class Decide>
    bool decided(const char* name, Decide&& decide) {
        bool yes = false;
        kept([&](Archive& archive) { archive.count(name, yes); }, [&] { yes = decide(); });
        return yes;
    }

    /// Rank 0 makes something, the others wait for it and get a copy: make it small, or shared. Every rank calls it.
    /// Ranks of other processes get its bytes; what is made of more than those, or nothing, serves ranks of one
    /// process.
    template <class Make>
    auto from_root(Stage stage, Make&& make);

    /// Between two frames; solutions from here on are kept as those of this one, whoever is to take them up.
    /// @param number  in the scan; of frames that are solved for together, the first one's  @throws Cancelled if that
    /// was asked for
    void begin_frame(std::size_t number);
    /// From here to the next frame a request to stop leads to a partial image, if such are kept.
    void begin_image();
    /// Whether to be content with the image as it is. @throws Cancelled if it should not be kept
    bool stops_with_image() const;

private:
    friend class StageScope;
    void meet() { ranks_.sum(0); }

    Backend& backend_;
    Communicator& ranks_;
    RunControl& control_;
    CancelToken cancel_;
    CancelBinding bound_;  ///< to the thread of this rank
    std::optional<CancelToken::Hold> image_hold_;
    std::optional<Journal> journal_;
    std::vector<Stage> stages_;  ///< that have been entered, the outermost first
};

template <class Make>
void Run::kept(const SolutionKeeper::Visit& result, Make&& make) {
    if (journal_ && journal_->begin(result)) {
        return;
    }
    std::forward<Make>(make)();
    if (journal_) {
        journal_->end(result);
    }
}

template <class Make>
auto Run::from_root(Stage stage_of_root, Make&& make) {
    using Made = std::invoke_result_t<Make>;
    if constexpr (std::is_void_v<Made>) {
        if (is_root()) {
            stage(stage_of_root, std::forward<Make>(make));
        }
        meet();
    } else if (ranks_.size() == 1) {
        return stage(stage_of_root, std::forward<Make>(make));
    } else if (!ranks_.in_one_process()) {
        if constexpr (std::is_trivially_copyable_v<Made>) {
            Made made = is_root() ? stage(stage_of_root, std::forward<Make>(make)) : Made();
            ranks_.broadcast(std::as_writable_bytes(std::span(&made, 1)));
            return made;
        } else {
            throw Error("ranks of several processes were to share an object of one of them");
        }
    } else {
        if (is_root()) {
            control_.handed_over = stage(stage_of_root, std::forward<Make>(make));
        }
        meet();
        Made made = std::any_cast<const Made&>(std::as_const(control_.handed_over));
        meet();  // before the next one is handed over
        return made;
    }
}

}  // namespace recon
