#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "data/files/hdf5_file.hpp"

namespace recon {

/// Writes a JSON object as a group that can be read without a JSON parser:
///
///     number, text, true/false   attribute (true/false as 1/0)
///     list of numbers or texts   one-dimensional dataset; an empty list is an empty dataset of numbers
///     object                     group, by the same rules; `options`: dataset of one text, the object as JSON
///     any other list             dataset of one text, the list as JSON
///     null                       nothing
///
/// A dataset `json` holds the whole object as text. A `/` in a name becomes `_`.
/// @throws ShapeError if `object` is no object
void write_json_to_hdf5(H5File& file, const std::string& group, const nlohmann::json& object);

/// The object as text, indented; characters that are no UTF-8 are replaced rather than refused, and numbers that are
/// not finite become null.
std::string json_text(const nlohmann::json& document);

}  // namespace recon
