get_filename_component(SLIPWAY_ROOT ${CMAKE_CURRENT_LIST_DIR} DIRECTORY)

# A room is one library. Its headers are reachable only through a link to it: each room gets an include root of its own
# that holds nothing but its own headers, so an include along an arrow that is not linked does not compile.
#
#   slipway_room(fleet SOURCES a.cpp b.cpp ROOMS ssh model core THIRD_PARTY asio::asio)
function(slipway_room name)
  cmake_parse_arguments(arg "" "" "SOURCES;ROOMS;THIRD_PARTY" ${ARGN})
  set(include_root ${CMAKE_BINARY_DIR}/rooms/${name})
  file(MAKE_DIRECTORY ${include_root}/slipway ${SLIPWAY_ROOT}/include/slipway/${name})
  file(CREATE_LINK ${SLIPWAY_ROOT}/include/slipway/${name} ${include_root}/slipway/${name} SYMBOLIC)

  add_library(slipway_${name} STATIC ${arg_SOURCES})
  add_library(slipway::${name} ALIAS slipway_${name})
  target_include_directories(slipway_${name} PUBLIC ${include_root} PRIVATE ${SLIPWAY_ROOT}/src)
  list(TRANSFORM arg_ROOMS PREPEND slipway::)
  target_link_libraries(slipway_${name} PUBLIC ${arg_ROOMS} PRIVATE slipway::settings ${arg_THIRD_PARTY})
endfunction()

# The unit tests of one room in one program: slipway_unit_test(fleet fan_out_test.cpp ...)
function(slipway_unit_test room)
  cmake_parse_arguments(arg "" "" "ROOMS" ${ARGN})
  list(TRANSFORM arg_ROOMS PREPEND slipway::)
  add_executable(unit_${room} ${arg_UNPARSED_ARGUMENTS})
  target_include_directories(unit_${room} PRIVATE ${SLIPWAY_ROOT}/src ${SLIPWAY_ROOT}/tests)
  target_link_libraries(unit_${room} PRIVATE slipway::${room} ${arg_ROOMS} slipway::settings GTest::gmock GTest::gtest_main)
  target_compile_options(unit_${room} PRIVATE $<$<CONFIG:Release>:-O1>)  # a test is compiled more often than run
  target_compile_definitions(unit_${room} PRIVATE SLIPWAY_SOURCE_DIR="${SLIPWAY_ROOT}")
  gtest_discover_tests(unit_${room} DISCOVERY_MODE PRE_TEST PROPERTIES TIMEOUT 120 LABELS unit)
endfunction()
