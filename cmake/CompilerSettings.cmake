# slipway::settings carries what every target of ours is compiled with. Warnings are errors in development and CI only,
# never for somebody who builds a release.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# -O3 costs a third more of compile time and wins nothing here: the time goes to libcrypto and the kernel.
string(REPLACE "-O3" "-O2" CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")

find_program(SLIPWAY_CCACHE ccache)
if(SLIPWAY_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${SLIPWAY_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${SLIPWAY_CCACHE})
endif()

add_library(slipway_settings INTERFACE)
add_library(slipway::settings ALIAS slipway_settings)
target_compile_options(slipway_settings INTERFACE
  # A designated initializer names what it sets; the rest has defaults, which g++ 12 warns of all the same.
  -Wall -Wextra -Wno-missing-field-initializers -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wcast-align -Wold-style-cast
  $<$<CONFIG:Release>:-fstack-protector-strong>)
target_compile_definitions(slipway_settings INTERFACE
  _GLIBCXX_ASSERTIONS $<$<CONFIG:Release>:_FORTIFY_SOURCE=2>)
# g++ 12 warns of overlapping copies inside of std::string's own operator+ (GCC bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(slipway_settings INTERFACE -Wno-restrict)
endif()
if(SLIPWAY_WERROR)
  target_compile_options(slipway_settings INTERFACE -Werror)
endif()
if(SLIPWAY_SANITIZE)
  target_compile_options(slipway_settings INTERFACE -fsanitize=${SLIPWAY_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(slipway_settings INTERFACE -fsanitize=${SLIPWAY_SANITIZE})
endif()
