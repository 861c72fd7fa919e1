#pragma once

#include <optional>
#include <string>

#include "app/heart/heart_run.hpp"
#include "data/pictures/animated_png.hpp"

namespace recon::heart {

/// E from 0, blue, to 1, red, with time and step above; sheets below 256 cells enlarged, those above 512 thinned out.
ColourPicture picture_of(const Frame& frame);

/// Pictures of a run in a folder: frame-00000.png and so on, and all of them as movie.png.
class Movie {
public:
    /// Makes the folder if it is not there. @throws InputError if it cannot
    Movie(const std::string& folder, Index frame_count);

    void add(const Frame& frame);
    /// Frames of a longer run that was there before go.
    void finish();

private:
    std::string path_of_frame(Index number) const;

    std::string folder_;
    Index frame_count_;
    Palette palette_ = diverging_palette();
    std::optional<AnimatedPng> animation_;  ///< from the first frame on
};

}  // namespace recon::heart
