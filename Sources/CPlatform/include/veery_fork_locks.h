#pragma once

// Locks that are consistent across fork(). The thread that forks takes them first, and both processes release them afterwards: so
// the child never waits for a thread that it does not have.

/// The lock of FFTW's planner, whose state is global.
void veery_lock_planner(void);
void veery_unlock_planner(void);

/// The lock around everything that makes Swift's runtime initialise a type or a constant.
///
/// The runtime's own locks know nothing of forks: a child whose parent forked during such an initialisation would wait for ever,
/// and so would two threads of a child that meet at one, since a lock keeps the number of the parent's thread. May be taken before
/// the planner's, never while that is held.
void veery_lock_setup(void);
void veery_unlock_setup(void);
