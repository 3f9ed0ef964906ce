#pragma once

/// The lock of FFTW's planner, whose state is global.
///
/// A process may fork while another of its threads holds it: the thread that forks takes it first, and both sides of the fork
/// give it back, so that the child does not wait for a thread that it does not have.
void veery_lock_planner(void);
void veery_unlock_planner(void);
