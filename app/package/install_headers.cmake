# Run when installing: headers as <recon/core/...>, so that our folders are in nobody's way. The kernels of the CPU and the command
# line are not for others.
file(REMOVE_RECURSE ${build})
foreach(folder core solver data app/pipeline app/reconstruction app/report)
  file(GLOB_RECURSE headers RELATIVE ${source} ${source}/${folder}/*.hpp)
  list(FILTER headers EXCLUDE REGEX "^core/backend/cpu/|^app/report/page/")
  foreach(header ${headers})
    file(READ ${source}/${header} text)
    string(REGEX REPLACE "#include \"(core|solver|data|app)/" "#include \"recon/\\1/" text "${text}")
    file(WRITE ${build}/recon/${header} "${text}")
  endforeach()
endforeach()
file(INSTALL ${build}/recon DESTINATION ${destination})
