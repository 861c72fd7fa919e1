#include "data/files/json_to_hdf5.hpp"

#include <algorithm>
#include <vector>

#include "core/base/error.hpp"

namespace recon {

namespace {

using nlohmann::json;

bool all_of_list(const json& list, bool (json::*is)() const noexcept) {
    return std::all_of(list.begin(), list.end(), [&](const json& item) { return (item.*is)(); });
}

void write_list(H5File& file, const std::string& path, const json& list) {
    if (!list.empty() && all_of_list(list, &json::is_string)) {
        file.write(path, list.get<std::vector<std::string>>());
    } else if (!list.empty() && all_of_list(list, &json::is_number_integer)) {
        file.write(path, list.get<std::vector<Index>>());
    } else if (all_of_list(list, &json::is_number)) {
        file.write(path, list.get<std::vector<double>>());
    } else {
        file.write_scalar(path, json_text(list));
    }
}

void write_members(H5File& file, const std::string& group, const json& object) {
    file.create_group(group);
    for (const auto& [key, value] : object.items()) {
        std::string name = key.empty() ? "_" : key;
        std::replace(name.begin(), name.end(), '/', '_');
        const std::string path = group + "/" + name;
        if (value.is_object() && name == "options") {
            file.write_scalar(path, json_text(value));
        } else if (value.is_object()) {
            write_members(file, path, value);
        } else if (value.is_array()) {
            write_list(file, path, value);
        } else if (value.is_string()) {
            file.write_attribute(group, name, value.get<std::string>());
        } else if (value.is_boolean()) {
            file.write_attribute(group, name, Index{value.get<bool>()});
        } else if (value.is_number_integer()) {
            file.write_attribute(group, name, value.get<Index>());
        } else if (value.is_number_float()) {
            file.write_attribute(group, name, value.get<double>());
        }
    }
}

}  // namespace

void write_json_to_hdf5(H5File& file, const std::string& group, const json& object) {
    if (!object.is_object()) {
        throw ShapeError(std::string("run record: a JSON ") + object.type_name() + ", expected an object");
    }
    write_members(file, group, object);
    file.write_scalar(group + "/json", json_text(object));
}

std::string json_text(const json& document) { return document.dump(2, ' ', false, json::error_handler_t::replace); }

}  // namespace recon
