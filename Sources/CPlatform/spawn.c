// For posix_spawn_file_actions_addclosefrom_np.
#define _GNU_SOURCE
#include "veery_files.h"

int veery_spawn_close_others(posix_spawn_file_actions_t *actions) {
#ifdef __GLIBC__
    return posix_spawn_file_actions_addclosefrom_np(actions, 3);
#else
    (void)actions;
    return 0;
#endif
}
