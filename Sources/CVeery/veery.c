#include "veery.h"
