# The library for other programs, docs/library.md: headers, static libraries, and what find_package(recon) reads. A component of
# its own, so that the package of the program is without it.
include(GNUInstallDirs)
set(recon_cmake_folder ${CMAKE_INSTALL_LIBDIR}/cmake/recon)
# Whoever links recon::recon has all that registers itself, linked whole.
add_library(recon_library INTERFACE)
target_link_libraries(recon_library INTERFACE $<LINK_LIBRARY:WHOLE_ARCHIVE,recon_run>)
target_compile_features(recon_library INTERFACE cxx_std_20)
target_include_directories(recon_library INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
install(TARGETS recon_library recon_run recon_solver recon_data recon_gpu recon_core EXPORT recon_targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
# Without a namespace: CMake does not know the names of targets inside of LINK_LIBRARY.
install(EXPORT recon_targets DESTINATION ${recon_cmake_folder} COMPONENT development)

include(CMakePackageConfigHelpers)
get_directory_property(RECON_HAS_DCMTK DIRECTORY ${PROJECT_SOURCE_DIR}/data DEFINITION DCMTK_FOUND)
configure_package_config_file(package/recon-config.cmake.in ${PROJECT_BINARY_DIR}/generated/recon-config.cmake
                              INSTALL_DESTINATION ${recon_cmake_folder} NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/generated/recon-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/generated/recon-config.cmake ${PROJECT_BINARY_DIR}/generated/recon-config-version.cmake
        DESTINATION ${recon_cmake_folder} COMPONENT development)

install(CODE "set(source \"${PROJECT_SOURCE_DIR}\")
set(build \"${PROJECT_BINARY_DIR}/generated/include\")
set(destination \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_INCLUDEDIR}\")" COMPONENT development)
install(SCRIPT ${CMAKE_CURRENT_SOURCE_DIR}/package/install_headers.cmake COMPONENT development)
