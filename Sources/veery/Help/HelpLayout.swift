/// The order of the options in a command's help: what is written first, then the configuration, then what most people use, then the
/// rest.
struct HelpLayout {
    /// Options under a title, by their long names.
    struct Group {
        let title: String
        /// Those that the short help has, too.
        let frequent: [String]
        let rare: [String]

        /// The names with spaces between them.
        init(_ title: String, _ frequent: String, rare: String = "") {
            self.title = title
            self.frequent = frequent.split(separator: " ").map(String.init)
            self.rare = rare.split(separator: " ").map(String.init)
        }

        var options: [String] { frequent + rare }
    }

    let groups: [Group]

    /// The layout of a command; nil: it has few options, in the order of their declaration.
    static func of(_ command: String) -> HelpLayout? { table[command].map(HelpLayout.init) }

    /// Only read for help.
    private static let table: [String: [Group]] = [
        "crawl": [
            Group("Output", "output overwrite", rare: "format quoting"),
            Group("Labels", "label-from label-level"),
            Group("Recordings", "include exclude", rare: "dataset no-archives no-ffmpeg"),
            Group("Run", "", rare: "strict json quiet"),
        ],
        "clips": [
            Group("Output", "output", rare: "overwrite output-format"),
            Group("Clips of annotations", "annotations context", rare: "min-duration short max-duration"),
            Group("Windows", "window step no-label", rare: "min-overlap best-window partial"),
            Group(
                "Annotation files", "label-column",
                rare: "label path-column start-column end-column duration-column annotator tier channel min-confidence "
                    + "annotations-named annotations-format"),
            Group("Run", "skip-problems", rare: "jobs strict json quiet"),
            Group("Recordings", "", rare: "truncated overshoot"), dataset,
        ],
        "split": [
            Group("Output", "output", rare: "overwrite output-format"),
            Group("Splits", "ratio folds by stratify list rest", rare: "keep seed"),
            Group("Run", "", rare: "strict json quiet"), dataset,
        ],
        "check": [
            Group("Checks", "deep features by"), Group("Output", "mend html json", rare: "overwrite"),
            Group("Run", "jobs", rare: "progress strict"),
            Group("Recordings", "", rare: "truncated overshoot no-ffmpeg"), dataset,
        ],
        "extract": [
            Group("Output", "output overwrite", rare: "files failures-out"), configuration(rare: "stats-from"),
            Group("Run", "jobs max-failures dry-run quiet", rare: "progress strict json"),
            Group("An existing output", "sync", rare: "append retry-failed new-statistics"),
            Group("An interrupted run", "", rare: "fresh verify-inputs keep-missing scratch"),
            Group("Several machines", "", rare: "shard file allow-mixed"),
            Group("Recordings", "", rare: "truncated non-finite overshoot no-ffmpeg"), extractedDataset,
            Group("Labels of frames", "", rare: "frame-labels label-column path-column label annotator tier channel"),
        ],
        "presets": [Group("Options", "keys json golden overwrite")],
        "conform": [
            configuration(), Group("Comparison", "array tolerance json", rare: "jobs"),
            Group("Recordings", "start end channel root", rare: "truncated non-finite no-ffmpeg"),
        ],
        "browse": [
            Group("Page", "no-open port view", rare: "jobs"), Group("Labels", "labels", rare: "annotations"),
            Group("Dataset", "root", rare: "format column label-separator one-hot extension time-unit quoting"),
        ],
        "inspect": [Group("Options", "verify suspicious html root plots json jobs", rare: "leave-out")],
        "list": [Group("Clips", "label split failures"), Group("Output", "first csv json")],
        "render": [
            Group("Output", "output"), Group("Feature files", "clip"),
            Group("Recordings", "start end", rare: "channel truncated non-finite no-ffmpeg"), configuration(),
            Group("Axes", "axis", rare: "band time begins mel-scale tuning"),
            Group(
                "Waveform and annotations", "waveform annotations",
                rare: "annotations-as root label-column path-column label annotator tier quoting"),
            Group(
                "Appearance", "colors", rare: "range percentiles below-peak theme width height dpi font-size"),
            Group("Several clips, and plain pictures", "", rare: "across plain columns"),
            Group("A contact sheet", "sheet", rare: "per-label choose seed labels split seconds no-average list"),
            Group("A filter bank", "filter-bank", rare: "sample-rate json"),
        ],
        "export": [
            Group("Output", "output to overwrite", rare: "shard-size"), Group("Clips", "split label"),
            Group("Run", "quiet", rare: "progress"),
        ],
        "live": [
            Group("Sound", "file rate", rare: "input format channels speed truncated non-finite"),
            Group("Recording of features", "record recover overwrite"), configuration(),
            Group("Display", "display", rare: "span range colors depth fps"),
            Group("Equalizer", "band-pass", rare: "band-stop pages"), Group("Run", "", rare: "quiet"),
        ],
        "decode": [
            Group("Output", "output overwrite", rare: "quiet"),
            Group("Samples", "sample-rate channels start end", rare: "resampler"),
            Group("Recordings", "", rare: "truncated non-finite no-ffmpeg audio-xxh3"),
        ],
        "filter": [
            Group("Options", "band-pass band-stop pages overwrite quiet", rare: "truncated non-finite")
        ],
    ]

    private static let dataset = Group(
        "Dataset", "", rare: "format root column label-separator one-hot extension time-unit quoting corrections")
    private static let extractedDataset = Group(
        "Dataset", "", rare: "format root column label-separator one-hot extension time-unit quoting corrections tar")

    private static func configuration(rare: String = "") -> Group {
        Group("Configuration", "preset config set", rare: rare)
    }
}
