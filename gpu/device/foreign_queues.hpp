#pragma once

namespace recon {

/// Waits for everything that is queued on a CUDA device, by whichever library: before memory of theirs is read, and
/// before memory of ours that they were given is released. Does nothing where the backend was not compiled in.
void wait_for_foreign_queues(int ordinal);

}  // namespace recon
