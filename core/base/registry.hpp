#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"

namespace recon {

/// The one of the names that was likely meant; empty if none is near.
std::string likely_name(std::string_view name, const std::vector<std::string>& names);

/// One line for a name that nothing is known under: "unknown prior 'wavlet'; did you mean 'wavelet'? There are:
/// identity, wavelet".
/// @param noun  what is named, such as "prior"
std::string unknown_name_text(std::string_view noun, std::string_view name, const std::vector<std::string>& names);

/// Kinds of a thing by name: priors, formats, backends, each added from a file of its own (`Registration`), so that
/// whoever uses them need not know which there are. May be used from any thread.
/// @tparam Kind  a struct with a `name` that converts to std::string_view
template <class Kind>
class Registry {
public:
    /// @param noun  for messages, such as "prior"
    explicit Registry(std::string noun) : noun_(std::move(noun)) {}
    Registry(const Registry&) = delete;
    Registry& operator=(const Registry&) = delete;

    /// @throws Error if the name is empty or taken
    void add(Kind kind) {
        const std::unique_lock lock(mutex_);
        std::string name(kind.name);
        if (name.empty() || kinds_.count(name) > 0) {
            throw Error(noun_ + " '" + name + "': registered with " +
                        (name.empty() ? "an empty name" : "the name of another") + "; expected a name of its own");
        }
        kinds_.emplace(std::move(name), std::move(kind));
    }
    void remove(std::string_view name) {
        const std::unique_lock lock(mutex_);
        if (const auto found = kinds_.find(name); found != kinds_.end()) {
            kinds_.erase(found);
        }
    }

    /// Null if there is none. What it points to stays where it is until it is removed.
    const Kind* find(std::string_view name) const {
        const std::shared_lock lock(mutex_);
        const auto found = kinds_.find(name);
        return found == kinds_.end() ? nullptr : &found->second;
    }
    /// @throws UsageError that lists the names there are
    const Kind& get(std::string_view name) const {
        if (const Kind* found = find(name)) {
            return *found;
        }
        throw UsageError(unknown_name_text(noun_, name, names()));
    }

    /// In alphabetical order, which no order of linking changes.
    std::vector<std::string> names() const {
        const std::shared_lock lock(mutex_);
        std::vector<std::string> names;
        for (const auto& [name, kind] : kinds_) {
            names.push_back(name);
        }
        return names;
    }
    std::vector<const Kind*> all() const {
        const std::shared_lock lock(mutex_);
        std::vector<const Kind*> kinds;
        for (const auto& [name, kind] : kinds_) {
            kinds.push_back(&kind);
        }
        return kinds;
    }

private:
    std::string noun_;
    mutable std::shared_mutex mutex_;
    std::map<std::string, Kind, std::less<>> kinds_;
};

/// Keeps a kind in a registry as long as it lives. At namespace scope in the kind's own file that is the program:
///
///     const Registration registered_identity(prior_kinds(), PriorKind{.name = "identity", ...});
///
/// where `prior_kinds()` returns a reference to a Registry that is static inside of that function. Our libraries are
/// linked whole (CMakeLists.txt), or the linker would leave out a file that nothing refers to.
template <class Kind>
class Registration {
public:
    Registration(Registry<Kind>& registry, Kind kind) : registry_(registry), name_(kind.name) {
        registry_.add(std::move(kind));
    }
    ~Registration() { registry_.remove(name_); }
    Registration(const Registration&) = delete;
    Registration& operator=(const Registration&) = delete;

private:
    Registry<Kind>& registry_;
    std::string name_;
};

}  // namespace recon
