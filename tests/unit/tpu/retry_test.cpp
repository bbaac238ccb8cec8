#include "slipway/tpu/retry.h"

#include <gtest/gtest.h>
