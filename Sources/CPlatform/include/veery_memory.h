#pragma once

#include <stddef.h>

// Whether there is memory for what comes, asked before it begins: Swift, FFTW and libsoxr end the process where an allocation
// fails.

/// What a call needs that allocates nothing large: closures, boxes of errors, texts.
enum { veery_small_memory = 32 << 10 };

/// Claims memory for work that begins: nonzero if `bytes` can be allocated in addition to what other threads have claimed.
///
/// Nothing is taken, so memory can still go to a thread that does not ask here.
int veery_claim_memory(size_t bytes);

/// Ends a claim.
void veery_end_claim(size_t bytes);

/// Nonzero if `bytes` can be allocated now, and then still what is claimed, or `veery_small_memory`.
int veery_memory_is_left(size_t bytes);

/// Nonzero if the stack of this thread can take a call. It has grown by that much then, so that it does not have to later.
int veery_stack_suffices(void);
