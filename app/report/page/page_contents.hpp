#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/mri/image.hpp"
#include "data/files/run_record.hpp"

namespace recon {

/// What the page of a run is made of: the file that the run wrote, and the reference it names.
struct PageContents {
    std::string path;  ///< of the file
    Image image;
    std::optional<Image> gridding;
    std::optional<Image> reference;
    std::string reference_note;  ///< why there is no reference; empty if none was named
    std::map<std::string, Image>
        maps;  ///< of one frame: "uncertainty/sd", "coverage/xy", "off_resonance_hz"; not all are there
    std::optional<Image> coil_maps;  ///< a frame a coil: estimated ones, or those of the files that the record names
    RunRecord record;
};

/// @param path  image.h5 of a run. @throws InputError if it is none
PageContents read_page_contents(const std::string& path);

}  // namespace recon
