#pragma once

#include <memory>

#include "core/parallel/communicator.hpp"

namespace recon {

class ProcessGroup;

/// The ranks of processes that a launcher has started together, for arrays in the host's memory. Sums have the bytes of
/// ranks that are threads (cpu_communicator.hpp): every element has one rank that adds it up, in the order of the
/// ranks and in double precision. @param group  outlives it
std::unique_ptr<Communicator> make_process_communicator(ProcessGroup& group);

/// Some of them, this one among them, which work together apart from the others and are counted from 0 here; a failure
/// on any process of the group still ends the waits of all. A rank by itself is no other than the only one.
/// @param ranks  the same on each of them
std::unique_ptr<Communicator> make_process_communicator(ProcessGroup& group, const Share& ranks);

}  // namespace recon
