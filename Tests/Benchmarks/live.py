"""What `veery live` costs, and how soon a sound is seen: `live.py PROGRAM [--clicks N] [--seconds S]`.

A terminal of 80 × 24 that exists in memory shows 24-bit colours; stereo of 16 bits comes through a pipe at the pace of a
sound card, every 10 ms.

- Cost: processor time, user and system, over the time that the sound lasts.
- Ratio: seconds of sound that are analysed in a second of processor time, where they come as fast as they are taken.
- Delay: from the end of the write that brings a click into silence until the terminal gets a cell of another colour. Next to it is
  the time from one frame to the next, which a click may have to wait until its frame is complete.
"""

import argparse
import fcntl
import os
import pty
import select
import statistics
import struct
import sys
import termios
import threading
import time

import numpy as np

CELL = "▀".encode()
BLOCK = 0.01


class Live:
    """A running program with a terminal."""

    def __init__(self, program, *arguments, columns=80, rows=24):
        inner, self.sound = os.pipe()
        self.number, self.terminal = pty.fork()
        if self.number == 0:
            os.dup2(inner, 0)
            os.close(self.sound)
            environment = dict(os.environ, TERM="xterm-256color", COLORTERM="truecolor", LC_ALL="C.UTF-8")
            environment.pop("NO_COLOR", None)
            os.execve(program, [program, "live", *arguments], environment)
        os.close(inner)
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.seen = []
        self.bytes = 0
        self.reading = threading.Thread(target=self.read, daemon=True)
        self.reading.start()

    def read(self):
        """Notes when cells of two colours come."""
        while True:
            try:
                found = os.read(self.terminal, 1 << 16)
            except OSError:
                return
            if not found:
                return
            self.bytes += len(found)
            if CELL in found:
                self.seen.append(time.monotonic())

    def play(self, block):
        view = memoryview(block)
        while view:
            view = view[os.write(self.sound, view):]

    def end(self):
        """Ends the sound; returns the processor time in seconds."""
        os.close(self.sound)
        _, status, usage = os.wait4(self.number, 0)
        if status != 0:
            sys.exit(f"the program ended with status {status}")
        return usage.ru_utime + usage.ru_stime


def samples(seconds, rate, channels, level, generator):
    frames = round(seconds * rate)
    return (generator.uniform(-level, level, (frames, channels)) * 32767).astype("<i2").tobytes()


def paced(live, blocks):
    """Plays blocks of 10 ms at their time."""
    begin = time.monotonic()
    for number, block in enumerate(blocks):
        time.sleep(max(0, begin + number * BLOCK - time.monotonic()))
        live.play(block)


def cost(program, seconds, rate, channels, settings, generator, **size):
    block = [samples(BLOCK, rate, channels, 0.3, generator) for _ in range(50)]
    live = Live(program, "--rate", str(rate), "--channels", str(channels), *settings, **size)
    paced(live, (block[number % 50] for number in range(round(seconds / BLOCK))))
    return live.end() / seconds, live.bytes / seconds


def ratio(program, seconds, rate, channels, settings, generator):
    second = samples(1, rate, channels, 0.3, generator)
    live = Live(program, "--rate", str(rate), "--channels", str(channels), *settings)
    for _ in range(seconds):
        live.play(second)
    return seconds / live.end()


def delays(program, clicks, rate, channels, settings, generator):
    silence = samples(BLOCK, rate, channels, 0, generator)
    # Not so loud that all cells become alike.
    click = samples(BLOCK, rate, channels, 0.02, generator)
    live = Live(program, "--rate", str(rate), "--channels", str(channels), "--span", "0.5", *settings)
    found = []
    paced(live, [silence] * 100)
    for _ in range(clicks):
        # At any moment between two pictures.
        time.sleep(generator.uniform(0, 0.04))
        live.play(click)
        played = time.monotonic()
        paced(live, [silence] * 150)
        after = [moment for moment in live.seen if moment >= played - 1e-3]
        if not after:
            sys.exit("a click was not seen")
        found.append(max(after[0] - played, 0))
    live.end()
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--clicks", type=int, default=20)
    parser.add_argument("--seconds", type=int, default=20)
    options = parser.parse_args()
    generator = np.random.default_rng(1)
    program = os.path.abspath(options.program)
    print("| what | value |\n|---|---|")
    for preset in ("scrolling-dct", "log-mel", "mixer-fft", "musical-spectrum", "live-waveform"):
        share, output = cost(program, options.seconds, 192000, 2, ["--preset", preset], generator)
        print(f"| {preset}, 192 kHz stereo: share of a core | {share:.1%}, {output / 1e3:.0f} kB/s to the terminal |", flush=True)
    share, output = cost(program, options.seconds, 192000, 2, ["--preset", "scrolling-dct"], generator, columns=200, rows=50)
    print(f"| scrolling-dct, the same on 200 × 50 | {share:.1%}, {output / 1e3:.0f} kB/s to the terminal |", flush=True)
    for preset in ("scrolling-dct", "log-mel"):
        speed = ratio(program, 60, 192000, 2, ["--preset", preset], generator)
        print(f"| {preset}, 192 kHz stereo, as fast as it is taken: times real time | {speed:.0f} |", flush=True)
    for preset, rate, hop in (("scrolling-dct", 44100, 512 / 44100), ("scrolling-dct", 192000, 512 / 192000), ("log-mel", 44100, 0.01)):
        found = sorted(delays(program, options.clicks, rate, 2, ["--preset", preset], generator))
        print(f"| {preset}, {rate} Hz: delay of {len(found)} clicks, median and greatest, hop | "
              f"{1000 * statistics.median(found):.0f} ms, {1000 * found[-1]:.0f} ms, {1000 * hop:.1f} ms |", flush=True)


if __name__ == "__main__":
    main()
