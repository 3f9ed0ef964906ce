#ifndef VEERY_PROGRAM_H
#define VEERY_PROGRAM_H

/// The arguments that the system started the program with, the program's own name first and NULL last; NULL where they are
/// not known. Swift itself reads them from /proc, which a chroot may lack.
const char *const *veery_arguments(void);

/// From now on an allocation of less than 1 GiB that fails, in whichever library, ends the process with `status` and one
/// line on standard error. Larger ones fail as they did: code that allocates as much as a file demands checks the result.
void veery_guard_memory(int status);

/// What the line says at its end; `words` must not be freed. NULL: nothing.
void veery_guard_words(const char *words);

/// A function that is called before the process ends so, such as one that gives a terminal back; NULL: none. It must not
/// allocate memory or wait.
void veery_guard_farewell(void (*farewell)(void));

/// The libraries that are linked into the program: a line each, with name, version and SPDX licence, separated by tabs. NULL: a build
/// that takes them from the system.
const char *veery_components(void);

/// Calls `visit` with the path of each shared library of the process, and with `context`. The path of the program itself may be
/// among them, and empty paths.
void veery_each_library(void (*visit)(const char *path, void *context), void *context);

#endif
