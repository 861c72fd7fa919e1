#pragma once

#include <string>
#include <vector>

#include "core/mri/scan.hpp"

namespace recon {

/// A map as its file has it.
struct StoredMap {
    std::string source;                     ///< "map.h5, dataset /off_resonance_hz"
    Geometry geometry;                      ///< of a volume, without where it lies
    std::vector<float> values;              ///< [x y z volume]
    Index volume_count = 1;                 ///< more: of slices
    std::vector<Orientation> orientations;  ///< of the volumes; empty: the file does not say where they lie
};

/// Reads a map of real numbers from NIfTI or HDF5, with what the file says of its place
/// (data/reading/placed_image_reader.hpp).
/// @param name  FILE, or FILE:/dataset. Without a dataset: the first of `usual` names in the root or in a group of it,
/// else the only array there is, else the only one of the image's matrix  @param what  "field map", for messages
/// @throws InputError if there is none, several, or one of complex or non-finite numbers, or of zeros alone; or if
/// several volumes are not one for each slice that is asked for
StoredMap read_map(const std::string& name, const PerAxis<Index>& image_matrix, const std::vector<std::string>& usual,
                   const std::string& what);

/// Off-resonance in Hz. @throws InputError as above
StoredMap read_field_map(const std::string& name, const PerAxis<Index>& image_matrix);

/// R2* in 1/s. @throws InputError as above, or if a value is negative
StoredMap read_r2star_map(const std::string& name, const PerAxis<Index>& image_matrix);

/// The file in FILE or FILE:/dataset.
bool names_a_file(const std::string& name);
/// Whether the file at `path` is HDF5 and has an array of that name.
bool has_array(const std::string& path, const std::string& name);

/// @throws InputError if a value is not finite, or all are zero  @param where  the file, @param what  "the field map"
void check_map(const std::vector<float>& values, const std::string& where, const std::string& what);

}  // namespace recon
