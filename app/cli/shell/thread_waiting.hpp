#pragma once

namespace recon {

/// Makes OpenMP threads that wait for others go to sleep soon, so that other programs can use their cores.
///
/// GCC's runtime lets them spin for milliseconds at the end of every parallel region, unless the process has more
/// threads than cores. Where another program runs too, threads then spin while those that they wait for are not
/// running: two reconstructions at once took up to five times as long as one after the other on two cores, and far
/// longer on many. This starts a second, idle team of threads, which is the excess that makes them sleep. Other
/// runtimes are as they were. To be called once.
void let_waiting_threads_sleep();

}  // namespace recon
