#include "core/mri/coils/coil_mixing_row.hpp"

namespace recon {

namespace cpu_v3 {
[[gnu::weak]] MixRow mix_row;
}
namespace cpu_v4 {
[[gnu::weak]] MixRow mix_row;
}

void mix_row(const CoilMixingRow& row) {
    at_cpu_level<MixRow>(&cpu_base::mix_row, &cpu_v3::mix_row, &cpu_v4::mix_row)(row);
}

}  // namespace recon
