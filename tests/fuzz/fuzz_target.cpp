#include "tests/fuzz/fuzz_target.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <stdexcept>

#include "data/files/reading_process/reading_process.hpp"

namespace recon::test {
namespace {

[[noreturn]] void give_up(const FuzzTarget& target, const char* what) {
    std::fprintf(stderr, "fuzz target %s: %s\n", target.name.c_str(), what);
    std::abort();
}

}  // namespace

const std::vector<FuzzTarget>& fuzz_targets() {
    static const std::vector<FuzzTarget> targets = [] {
        std::vector<FuzzTarget> all = text_targets();
        for (const auto& more : {option_targets(), file_targets()}) {
            all.insert(all.end(), more.begin(), more.end());
        }
        return all;
    }();
    return targets;
}

const FuzzTarget& fuzz_target(const std::string& name) {
    const auto& all = fuzz_targets();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const FuzzTarget& target) { return target.name == name; });
    if (found == all.end()) {
        throw std::invalid_argument("no fuzz target " + name);
    }
    return *found;
}

bool is_finding(const Error& error) {
    return error.kind() == ErrorKind::internal || dynamic_cast<const ReadingProcessEnded*>(&error) != nullptr;
}

void require_survival(const FuzzTarget& target, Bytes bytes) {
    try {
        target.run(bytes);
    } catch (const Error& error) {
        if (is_finding(error)) {
            give_up(target, error.what());
        }
    } catch (const std::bad_alloc&) {
        give_up(target, "asks for more memory than there is, for a few bytes");
    } catch (const std::exception& error) {
        give_up(target, error.what());
    }
}

}  // namespace recon::test
