#pragma once

namespace recon {

/// Threads to start for a loop: as many as have 0.1 ms of work each, at least one and at most OpenMP's number. To wake
/// one that sleeps, as they do between loops, takes up to that: on two cores, loops over 192 x 192 voxels took twice as
/// long on both as on one.
/// @param nanoseconds  that one thread would take, roughly
int worthwhile_threads(double nanoseconds);

}  // namespace recon
