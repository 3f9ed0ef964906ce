#pragma once
#include <hdf5.h>
#include <hdf5_hl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>

// HDF5's types, property list classes and flags are macros that call H5open() or read globals, which Swift cannot
// import. Each is one function here.

static inline hid_t veery_h5_float32_le(void) { return H5T_IEEE_F32LE; }
// IEEE half precision, which HDF5 has no name for: sign bit 15, exponent from bit 10 (5 bits, bias 15), mantissa of 10
// bits. Made once; called under the library's lock.
static inline hid_t veery_h5_float16_le(void) {
    static hid_t half = -1;
    if (half < 0) {
        hid_t type = H5Tcopy(H5T_IEEE_F32LE);
        if (type >= 0 && H5Tset_fields(type, 15, 10, 5, 0, 10) >= 0 && H5Tset_size(type, 2) >= 0 &&
            H5Tset_ebias(type, 15) >= 0)
            half = type;
        else
            H5Tclose(type);
    }
    return half;
}
static inline hid_t veery_h5_float64_le(void) { return H5T_IEEE_F64LE; }
static inline hid_t veery_h5_uint8(void) { return H5T_STD_U8LE; }
static inline hid_t veery_h5_int32_le(void) { return H5T_STD_I32LE; }
static inline hid_t veery_h5_int64_le(void) { return H5T_STD_I64LE; }
static inline hid_t veery_h5_native_float(void) { return H5T_NATIVE_FLOAT; }
static inline hid_t veery_h5_native_double(void) { return H5T_NATIVE_DOUBLE; }
static inline hid_t veery_h5_native_int32(void) { return H5T_NATIVE_INT32; }
static inline hid_t veery_h5_native_int64(void) { return H5T_NATIVE_INT64; }
static inline hid_t veery_h5_c_string(void) { return H5T_C_S1; }
static inline size_t veery_h5_variable(void) { return H5T_VARIABLE; }

static inline hid_t veery_h5_file_create_class(void) { return H5P_FILE_CREATE; }
static inline hid_t veery_h5_file_access_class(void) { return H5P_FILE_ACCESS; }
static inline hid_t veery_h5_group_create_class(void) { return H5P_GROUP_CREATE; }
static inline hid_t veery_h5_dataset_create_class(void) { return H5P_DATASET_CREATE; }
static inline hid_t veery_h5_default(void) { return H5P_DEFAULT; }
static inline hid_t veery_h5_all(void) { return H5S_ALL; }

static inline unsigned veery_h5_truncate(void) { return H5F_ACC_TRUNC; }
static inline unsigned veery_h5_read_write(void) { return H5F_ACC_RDWR; }
static inline unsigned veery_h5_read_only(void) { return H5F_ACC_RDONLY; }

// Has a signal call `handler` on a separate stack (the thread's may be used up), or restores its default action (NULL).
// sigaction's structure is not the same in Swift on every platform.
static inline void veery_h5_handle(int number, void (*handler)(int)) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler ? handler : SIG_DFL;
    action.sa_flags = SA_ONSTACK | SA_RESTART;
    sigaction(number, &action, NULL);
}

// The calling thread, as a number: what pthread_t is differs between systems.
static inline uintptr_t veery_h5_thread(void) { return (uintptr_t)pthread_self(); }

// Sends SIGPROF each time the process has used so many seconds of processor time; 0: no more.
static inline void veery_h5_clock(int seconds) {
    struct itimerval clock = {{seconds, 0}, {seconds, 0}};
    setitimer(ITIMER_PROF, &clock, NULL);
}

// HDF5 prints its error stack to standard error by default. In thread-safe builds the setting is one of each thread, so it is
// changed before every call.
static inline void veery_h5_silence(void) { H5Eset_auto2(H5E_DEFAULT, NULL, NULL); }

// The number of the system's error comes after the name of the file, which may be long: then the end of the name is left out.
static inline herr_t veery_h5_first_error(unsigned n, const H5E_error2_t *error, void *text) {
    if (n != 0 || !error->desc) return 0;
    const char *end = NULL;
    for (const char *next = error->desc; (next = strstr(next, ", errno = ")); next++) end = next;
    int space = 255 - (end ? (int)strnlen(end, 200) : 0);
    if (end && end - error->desc > space)
        snprintf((char *)text, 256, "%.*s...%.200s", space - 3, error->desc, end);
    else
        snprintf((char *)text, 256, "%s", error->desc);
    return 0;
}

// The innermost message of the error stack, as text of at most 255 bytes; the stack is emptied.
static inline void veery_h5_message(char *text) {
    text[0] = 0;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, veery_h5_first_error, text);
    H5Eclear2(H5E_DEFAULT);
}
