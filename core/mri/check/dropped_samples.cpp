#include "core/mri/check/dropped_samples.hpp"

#include <map>
#include <memory>
#include <utility>

namespace recon {
namespace {

using Dropped = std::shared_ptr<const std::vector<Index>>;

/// @param values  [sample coil], of coils of `length` samples each
void leave_out(const std::vector<Index>& dropped, Index length, auto& values) {
    std::size_t to = 0;
    for (auto first = values.begin(); values.end() - first >= length && length > 0; first += length) {
        auto next = dropped.begin();
        for (Index m = 0; m < length; ++m) {
            if (next != dropped.end() && *next == m) {
                ++next;
            } else {
                values[to++] = first[m];
            }
        }
    }
    values.resize(to);
}

/// Leaves the same out of the same once.
class SamplesLeft {
public:
    Dropped distinct(const std::vector<Index>& dropped) {
        for (const Dropped& known : lists_) {
            if (*known == dropped) {
                return known;
            }
        }
        return lists_.emplace_back(std::make_shared<const std::vector<Index>>(dropped));
    }
    std::shared_ptr<const Trajectory> of(const std::shared_ptr<const Trajectory>& whole, const Dropped& dropped) {
        auto& [before, left] = trajectories_[{whole.get(), dropped.get()}];
        if (!left) {
            before = whole;
            auto trajectory = std::make_shared<Trajectory>(*whole);
            for (std::vector<double>& component : trajectory->k) {
                leave_out(*dropped, whole->sample_count(), component);
            }
            left = trajectory;
        }
        return left;
    }
    SharedList<float> of(const SharedList<float>& whole, const Dropped& dropped) {
        if (whole.empty()) {
            return whole;
        }
        auto& [before, left] = values_[{whole.values().data(), dropped.get()}];
        if (left.empty()) {
            before = whole;
            std::vector<float> values = whole.values();
            leave_out(*dropped, std::ssize(whole), values);
            left = values;
        }
        return left;
    }

private:
    /// What it was beside what is left of it: kept, so that no address comes twice.
    template <class T>
    using Known = std::map<std::pair<const void*, const void*>, std::pair<T, T>>;

    std::vector<Dropped> lists_;
    Known<std::shared_ptr<const Trajectory>> trajectories_;
    Known<SharedList<float>> values_;
};

}  // namespace

void drop_samples(Scan& scan, const std::vector<std::vector<Index>>& of_frames) {
    SamplesLeft left;
    for (std::size_t i = 0; i < scan.frames.size(); ++i) {
        if (of_frames[i].empty()) {
            continue;
        }
        Frame& frame = scan.frames[i];
        const Dropped dropped = left.distinct(of_frames[i]);
        transform_kspace(frame, [dropped, length = frame.sample_count()](std::vector<cfloat>& kspace) {
            leave_out(*dropped, length, kspace);
        });
        frame.trajectory = left.of(frame.trajectory, dropped);
        frame.density_weights = left.of(frame.density_weights, dropped);
        frame.sample_times_s = left.of(frame.sample_times_s, dropped);
        scan.samples_per_readout = 0;
    }
}

}  // namespace recon
