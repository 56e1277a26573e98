# Flags for building the project itself; never installed, never seen by consumers.
add_library(vesalius_dev_flags INTERFACE)
target_compile_options(vesalius_dev_flags INTERFACE -Wall -Wextra -Wconversion -Wshadow -Wno-sign-conversion -ffp-contract=off)
# GCC 12 warns wrongly about concatenated strings as soon as it optimises.
target_compile_options(vesalius_dev_flags INTERFACE $<$<AND:$<CXX_COMPILER_ID:GNU>,$<NOT:$<CONFIG:Debug>>>:-Wno-restrict>)
if(VESALIUS_WARNINGS_AS_ERRORS)
  target_compile_options(vesalius_dev_flags INTERFACE -Werror)
endif()
if(VESALIUS_SANITIZE)
  target_compile_options(vesalius_dev_flags INTERFACE -fsanitize=${VESALIUS_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
  target_link_options(vesalius_dev_flags INTERFACE -fsanitize=${VESALIUS_SANITIZE})
endif()
