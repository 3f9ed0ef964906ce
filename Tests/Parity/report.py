"""The table in Markdown, and whether the goals are met."""

import peers
from measure import PEER, PEER_TO_REFERENCE, QUIRK, REFERENCE

BEGIN, END = "<!-- parity: begin (written by parity.py) -->", "<!-- parity: end -->"
# The greatest difference allowed, as a part of the clip's range.
PEER_GOAL, REFERENCE_GOAL = 1e-4, 1e-5
# Kaldi's own tests (feature-mfcc-test.cc, feature-fbank-test.cc) allow 1.0 from HTK's values, whatever the range.
KALDI_GOAL = 1.0

COLUMNS = ("what", "peer", "clips", "rates (kHz)", "frames", "Veery to peer", "Veery to float64", "median", "peer to float64", "goals")


def number(value):
    return f"{value:.1e}".replace("e-0", "e-") if value else "0"


def figure(figures, what):
    worst = figures.worst(what)
    return f"{number(worst.share)} ({number(worst.absolute)})" if worst else "–"


def verdicts(row, figures):
    """Goals that are missed, and remarks on those that are met in their own way."""
    missed, remarks = list(figures.problems), []
    exact = figures.worst(REFERENCE)
    if exact is None:
        return [*missed, "nothing was compared"], remarks
    if exact.share > REFERENCE_GOAL:
        missed.append(f"{number(exact.share)} of the range from the float64 reference ({exact.clip})")
    if row.peer is None:
        return missed, remarks
    apart = figures.worst(PEER)
    if apart is None:
        return [*missed, "no clip was compared with the peer"], remarks
    if apart.share > PEER_GOAL:
        theirs = {difference.clip: difference for difference in figures.differences[PEER_TO_REFERENCE]}
        beyond = [d for d in figures.differences[PEER] if d.share > PEER_GOAL + theirs[d.clip].share]
        if beyond:
            worst = max(beyond, key=lambda d: d.share)
            missed.append(f"{number(worst.share)} of the range from the peer ({worst.clip})")
        else:
            remarks.append("peer's own error")
    if "kaldi" in row.name:
        far = max(figures.differences[PEER], key=lambda d: d.absolute)
        if far.absolute > KALDI_GOAL:
            missed.append(f"{far.absolute:.2g} from Kaldi, whose tests allow {KALDI_GOAL} ({far.clip})")
    return missed, remarks


def line(row, figures, missed, remarks):
    outcome = "missed" if missed else "met" + "".join(f", {remark}" for remark in remarks)
    rates = ", ".join(f"{rate / 1000:g}" for rate in sorted(row.rates))
    median = figures.median(REFERENCE)
    cells = (row.name, row.peer_name or "–", str(figures.clips), rates, f"{figures.frames:,}", figure(figures, PEER),
             figure(figures, REFERENCE), "–" if median is None else number(median), figure(figures, PEER_TO_REFERENCE), outcome)
    return "| " + " | ".join(cells) + " |"


def notes(measured):
    lines = []
    for row, figures in measured:
        if figures.without_frames:
            lines.append(f"{row.name}: {figures.without_frames} clips shorter than a frame, without frames here and there.")
        if figures.refused:
            lines.append(f"{row.name}: {row.peer_name} refuses {figures.refused} clips; compared with the reference alone.")
        if row.quirk and figures.worst(QUIRK):
            lines.append(
                f"{row.name}: the peer is {figure(figures, PEER_TO_REFERENCE)} from the definition with half the rate, and "
                f"{figure(figures, QUIRK)} from that with half the rate rounded down to a whole number.")
    return [f"- {text}" for text in dict.fromkeys(lines)]


def table(measured, source):
    """The table and its notes; and the goals that are missed, with their rows."""
    lines = ["| " + " | ".join(COLUMNS) + " |", "|" + "---|" * len(COLUMNS)]
    missed = []
    for row, figures in measured:
        of_row, remarks = verdicts(row, figures)
        missed += [f"{row.name}: {text}" for text in of_row]
        lines.append(line(row, figures, of_row, remarks))
    versions = ", ".join(f"{name} {version}" for name, version in peers.VERSIONS.items())
    return "\n".join([f"Measured on {source}, with {versions}.", "", *lines, "", *notes(measured)]), missed


def write(path, text):
    """Puts the text between the marker lines of the file."""
    before, rest = path.read_text(encoding="utf-8").split(BEGIN)
    _, after = rest.split(END)
    path.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}", encoding="utf-8")
