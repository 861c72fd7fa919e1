# Writes GENERATED/recon_commit.hpp where the commit of SOURCE is another than it says.
execute_process(COMMAND git describe --always --dirty --abbrev=10 WORKING_DIRECTORY ${SOURCE}
                OUTPUT_VARIABLE RECON_COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT RECON_COMMIT)
  set(RECON_COMMIT unknown)
endif()
configure_file(${CMAKE_CURRENT_LIST_DIR}/recon_commit.hpp.in ${GENERATED}/recon_commit.hpp @ONLY)
