# The module that knows MPI, beside the program, which opens it where a launcher (mpirun, srun) has started several ranks.
# Without it everything else is as before. core/CMakeLists.txt is its only reader.
option(RECON_MPI "Ranks on several processes and machines, where MPI is found" ON)
if(NOT RECON_MPI)
  return()
endif()
find_package(MPI QUIET COMPONENTS C)
if(NOT MPI_C_FOUND)
  message(STATUS "Ranks of several processes: left out, no MPI (Debian: libopenmpi-dev)")
  return()
endif()
message(STATUS "Ranks of several processes: ${MPI_C_LIBRARIES}")
add_library(recon_mpi MODULE processes/mpi_transport.cpp)
target_link_libraries(recon_mpi PRIVATE recon_options MPI::MPI_C)
# The C++ bindings of old are not used.
target_compile_definitions(recon_mpi PRIVATE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
set_target_properties(recon_mpi PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
install(TARGETS recon_mpi LIBRARY DESTINATION lib/recon)
