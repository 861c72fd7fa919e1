# The version is the nearest tag's, v1.2.3; without git or tags the one here. `RECON_SINCE_TAG` has what came after it, for
# names of packages: "+5.g1a2b3c4d5e", or nothing.
set(RECON_TAG_VERSION 0.1.0)
set(RECON_SINCE_TAG "")
execute_process(COMMAND git describe --tags --long --abbrev=10 --match "v[0-9]*" WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}
                OUTPUT_VARIABLE described OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(described MATCHES "^v([0-9]+(\\.[0-9]+)*)-([0-9]+)-(g[0-9a-f]+)$")
  set(RECON_TAG_VERSION ${CMAKE_MATCH_1})
  if(NOT CMAKE_MATCH_3 STREQUAL "0")
    set(RECON_SINCE_TAG "+${CMAKE_MATCH_3}.${CMAKE_MATCH_4}")
  endif()
endif()
