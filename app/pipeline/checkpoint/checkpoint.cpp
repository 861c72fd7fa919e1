#include "app/pipeline/checkpoint/checkpoint.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "app/pipeline/checkpoint/byte_archive.hpp"
#include "core/base/error.hpp"
#include "core/base/log.hpp"

namespace recon {
namespace {

constexpr const char* mark_of_end = " end";
constexpr const char* mark_of_steps = " steps";
constexpr const char* ranks = "ranks";  ///< of the identity: the one thing that may differ
/// Of ends that wait for the next writing; more are written at once.
constexpr std::size_t most_unwritten_bytes = std::size_t{256} << 20;
/// Writing takes no more than this part of the time.
constexpr double largest_share = 0.05;
constexpr std::size_t copy_bytes = std::size_t{4} << 20;

constexpr const char* absent = "not given";
constexpr std::string_view of_contents = "what is in ";  ///< digests, which say nothing to people

/// As it is typed: 0.01 of the list [0.01].
std::string shown(const RunRecord& value) {
    if (value.is_null() || value.is_boolean()) {
        return value.is_boolean() && value.get<bool>() ? "given" : absent;
    }
    if (value.is_array()) {
        std::string text;
        for (const RunRecord& element : value) {
            text += (text.empty() ? "" : " ") + shown(element);
        }
        return text;
    }
    return value.is_string() ? value.get<std::string>()
                             : value.dump(-1, ' ', false, RunRecord::error_handler_t::replace);
}

/// What differs first, with its two values; empty: nothing.
std::string first_difference(const RunRecord& then, const RunRecord& now, const std::string& name) {
    if (then == now) {
        return "";
    }
    if (!then.is_object() || !now.is_object()) {
        return name.starts_with(of_contents) ? fmt::format("{} has changed", name)
                                             : fmt::format("{} was {} and is {}", name, shown(then), shown(now));
    }
    RunRecord all = then;
    all.update(now);
    for (const auto& [key, ignored] : all.items()) {
        std::string difference =
            first_difference(then.value(key, RunRecord(absent)), now.value(key, RunRecord(absent)), key);
        if (!difference.empty()) {
            return difference;
        }
    }
    return name;
}

}  // namespace

Checkpoint::Checkpoint(std::string path, RunRecord identity, double every_seconds, Mode mode,
                       const std::vector<std::string>& others)
    : path_(std::move(path)), others_(others), identity_(std::move(identity)), every_seconds_(every_seconds) {
    if (mode == Mode::fresh) {
        if (std::filesystem::exists(path_)) {
            const CheckpointFile file(path_);
            log_info("checkpoint: {} of an earlier run will be replaced (`resume` would take it up)", path_);
        }
        return;
    }
    if (std::filesystem::exists(path_)) {
        found_.push_back(find(path_));
        for (const std::string& name : found_.front()->names()) {
            kept_.push_back({name, {}, found_.front()});
        }
        log_info("checkpoint: {} is taken up", path_);
    }
    for (const std::string& other : others) {
        found_.push_back(find(other));
    }
    if (found_.empty()) {
        log_info("checkpoint: there is no {} yet: from the beginning", path_);
    }
}

std::shared_ptr<const CheckpointFile> Checkpoint::find(const std::string& path) const {
    auto file = std::make_shared<const CheckpointFile>(path);
    RunRecord then = file->header();
    if (then.is_object() && then.contains(ranks) && then[ranks] != identity_.value(ranks, RunRecord())) {
        log_info("checkpoint: {} was of {}: the last bits of the image may be others than theirs", path,
                 shown(then[ranks]));
        then[ranks] = identity_.value(ranks, RunRecord());
    }
    const std::string difference = first_difference(then, identity_, "the run");
    if (!difference.empty()) {
        throw InputError(
            fmt::format("{}: the checkpoint is of another run: {}; give what it was made with, or remove the file to "
                        "start from the "
                        "beginning",
                        path, difference));
    }
    return file;
}

bool Checkpoint::recall(const std::string& name, const SolutionKeeper::Visit& visit) const {
    const auto file = std::find_if(found_.begin(), found_.end(), [&](const auto& one) { return one->has(name); });
    if (file == found_.end()) {
        return false;
    }
    ReadingArchive archive(**file, name);
    visit(archive);
    return true;
}

bool Checkpoint::recall_end(const std::string& place, const SolutionKeeper::Visit& result) const {
    return recall(place + mark_of_end, result);
}

bool Checkpoint::recall_steps(const std::string& place, const SolutionKeeper::Visit& state) const {
    return recall(place + mark_of_steps, state);
}

/// Drops what is kept of a place and of those within.
void Checkpoint::forget(const std::string& place) {
    std::erase_if(kept_, [&](const Kept& kept) {
        return kept.name.starts_with(place + ".") || kept.name.starts_with(place + " ");
    });
}

void Checkpoint::keep_end(const std::string& place, const SolutionKeeper::Visit& result) {
    forget(place);
    Kept kept{place + mark_of_end, {}, nullptr};
    const ByteSink sink = [&](std::span<const std::byte> bytes) {
        kept.bytes.insert(kept.bytes.end(), bytes.begin(), bytes.end());
    };
    WritingArchive archive(sink);
    result(archive);
    unwritten_bytes_ += kept.bytes.size();
    unwritten_ = true;
    kept_.push_back(std::move(kept));
    if (unwritten_bytes_ > most_unwritten_bytes || is_due()) {
        write_ends();
    }
}

bool Checkpoint::is_due() const {
    return every_seconds_ == 0 || since_written_.seconds() >= std::max(every_seconds_, write_seconds_ / largest_share);
}

CheckpointBlock Checkpoint::block_of(const Kept& kept) {
    if (!kept.file) {
        return {kept.name, kept.bytes.size(), [&kept](const ByteSink& sink) { sink(kept.bytes); }};
    }
    const std::uint64_t size = kept.file->size_of(kept.name);
    return {kept.name, size, [&kept, size](const ByteSink& sink) {
                std::vector<std::byte> piece;
                for (std::uint64_t at = 0; at < size; at += piece.size()) {
                    piece.resize(static_cast<std::size_t>(std::min<std::uint64_t>(copy_bytes, size - at)));
                    kept.file->read(kept.name, at, piece);
                    sink(piece);
                }
            }};
}

void Checkpoint::write(const std::string& place, const SolutionKeeper::Visit& state) {
    const std::string name = place + mark_of_steps;
    std::vector<CheckpointBlock> blocks;
    for (const Kept& kept : kept_) {
        if (kept.name != name) {
            blocks.push_back(block_of(kept));
        }
    }
    MeasuringArchive size;
    state(size);
    blocks.push_back({name, size.bytes(), [&](const ByteSink& sink) {
                          WritingArchive archive(sink);
                          state(archive);
                      }});
    write_blocks(blocks);
}

void Checkpoint::write_ends() {
    if (!unwritten_) {
        return;
    }
    std::vector<CheckpointBlock> blocks;
    for (const Kept& kept : kept_) {
        blocks.push_back(block_of(kept));
    }
    write_blocks(blocks);
}

void Checkpoint::write_blocks(const std::vector<CheckpointBlock>& blocks) {
    const Stopwatch watch;
    try {
        write_checkpoint_file(path_, identity_, blocks);
        const auto file = std::make_shared<const CheckpointFile>(path_);
        kept_.clear();
        for (const std::string& name : file->names()) {
            kept_.push_back({name, {}, file});
        }
        unwritten_bytes_ = 0;
        unwritten_ = false;
        written_ = true;
        log_debug("checkpoint: written, {} blocks", blocks.size());
    } catch (const InputError& error) {
        if (!warned_) {
            log_warning("{}; the run goes on, the last whole checkpoint stays", error.what());
        }
        warned_ = true;
    }
    write_seconds_ = watch.seconds();
    since_written_ = Stopwatch();
}

void Checkpoint::remove(Files files) {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
    if (files == Files::all) {
        for (const std::string& other : others_) {
            std::filesystem::remove(other, ignored);
        }
    }
}

}  // namespace recon
