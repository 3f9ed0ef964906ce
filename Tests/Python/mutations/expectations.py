"""What a mutation must lead to."""

from dataclasses import dataclass, field

# The kinds of remarks that tables state, and those that say the same more finely: as in the JSON of the commands.
KINDS = {
    "recordings-passed-over": {"archives-damaged", "folders-unreadable"}, "recordings-not-listed": set(),
    "recordings-without-annotations": {"values-missing"}, "tables-unclaimed": {"manifests-skipped", "tables-of-others"},
    "columns-unused": {"columns-misspelt", "times-unread", "labels-not-found", "labels-unread"}, "annotations-unused": {"times-missing"},
    "supervisions-left-out": set(), "splits-left-out": {"splits-chosen"}, "splits-chosen": set(), "metadata-unread": set(),
    "values-unread": set(), "entries-without-recording": set(), "lengths-differ": set(), "times-disagree": set(),
    "values-disagree": set(), "ends-cut": set(),
    "channels-chosen": set(), "columns-chosen": {"columns-misspelt", "labels-not-found", "recordings-repeated"},
    "encodings-assumed": set(), "tables-matched": set(), "recordings-converted": set(), "annotations-uncertain": set(),
    "windows-undecided": set(), "annotators-agree": set(), "annotations-after-cut": set()}
# Those that a file keeps for each clip, in `/clips/remarks`.
OF_CLIPS = {"lengths-differ", "recordings-cut-later", "ends-cut"}
# In the JSON alone: what nothing is lost with.
UNSHOWN = {"others-skipped", "recordings-excluded"}


def accepts(stated, found):
    """Whether one of the kinds found is one of those stated."""
    return any(kind in found or KINDS[kind] & found for kind in stated)


@dataclass(frozen=True)
class Expectation:
    """One outcome, or one of several."""

    def __or__(self, other):
        return AnyOf(self.alternatives() + other.alternatives())

    def alternatives(self):
        return (self,)


@dataclass(frozen=True)
class AnyOf(Expectation):
    """One of several outcomes, where the format's documentation leaves open which."""

    members: tuple

    def alternatives(self):
        return self.members

    def __str__(self):
        return " or ".join(map(str, self.members))


@dataclass(frozen=True)
class Neutral(Expectation):
    """The same bytes of features, and the same columns of clips, as of the true sample; no remark of a loss."""

    def __str__(self):
        return "neutral"


@dataclass(frozen=True)
class Changed(Expectation):
    """The rows of the true sample with stated changes. Nothing else differs.

    - `rows`: by id, the changed values; None: the row is gone; of a new id, all its values, or those that differ from
      the row `like`.
    - `columns`: new names of columns, None: the column is gone.
    - `free`: columns whose values are not compared.
    """

    rows: dict = field(default_factory=dict)
    columns: dict = field(default_factory=dict)
    free: tuple = ()

    def __str__(self):
        stated = [f"{name}: {values}" for name, values in self.rows.items()]
        stated += [f"column {old} → {new}" for old, new in self.columns.items()]
        return f"changed ({', '.join(stated) or 'in nothing that is compared'})"


@dataclass(frozen=True)
class Remarked(Expectation):
    """Exit status 0 and a remark of one of these kinds; if `change` is given, these rows, too."""

    kinds: frozenset
    change: Changed | None = None

    def __str__(self):
        return f"remarked ({' or '.join(sorted(self.kinds))})" + (f", {self.change}" if self.change else "")


@dataclass(frozen=True)
class Failed(Expectation):
    """An exit status other than 0, or a clip that fails, and a message that names one of the files."""

    files: tuple = ()

    def __str__(self):
        return f"error ({' or '.join(self.files) or 'that names the file'})"


NEUTRAL = Neutral()


def CHANGED(rows=None, columns=None, free=()):
    return Changed(rows or {}, columns or {}, tuple(free))


# Another form of the same: what is compared of clips is the same, also if columns are in another order.
SAME = CHANGED()


def REMARKED(*kinds, change=None):
    assert kinds and set(kinds) <= set(KINDS), kinds
    return Remarked(frozenset(kinds), change)


def ERROR(*files):
    """Without names: the file that was changed."""
    return Failed(files)


# An annotation table that is not in UTF-8, and read as one of Windows.
ASSUMED = REMARKED("encodings-assumed", change=SAME)
