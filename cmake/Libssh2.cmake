# Defines Libssh2::libssh2, at least 1.11.1 (docs/adr says why): the system's, else the patched one that scripts/libssh2
# built, else upstream's release from its pinned archive. A packager without internet sets FETCHCONTENT_SOURCE_DIR_LIBSSH2.
set(LIBSSH2_MINIMUM 1.11.1)

# A static prefix becomes the target by hand: its own package file would drag in its build options.
function(slipway_libssh2_from_prefix prefix version)
  add_library(Libssh2::libssh2 STATIC IMPORTED GLOBAL)
  set_target_properties(Libssh2::libssh2 PROPERTIES
    IMPORTED_LOCATION ${prefix}/lib/libssh2.a
    INTERFACE_INCLUDE_DIRECTORIES ${prefix}/include
    INTERFACE_LINK_LIBRARIES OpenSSL::Crypto
    # libcurl loads the system's own, older libssh2; without this its calls would end in ours.
    INTERFACE_LINK_OPTIONS "LINKER:--exclude-libs,libssh2.a")
  message(STATUS "libssh2: ${version} from ${prefix}")
endfunction()

find_package(PkgConfig QUIET)
if(PKG_CONFIG_FOUND)
  pkg_check_modules(LIBSSH2_SYSTEM QUIET IMPORTED_TARGET GLOBAL libssh2>=${LIBSSH2_MINIMUM})
endif()

if(DEFINED ENV{SLIPWAY_DEPS})
  set(libssh2_deps $ENV{SLIPWAY_DEPS})
elseif(DEFINED ENV{XDG_CACHE_HOME})
  set(libssh2_deps $ENV{XDG_CACHE_HOME}/slipway/deps)
else()
  set(libssh2_deps $ENV{HOME}/.cache/slipway/deps)
endif()

if(LIBSSH2_SYSTEM_FOUND AND NOT FETCHCONTENT_SOURCE_DIR_LIBSSH2)
  add_library(Libssh2::libssh2 ALIAS PkgConfig::LIBSSH2_SYSTEM)
  message(STATUS "libssh2: ${LIBSSH2_SYSTEM_VERSION} of the system")
elseif(EXISTS ${libssh2_deps}/libssh2/prefix/lib/libssh2.a AND NOT FETCHCONTENT_SOURCE_DIR_LIBSSH2)
  file(STRINGS ${libssh2_deps}/libssh2/version libssh2_version LIMIT_COUNT 1)
  # A newer one is taken by configuring again; the real folder, not the link to it, so that nothing changes under a build.
  set_property(DIRECTORY ${CMAKE_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${libssh2_deps}/libssh2/version)
  file(REAL_PATH ${libssh2_deps}/libssh2/prefix libssh2_prefix)
  slipway_libssh2_from_prefix(${libssh2_prefix} ${libssh2_version})
else()
  if(NOT FETCHCONTENT_SOURCE_DIR_LIBSSH2)
    message(WARNING "libssh2: taking upstream's 1.11.1 from the net, which lacks the fixes of 2026. "
                    "Run scripts/libssh2 first to build the patched one.")
  endif()
  include(FetchContent)
  if(POLICY CMP0135)
    cmake_policy(SET CMP0135 NEW)
  endif()
  set(BUILD_SHARED_LIBS OFF CACHE BOOL "" FORCE)
  set(BUILD_EXAMPLES OFF CACHE BOOL "" FORCE)
  set(BUILD_TESTING OFF CACHE BOOL "" FORCE)
  set(CRYPTO_BACKEND OpenSSL CACHE STRING "" FORCE)
  # The hash is that of Debian's libssh2_1.11.1.orig.tar.gz, which is this file with its signature beside it.
  FetchContent_Declare(libssh2
    URL https://github.com/libssh2/libssh2/releases/download/libssh2-1.11.1/libssh2-1.11.1.tar.gz
    URL_HASH SHA256=d9ec76cbe34db98eec3539fe2c899d26b0c837cb3eb466a56b0f109cabf658f7)
  FetchContent_MakeAvailable(libssh2)
  if(NOT TARGET Libssh2::libssh2)
    add_library(Libssh2::libssh2 ALIAS libssh2_static)
  endif()
endif()
