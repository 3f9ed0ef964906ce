#pragma once

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

/// A function of any library that the program was loaded with; NULL: there is none of that name.
void *_Nullable veery_loaded_function(const char *name);

/// The path of the library that has a function; NULL: unknown. Valid as long as the library is loaded.
const char *_Nullable veery_loaded_file(const void *function);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif
