#pragma once
#include <fftw3.h>

// An array of unknown length, which Swift cannot import.
static inline const char *veery_fftw_version(void) { return fftw_version; }
