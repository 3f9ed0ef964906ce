#include <hdf5.h>
#include <hdf5_hl.h>
