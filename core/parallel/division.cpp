#include "core/parallel/division.hpp"

namespace recon {

Division::Division(Communicator& ranks, Index coil_count)
    : ranks_(ranks), coil_count_(coil_count), by_coils_(coil_count >= ranks.size()) {}

std::span<const cfloat> Division::part_of_kspace(std::span<const cfloat> kspace, std::vector<cfloat>& buffer) const {
    const Index sample_count = static_cast<Index>(kspace.size()) / coil_count_;
    if (by_coils_) {
        return kspace.subspan(coils().first * sample_count, coils().count * sample_count);
    }
    const Share own = samples(sample_count);
    buffer.clear();
    for (Index coil = 0; coil < coil_count_; ++coil) {
        const auto part = kspace.subspan(coil * sample_count + own.first, own.count);
        buffer.insert(buffer.end(), part.begin(), part.end());
    }
    return buffer;
}

std::shared_ptr<const Trajectory> part_of(const std::shared_ptr<const Trajectory>& trajectory, const Share& samples) {
    if (samples.count == trajectory->sample_count()) {
        return trajectory;
    }
    const auto part = std::make_shared<Trajectory>();
    for (int axis = 0; axis < 3; ++axis) {
        part->k[axis] = part_of(trajectory->k[axis], samples);
    }
    return part;
}

}  // namespace recon
