# Sources that are compiled once more for each level of the processor beyond the one that the whole program is compiled
# for, chosen at run time (core/processor/cpu_level.hpp, docs/decisions/0014-one-binary.md).
#
# A level becomes one object in which every name is local but those of its namespace: inline functions and
# templates that several sources share must not be taken from a level that the processor may not have.
function(recon_add_cpu_level target level arch)
  add_library(${target}_${level} OBJECT ${ARGN})
  get_target_property(libraries ${target} LINK_LIBRARIES)
  target_link_libraries(${target}_${level} PRIVATE ${libraries})
  set_target_properties(${target}_${level} PROPERTIES RECON_CPU_ARCH ${arch})  # of recon_options
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target}_${level} PRIVATE -fno-gnu-unique)  # unique names cannot be made local
  endif()
  target_compile_definitions(${target}_${level} PRIVATE RECON_CPU_LEVEL=${level})
  set(whole ${CMAKE_CURRENT_BINARY_DIR}/${level}_whole.o)
  set(object ${CMAKE_CURRENT_BINARY_DIR}/${level}.o)
  add_custom_command(OUTPUT ${object}
    COMMAND ${CMAKE_LINKER} -r --force-group-allocation -o ${whole} $<TARGET_OBJECTS:${target}_${level}>
    COMMAND ${CMAKE_OBJCOPY} --wildcard --keep-global-symbol=_ZN5recon6${level}* ${whole} ${object}
    DEPENDS ${target}_${level} $<TARGET_OBJECTS:${target}_${level}>
    COMMAND_EXPAND_LISTS VERBATIM)
  set_source_files_properties(${object} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  target_sources(${target} PRIVATE ${object})
endfunction()
