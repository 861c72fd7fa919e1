#pragma once

#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "app/reconstruction/options/reconstruct_options.hpp"
#include "core/mri/scan.hpp"

namespace recon {

/// What the k-space of a series holds in shells of |k|, frames together: repetitions and phases of one slice, contrast
/// and set on one trajectory, which show objects of about one spectrum, brighter or darker.
class SeriesShells {
public:
    struct Group {
        Index frame_count = 0;             ///< that were looked at
        PerAxis<double> stretch{1, 1, 1};  ///< of their spectrum (spectrum_stretch)
        std::vector<double> energy;        ///< of sum_c |d_c|^2 over their samples, [shell], those of KspaceShells
    };

    /// Looks at the k-space of all frames, at most eight of a group, spread over it. Those on demand are loaded one at
    /// a time, and released.
    explicit SeriesShells(Scan& scan);

    /// Null for a frame that is the only one of its group.
    const Group* of(const Frame& frame) const;

private:
    using Key = std::tuple<const Trajectory*, Index, Index, Index>;
    static Key key_of(const Frame& frame);

    std::map<Key, Group> groups_;
};

/// Null where each frame is for itself, or solved for with the others.
std::unique_ptr<const SeriesShells> series_shells(Scan& scan, const ReconstructOptions& options);

}  // namespace recon
