#pragma once

#include <spawn.h>
#include <stdint.h>

/// Makes a program that is started close every descriptor but its first three, before it runs. Returns 0, or the error.
/// On macOS a flag of posix_spawn does that; musl has no such action.
int veery_spawn_close_others(posix_spawn_file_actions_t *actions);

/// Exchanges the names of two files or folders in one step. Returns 0, or -1 with errno, such as EINVAL where the file system
/// cannot do that.
int veery_exchange(const char *first, const char *second);

/// Allocates disk space for bytes of a file, whose length is unchanged. Returns 0, or -1 if there is not enough, or if the
/// system or the file system cannot do so.
int veery_reserve(int descriptor, int64_t start, int64_t count);
