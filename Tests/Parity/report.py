"""The table in Markdown, and whether the goals are met."""

import peers
from measure import PEER, PEER_TO_REFERENCE, QUIRK, REFERENCE

BEGIN, END = "<!-- parity: begin (written by parity.py) -->", "<!-- parity: end -->"
# The greatest difference allowed, as a fraction of the clip's range.
PEER_GOAL, REFERENCE_GOAL = 1e-4, 1e-5
# Kaldi's own tests (feature-mfcc-test.cc, feature-fbank-test.cc) allow 1.0 from HTK's values, whatever the range.
KALDI_GOAL = 1.0

MOST_PROBLEMS = 5

COLUMNS = ("what", "peer", "clips", "rates (kHz)", "frames", "Veery to peer", "Veery to float64", "median", "peer to float64", "goals")


def number(value):
    return f"{value:.1e}".replace("e-0", "e-") if value else "0"


def cell(results, what):
    worst = results.worst(what)
    return f"{number(worst.share)} ({number(worst.absolute)})" if worst else "–"


def verdicts(row, results):
    """Goals that are missed, and remarks on those that are met only with an allowance."""
    missed, remarks = results.problems[:MOST_PROBLEMS], []
    if len(results.problems) > MOST_PROBLEMS:
        missed.append(f"and {len(results.problems) - MOST_PROBLEMS} clips more")
    exact = results.worst(REFERENCE)
    if exact is None:
        return [*missed, "nothing was compared"], remarks
    if exact.share > REFERENCE_GOAL:
        missed.append(f"{number(exact.share)} of the range from the float64 reference ({exact.clip})")
    if row.peer is None:
        return missed, remarks
    apart = results.worst(PEER)
    if apart is None:
        return [*missed, "no clip was compared with the peer"], remarks
    if apart.share > PEER_GOAL:
        theirs = {difference.clip: difference for difference in results.differences[PEER_TO_REFERENCE]}
        beyond = [d for d in results.differences[PEER] if d.share > PEER_GOAL + theirs[d.clip].share]
        if beyond:
            worst = max(beyond, key=lambda d: d.share)
            missed.append(f"{number(worst.share)} of the range from the peer ({worst.clip})")
        else:
            remarks.append("peer's own error")
    if "kaldi" in row.name:
        far = max(results.differences[PEER], key=lambda d: d.absolute)
        if far.absolute > KALDI_GOAL:
            missed.append(f"{far.absolute:.2g} from Kaldi, whose tests allow {KALDI_GOAL} ({far.clip})")
    return missed, remarks


def line(row, results, missed, remarks):
    outcome = "missed" if missed else "met" + "".join(f", {remark}" for remark in remarks)
    rates = ", ".join(f"{rate / 1000:g}" for rate in sorted(row.rates))
    median = results.median(REFERENCE)
    cells = (row.name, row.peer_name or "–", str(results.clips), rates, f"{results.frames:,}", cell(results, PEER),
             cell(results, REFERENCE), "–" if median is None else number(median), cell(results, PEER_TO_REFERENCE), outcome)
    return "| " + " | ".join(cells) + " |"


def notes(measured):
    """Clips without a frame, clips a peer refuses, and peers that follow a definition of their own."""
    short, refused, quirks = {}, {}, []
    for row, results in measured:
        if results.without_frames:
            short[row.name] = results.without_frames
        if results.refused:
            refused[f"{row.name} ({row.peer_name})"] = results.refused
        if row.quirk and results.worst(QUIRK):
            quirks.append(
                f"- {row.name}: the peer is {cell(results, PEER_TO_REFERENCE)} from the definition, and "
                f"{cell(results, QUIRK)} from the same with half the rate rounded down to a whole number of Hz.")
    lines = []
    if short:
        counts = ", ".join(f"{name} {count}" for name, count in short.items())
        lines.append(f"- Clips too short for a frame, without one here, there and in the reference: {counts}.")
    if refused:
        counts = ", ".join(f"{name} {count}" for name, count in refused.items())
        lines.append(f"- Clips that the peer refuses, compared with the reference alone: {counts}.")
    return lines + quirks


def table(measured, source):
    """The table and its notes; and the goals that are missed, with their rows."""
    lines = ["| " + " | ".join(COLUMNS) + " |", "|" + "---|" * len(COLUMNS)]
    missed = []
    for row, results in measured:
        of_row, remarks = verdicts(row, results)
        missed += [f"{row.name}: {text}" for text in of_row]
        lines.append(line(row, results, of_row, remarks))
    versions = ", ".join(f"{name} {version}" for name, version in peers.VERSIONS.items())
    return "\n".join([f"Measured on {source}, with {versions}.", "", *lines, "", *notes(measured)]), missed


def write(path, text):
    """Puts the text between the marker lines of the file."""
    before, rest = path.read_text(encoding="utf-8").split(BEGIN)
    _, after = rest.split(END)
    path.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}", encoding="utf-8")
