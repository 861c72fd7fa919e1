# What travels in wheels: with RECON_PORTABLE the program and the Python module need nothing but the C library, from glibc 2.27 on,
# and libgomp, which the wheel brings along. Archives in the place of shared libraries, and what glibc 2.27 lacks (old_glibc.c);
# lower_glibc.py then names the old versions of functions that both have.
option(RECON_PORTABLE "Link for any x86-64 Linux of the last eight years (app/package/wheel/build_wheel)" OFF)
if(NOT RECON_PORTABLE)
  return()
endif()

# The target's library is these archives, by their names in Debian.
function(recon_take_archives target)
  set(archives)
  foreach(name ${ARGN})
    find_library(RECON_ARCHIVE_${name} lib${name}.a PATH_SUFFIXES hdf5/serial REQUIRED)
    list(APPEND archives ${RECON_ARCHIVE_${name}})
  endforeach()
  list(GET archives 0 first)
  foreach(configuration "" _NONE _RELEASE _NOCONFIG)
    set_property(TARGET ${target} PROPERTY IMPORTED_LOCATION${configuration} ${first})
  endforeach()
  set_property(TARGET ${target} PROPERTY INTERFACE_LINK_LIBRARIES ${archives} m dl pthread)
endfunction()
recon_take_archives(ISMRMRD::ISMRMRD ismrmrd pugixml hdf5 sz aec z)
recon_take_archives(hdf5::hdf5 hdf5 sz aec z)
recon_take_archives(PNG::PNG png16 z)
recon_take_archives(ZLIB::ZLIB z)
recon_take_archives(OpenSSL::Crypto crypto)
# Debian has these as headers or as shared libraries; those are named to the linker all the same, and not needed.
set_property(TARGET fmt::fmt PROPERTY INTERFACE_COMPILE_DEFINITIONS FMT_HEADER_ONLY)
set_property(TARGET spdlog::spdlog PROPERTY INTERFACE_COMPILE_DEFINITIONS SPDLOG_FMT_EXTERNAL)
set(CMAKE_SKIP_RPATH ON)
add_link_options(-static-libstdc++ -static-libgcc -Wl,--as-needed -Wl,--gc-sections -Wl,-s)

enable_language(ASM)
add_library(recon_old_glibc OBJECT ${CMAKE_CURRENT_LIST_DIR}/old_glibc.c)
set_target_properties(recon_old_glibc PROPERTIES POSITION_INDEPENDENT_CODE ON)
# Programs of today leave their constructors to the C library, which ran none of them before 2.34: an old start. What the compiler
# would put first and last is then ours to put there.
function(recon_start_files variable)
  set(files)
  foreach(part ${ARGN})
    execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=${part} OUTPUT_VARIABLE file OUTPUT_STRIP_TRAILING_WHITESPACE)
    list(APPEND files ${file})
  endforeach()
  set(${variable} ${files} PARENT_SCOPE)
endfunction()

# Of a folder at most one program.
function(recon_make_portable target)
  target_sources(${target} PRIVATE $<TARGET_OBJECTS:recon_old_glibc>)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "EXECUTABLE")
    recon_start_files(begin crti.o crtbeginS.o)
    recon_start_files(end crtendS.o crtn.o)
    target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/app/package/wheel/old_start.S)
    target_link_options(${target} PRIVATE -nostartfiles ${begin})
    list(JOIN end " " end)
    set(CMAKE_CXX_STANDARD_LIBRARIES "${end}" PARENT_SCOPE)
  endif()
endfunction()
