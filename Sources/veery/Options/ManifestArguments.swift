import Annotations
import ArgumentParser
import DatasetFormats
import FileIO
import Manifests

extension ManifestFormat: ExpressibleByArgument {
    /// The formats that manifests are written in; `--quoting` says how a TSV is quoted.
    private static let named: [ManifestFormat] = [.csv, .tsv, .jsonLines]

    /// The format of that name.
    public init?(argument: String) {
        guard let format = Self.named.first(where: { $0.rawValue == argument }) else { return nil }
        self = format
    }

    /// The names.
    public static var allValueStrings: [String] { named.map(\.rawValue) }
}

extension DatasetFormat: ExpressibleByArgument {
    /// The names.
    public static var allValueStrings: [String] { allCases.map { $0.rawValue } }
    /// Nothing but the names.
    public static var allValueDescriptions: [String: String] { [:] }
}

/// A column of a dataset that is read as one of a manifest's.
struct ColumnName: ExpressibleByArgument {
    let target: ColumnMap.Target
    let name: String

    /// Reads `label=species`.
    init?(argument: String) {
        guard let equals = argument.firstIndex(of: "="), let target = ColumnMap.Target(name: argument[..<equals]) else {
            return nil
        }
        name = String(argument[argument.index(after: equals)...])
        guard !name.isEmpty else { return nil }
        self.target = target
    }
}

extension ManifestFormat.Quoting: ExpressibleByArgument {
    /// The names.
    public static var allValueStrings: [String] { allCases.map { $0.rawValue } }
}

extension TimeUnit: ExpressibleByArgument {}

struct TimeUnitOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            The unit of start, end and duration: s, ms or samples. In 'veery clips', that of the annotations. Default: \
            seconds, or as the name of a column of annotations says (onset_ms).
            """, valueName: "unit"))
    var timeUnit: TimeUnit?
}

struct QuotingOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            What quotation marks are in a TSV. literal: a part of the text, as in Common Voice; csv: they enclose fields, as \
            in CSV. Default: literal.
            """, valueName: "literal|csv"))
    var quoting: ManifestFormat.Quoting?

    /// The format with `--quoting`, which only TSV allows.
    func applied(to format: ManifestFormat, of path: String) throws -> ManifestFormat {
        guard let quoting else { return format }
        guard let result = format.quoted(by: quoting) else {
            throw ValidationError("\(ManifestError.fixedQuoting(path: path, quoting, format)).")
        }
        return result
    }
}

/// How the manifest of a command is read.
struct ManifestReading: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The format of the dataset. Default: by its names and content.", valueName: "format"))
    var format: DatasetFormat?

    @OptionGroup var quoting: QuotingOption

    @Option(
        help: ArgumentHelp(
            """
            Take a column under another name for path, id, label, labels, split, start, end, duration or channel, such as \
            label=species, or for text, speaker, gender or language, which exports look for. Capitals do not count. Repeatable.
            """,
            valueName: "name=column"), completion: .columnNames)
    var column: [ColumnName] = []

    @OptionGroup var values: ColumnValueOptions

    @OptionGroup var unit: TimeUnitOption

    @Option(
        help: ArgumentHelp(
            "The folder that relative paths start from. Default: the manifest's folder, or the current one.",
            valueName: "folder"),
        completion: .directory)
    var root: String?

    func validate() throws {
        for (index, one) in column.enumerated() where column[..<index].contains(where: { $0.target == one.target }) {
            throw ValidationError("--column \(one.target.name) is given twice.")
        }
        if !values.oneHot.isEmpty, column.contains(where: { $0.target == .labels }) {
            throw ValidationError("--one-hot and --column labels= both say what the labels are: give one of them.")
        }
    }

    /// The options that are given and say what a manifest's columns mean.
    var columnOptions: [String] { (column.isEmpty ? [] : ["column"]) + values.given }

    /// The options that are given, but for the folder of the recordings.
    var given: [String] {
        (format == nil ? [] : ["format"]) + (quoting.quoting == nil ? [] : ["quoting"]) + columnOptions
            + (unit.timeUnit == nil ? [] : ["time-unit"])
    }

    /// The same options as they are typed, with their values.
    var words: [String] {
        var words: [String] = []
        func add(_ name: String, _ value: String?) { if let value { words += ["--\(name)", value] } }
        add("format", format?.rawValue)
        add("quoting", quoting.quoting?.rawValue)
        for one in column { add("column", "\(one.target.name)=\(one.name)") }
        add("label-separator", values.labelSeparator)
        for pattern in values.oneHot { add("one-hot", pattern) }
        add("extension", values.recordingExtension)
        add("time-unit", unit.timeUnit?.rawValue)
        return words
    }

    /// The clips, each checked, and the folder that their paths start from.
    ///
    /// - Parameters:
    ///   - path: The manifest; '-' is standard input.
    ///   - corrections: The file of corrections that are applied; nil: none.
    ///   - isQuiet: Whether no notes are printed on how a dataset is read.
    ///   - hasUnit: Whether `--time-unit` is the unit of the dataset's times.
    func dataset(
        _ path: String, corrections: String? = nil, isQuiet: Bool = false, hasUnit: Bool = true
    ) throws -> (source: Manifest, root: String) {
        let input = path == "-" ? try ManifestInput.standardInput() : ManifestInput(path: path)
        do {
            let dataset = try Dataset.open(
                input, format: format, quoting: quoting.quoting,
                columns: values.map(column.map { ($0.target, $0.name) }))
            if !isQuiet, let note = dataset.note { Console.note(note) }
            let folder = root ?? dataset.root
            var manifest = dataset.manifest
            if hasUnit, let unit = unit.timeUnit, unit != .seconds {
                manifest = try ManifestTimes(unit: unit, root: folder).inSeconds(manifest)
            }
            if let corrections {
                manifest = try CorrectedManifest(manifest, CorrectionFile(path: corrections), root: folder).made()
            }
            return (manifest, folder)
        } catch let error as ManifestError {
            switch error {
            case .unknownFormat, .fixedQuoting: throw ValidationError("\(error).")
            default: throw error
            }
        }
    }
}

struct ManifestArguments: ParsableArguments {
    @Argument(
        help: """
            A manifest, a dataset, a recording or a folder of them. A manifest is CSV, TSV or JSON Lines with a column \
            'path', and optionally id, label, split, start, end or duration (seconds), channel; every other column is kept. It \
            may be compressed by gzip, in UTF-16, or have semicolons; '-' is standard input. --format lists the formats \
            of datasets.
            """,
        completion: .file())
    var manifest: String

    @OptionGroup var reading: ManifestReading

    @Option(
        help: ArgumentHelp(
            "Apply corrections of labels, and leave out the clips that they exclude.",
            discussion: """
                A CSV with a line for each correction, which 'veery browse' writes. A clip that has changed since it was corrected is \
                refused: by its path and times, by the size and time of its recording, and, where samples are decoded (extract, check \
                --deep), by their checksum.
                """, valueName: "corrections.csv"),
        completion: .file(extensions: ["csv"]))
    var corrections: String?

    /// The options that are given and say what a manifest's columns mean, or change them.
    var columnOptions: [String] { reading.columnOptions + (corrections == nil ? [] : ["corrections"]) }

    /// As `ManifestReading` reads them.
    func dataset(isQuiet: Bool = false, hasUnit: Bool = true) throws -> (source: Manifest, root: String) {
        try reading.dataset(manifest, corrections: corrections, isQuiet: isQuiet, hasUnit: hasUnit)
    }
}
