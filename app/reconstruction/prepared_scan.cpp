#include "app/reconstruction/prepared_scan.hpp"

#include "app/reconstruction/off_resonance/linear_part.hpp"

namespace recon {

PreparedScan::PreparedScan(Scan& scan, const ReconstructOptions& options, RunControl& control)
    : off_resonance(off_resonance_for_file(scan, options)),
      coils(prepare_coils(scan, options, control)),
      tolerance(choose_tolerance(scan, options, control)) {
    // The noise is looked for before samples move: at repeats of the centre that the scanner's gradients go through.
    encode_linear_part(scan, options.off_resonance);
    series = series_shells(scan, options);
}

}  // namespace recon
