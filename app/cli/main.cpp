#include "app/cli/program.hpp"

int main(int argc, char** argv) { return recon::run_program(argc, argv); }
