import FeatureModel

/// What other programs call the commands and options of this one: the one table of such names. Keys of configurations are in
/// `ForeignName`.
///
/// From librosa, torchaudio, Kaldi, lhotse, ffmpeg, sox, scikit-learn and the tools of systems.
enum OtherNames {
    /// A command, or what is to be typed in place of it.
    static let commands: [(ours: String, names: [String])] = [
        ("inspect", words("info show stats statistics summary describe view report soxi ffprobe")),
        ("browse", words("serve server web webapp ui gui app browser explore explorer review correct relabel label")),
        ("list", words("ls clips-of ids rows table dump head cat")),
        ("render", words("plot draw picture image spectrogram visualize visualise display figure png specshow")),
        (
            "extract",
            words("features compute process run make build feats featurize compute-fbank-feats compute-mfcc-feats")
        ),
        ("export", words("convert to-numpy to-kaldi copy-feats save")),
        ("crawl", words("scan index manifest find walk init collect")),
        ("split", words("splits divide partition folds kfold train-test-split stratify subset")),
        ("clips", words("clip segment segments annotate annotations windows cut slice")),
        ("check", words("validate verify lint test")), ("conform", words("compare diff match parity")),
        ("live", words("record listen stream mic microphone monitor watch play")),
        ("filter", words("equalize equalise eq bandpass band-pass bandstop denoise")),
        ("presets", words("preset config configs configuration configurations list-presets show-presets")),
        ("--version", words("version")), ("--licences", words("licences licenses licence license")),
    ]

    /// What may be meant by an option: the first that the command has.
    enum Meaning: Equatable {
        /// An option of the command, as `jobs`; with a value that goes with it, as `progress plain`.
        case option(String)
        /// A key of the configuration, for commands with `--set`; with a value or without, as `audio.channels=mix`.
        case key(String)
        /// An argument, which has no option, by its name in the usage; empty: the first.
        case argument(String)
        /// What is to be typed after 'veery', for commands with an option or an argument of that name; nil: for all. It takes the
        /// same argument.
        case command(String, ofOption: String? = nil, argument: String? = nil)
        /// What needs no option; only for commands that have an option of that name.
        case needless(String, ofOption: String)
        /// What is not the same as an option of the command, in a sentence that says how to get it; only for commands that have the
        /// option.
        case related(String, toOption: String)
    }

    /// Meanings by name, in lower case with hyphens. A name that the command has itself is never looked up.
    static let options: [(names: [String], meanings: [Meaning])] = [
        (
            words("threads workers num-workers num-threads cores processes nj n-jobs num-jobs j parallel"),
            [.option("jobs")]
        ),
        (words("corrections"), [.option("labels")]), (words("no-browser no-launch headless"), [.option("no-open")]),
        (
            words("force replace clobber yes y force-overwrite overwrite"),
            [.option("overwrite"), .needless("an older picture is replaced", ofOption: "waveform")]
        ),
        (
            words(
                "output o out outfile out-file output-file output-dir output-folder out-dir outdir dest destination save write"
            ),
            [
                .option("output"), .option("record"), .argument("output"), .option("html"), .option("golden"),
                .needless("'> FILE' after the command writes the list into a file", ofOption: "first"),
            ]
        ),
        (
            words(
                "input in i infile input-file input-dir filename file-name manifest audio audio-file wav wav-file wav-scp data"
            ), [.argument(""), .option("file FILE")]
        ),
        (words("format type out-format output-type"), [.option("to"), .option("csv")]),
        (words("output-format"), [.option("to"), .option("format"), .option("csv")]),
        (words("verbose debug v"), [.option("progress plain")]),
        (
            words("quiet silent no-progress q"),
            [.option("quiet")]
                + ["mend", "verify"].map {
                    .needless("'> /dev/null' after the command drops the report, with the same status", ofOption: $0)
                } + [.needless("the list is all that is printed", ofOption: "first")]
        ),
        (words("hop hop-length hop-size stride shift"), [.option("step")]),
        (
            words("overlap"),
            [.related("--step is the length of a window minus the overlap", toOption: "step")]
        ),
        (
            words(
                "sample-rate sr ar rate fs samplerate sampling-rate sample-frequency sampling-frequency target-sr resample r"
            ),
            [.option("sample-rate"), .option("rate"), .key("audio.sample_rate")]
        ),
        (words("mono ac downmix to-mono"), [.key("audio.channels=mix")]),
        (words("num-channels ac mono c"), [.option("channels")]),
        (
            words("list list-presets available"),
            [.command("list", argument: "file"), .command("presets", ofOption: "preset")]
        ),
        (words("split subset"), [.option("split"), .command("split", argument: "manifest")]),
        (words("licences licenses licence license"), [.command("--licences")]),
        (words("size figsize"), [.option("width"), .option("shard-size"), .option("span")]),
        (words("colormap cmap colour colours color palette"), [.option("colors")]),
        (words("vmin vmax clim zlim"), [.option("range")]),
        (words("y-axis freq-scale frequency-axis scale"), [.option("axis")]),
        (words("fontsize"), [.option("font-size")]), (words("offset ss begin from"), [.option("start")]),
        (words("stop until"), [.option("end")]), (words("dry simulate no-act n just-print"), [.option("dry-run")]),
        (words("model features feature-type feature"), [.option("preset")]),
        (words("configuration conf cfg yaml settings"), [.option("config")]),
        (words("override param opt"), [.option("set")]),
        (words("id ids clip-id key utterance utt"), [.option("clip")]),
        (
            words("labels class classes target"),
            [.option("labels"), .option("label-from"), .option("column label=NAME"), .option("label")]
        ),
        (words("ext suffix"), [.option("extension"), .option("include")]),
        (words("glob pattern"), [.option("include")]),
        (words("ignore skip omit"), [.option("exclude")]),
        (words("recursive r"), [.needless("folders are searched with all folders in them", ofOption: "label-from")]),
        (words("resume continue restart"), [.needless("an interrupted run is resumed anyway", ofOption: "fresh")]),
        (words("test-size val-size train-size proportions shares fractions sizes"), [.option("ratio")]),
        (words("kfold n-splits num-folds"), [.option("folds")]),
        (words("group groups group-by group-column"), [.option("by")]),
        (words("random-state random-seed rng"), [.option("seed")]), (words("stratified"), [.option("stratify")]),
        (words("update refresh"), [.option("sync")]), (words("retry"), [.option("retry-failed")]),
        (words("add extend"), [.option("append")]), (words("tmp tmpdir temp tmp-dir"), [.option("scratch")]),
        (words("atol rtol tol eps"), [.option("tolerance")]), (words("validate"), [.option("verify")]),
        (words("outliers mislabelled mislabeled label-issues find-label-issues"), [.option("suspicious")]),
        (words("rows limit max head"), [.option("first")]), (words("usage"), [.option("help")]),
    ]

    private static func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }
}

/// The name that differs from a word by a slip of the fingers: a letter that is missing, wrong or one too many, or two that are
/// exchanged; in a word of eight letters or more, two such slips. In one of up to four, only exchanged letters: it is near many others,
/// which it does not mean.
///
/// - Parameter slips: Maximum number of slips.
func closeName(to typed: String, in names: [String], slips: Int = 2) -> String? {
    let word = typed.lowercased()
    guard 3...40 ~= word.count else { return nil }
    let allowed = word.count < 8 ? 1 : slips
    let scored = names.map { (name: $0, distance: editDistance(word, $0.lowercased())) }
    guard let best = scored.min(by: { $0.distance < $1.distance }), best.distance <= allowed else { return nil }
    return word.count > 4 || word.sorted() == best.name.lowercased().sorted() ? best.name : nil
}
