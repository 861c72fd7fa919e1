#include "solver/memory_archive.hpp"

#include "core/base/error.hpp"

namespace recon {
namespace {

template <class Value>
const Value& find(const std::map<std::string, Value>& saved, const std::string& name) {
    const auto found = saved.find(name);
    if (found == saved.end()) {
        throw Error("saved state: holds no " + name + "; expected one that the same solver saved");
    }
    return found->second;
}

}  // namespace

void MemoryArchive::numbers(const std::string& name, std::vector<double>& values) {
    if (loads_) {
        values = find(numbers_, name);
    } else {
        numbers_[name] = values;
    }
}

void MemoryArchive::array(const std::string& name, ArrayView values) {
    if (!loads_) {
        arrays_[name] = download<double>(values);
        return;
    }
    const std::vector<cdouble>& saved = find(arrays_, name);
    if (std::ssize(saved) != values.size()) {
        throw Error("saved state: " + name + " has " + std::to_string(saved.size()) + " numbers, expected " +
                    std::to_string(values.size()) + ", those of the problem at hand");
    }
    upload(saved, values);
}

}  // namespace recon
