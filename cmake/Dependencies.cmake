# Every third party, found once. Each is linked by exactly one room (docs/map.md says which), as SYSTEM.
find_package(Threads REQUIRED)
find_package(OpenSSL 3.0 REQUIRED)
find_package(CURL 7.85 REQUIRED)
find_package(fmt 9 REQUIRED)
find_package(spdlog REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(CLI11 2.1 REQUIRED)
find_package(SQLite3 3.35 REQUIRED)
find_package(yaml-cpp 0.7 REQUIRED)
include(Libssh2)

find_path(ASIO_INCLUDE_DIR asio.hpp REQUIRED)
add_library(slipway_asio INTERFACE)
add_library(asio::asio ALIAS slipway_asio)
target_include_directories(slipway_asio SYSTEM INTERFACE ${ASIO_INCLUDE_DIR})
target_compile_definitions(slipway_asio INTERFACE ASIO_STANDALONE ASIO_NO_DEPRECATED)
target_link_libraries(slipway_asio INTERFACE Threads::Threads)

find_path(HTTPLIB_INCLUDE_DIR httplib.h REQUIRED)
find_library(HTTPLIB_LIBRARY cpp-httplib REQUIRED)
add_library(slipway_httplib INTERFACE)
add_library(httplib::httplib ALIAS slipway_httplib)
target_include_directories(slipway_httplib SYSTEM INTERFACE ${HTTPLIB_INCLUDE_DIR})
# The classes' layout depends on these, so they must be what the distribution built its library with: its pkg-config file says
# (read here, so that pkg-config itself need not be installed).
find_file(HTTPLIB_PC cpp-httplib.pc PATHS /usr /usr/local
          PATH_SUFFIXES lib/${CMAKE_LIBRARY_ARCHITECTURE}/pkgconfig lib/pkgconfig share/pkgconfig)
if(HTTPLIB_PC)
  file(STRINGS ${HTTPLIB_PC} httplib_cflags REGEX "^Cflags")
  string(REGEX MATCHALL "-DCPPHTTPLIB_[A-Z_]+" httplib_definitions "${httplib_cflags}")
  target_compile_options(slipway_httplib INTERFACE ${httplib_definitions})
endif()
target_link_libraries(slipway_httplib INTERFACE ${HTTPLIB_LIBRARY} OpenSSL::SSL OpenSSL::Crypto Threads::Threads)

if(SLIPWAY_TESTS)
  find_package(GTest 1.12 REQUIRED)
  include(GoogleTest)
endif()
