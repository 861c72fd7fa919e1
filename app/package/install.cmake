# What `cmake --install` and packages hold: the program, its man pages and completions made by itself, docs and licence.
include(GNUInstallDirs)
install(TARGETS recon)

set(manual ${PROJECT_BINARY_DIR}/manual)
add_custom_command(TARGET recon POST_BUILD COMMAND ${CMAKE_COMMAND} -E rm -rf ${manual}
                   COMMAND recon manual --into ${manual} COMMENT "Man pages and completions" VERBATIM)
install(DIRECTORY ${manual}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 FILES_MATCHING PATTERN "*.1")
install(FILES ${manual}/recon.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME recon)
install(FILES ${manual}/_recon DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES ${manual}/recon.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/ DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/recon PATTERN decisions EXCLUDE PATTERN site EXCLUDE
        PATTERN requirements.txt EXCLUDE)
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/recon)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/recon RENAME copyright)

set(CPACK_PACKAGE_NAME recon)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION}${RECON_SINCE_TAG})
set(CPACK_PACKAGE_VENDOR "The recon authors")
set(CPACK_PACKAGE_CONTACT "The recon authors <recon@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_GENERATOR "DEB;TGZ")
# Two packages for Debian: the program, and the library for other programs.
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_NAME recon)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME librecon-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "Headers and static libraries of recon, for find_package(recon)")
string(CONCAT CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "cmake (>= 3.24), libeigen3-dev, libhdf5-dev, libismrmrd-dev, libpugixml-dev, "
       "libfmt-dev, libspdlog-dev, nlohmann-json3-dev, libpng-dev, zlib1g-dev, libssl-dev")
if(RECON_HAS_DCMTK)
  string(APPEND CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS ", libdcmtk-dev")
endif()
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
# What the program is linked to; cuBLAS, cuFFT and NCCL are opened when a GPU is used (docs/reading.md).
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
include(CPack)
