#pragma once

namespace recon {

/// From now on the first Ctrl-C asks for a stop after the current iteration, the second ends the program.
void catch_interrupts();
bool interrupt_requested();

}  // namespace recon
