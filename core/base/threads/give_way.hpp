#pragma once

namespace recon {

/// This thread takes what others leave of the processors from now on: loops that all processors share last as long as
/// on the slowest one. Nothing happens where the system knows no priorities of single threads.
void give_way_to_other_threads();

}  // namespace recon
