import Archives
import FeatureModel
import FileIO

/// What a file among recordings may be, by its name, that is not a recording itself.
package enum OtherFile: Equatable {
    /// A recording that is not read; the reason, if the name does not say it.
    case recording(reason: Note?)
    /// An archive.
    case archive
    /// What describes a dataset of this name.
    case dataset(String)
    /// A table of recordings or annotations.
    case table
    /// A table in Parquet or Arrow, which may hold recordings.
    case parquet
    /// It says something of the recording of the same name, if there is one.
    case companion
    /// Nothing is lost with it.
    case harmless

    package init(_ path: String) {
        let name = path.lastName
        let lower = name.lowercased()
        let ending = Self.ending(lower)
        // Recordings are tested first: `readme.spx` is a recording, although its name looks harmless.
        if MediaFile.isNamed(path) {
            self = .recording(
                reason: FFmpegPrograms.isOff
                    ? "\(setting: .withoutFFmpeg) was given" : "ffmpeg, which reads it, is not installed")
        } else if RecordingName.isLikely(path) {
            self = .recording(reason: nil)
        } else if Self.isHarmlessName(name) {
            self = .harmless
        } else if let dataset = DatasetSign.dataset(path) {
            self = .dataset(dataset)
        } else if MemberPath.isArchive(name) || Self.otherArchives.contains(ending) {
            self = .archive
        } else if ["parquet", "arrow"].contains(ending) {
            self = .parquet
        } else if Self.tables.contains(ending) {
            self = .table
        } else if Self.texts.contains(ending) {
            self = Self.tableWords.contains(where: lower.contains) ? .table : .companion
        } else {
            self = .harmless
        }
    }

    /// Whether a file may hold annotations, in whatever format.
    package static func mayDescribe(_ name: String) -> Bool {
        switch OtherFile(name) {
        case .dataset, .table, .companion: true
        case .recording, .archive, .parquet, .harmless: false
        }
    }

    /// Archives that are not read.
    private static let otherArchives: Set = ["rar", "7z", "lz4", "lzma"]

    /// Tables, and annotations in formats of their own.
    private static let tables: Set = [
        "csv", "tsv", "tab", "jsonl", "feather", "xlsx", "xls", "ods", "textgrid", "eaf", "cha",
        "rttm",
        "stm", "ctm", "mlf", "scp",
    ]
    /// Files that describe a recording only if they are named like one.
    private static let texts: Set = [
        "txt", "json", "xml", "lab", "srt", "vtt", "trs", "phn", "wrd", "yaml", "yml", "trans", "transcript", "jams",
        "ann",
    ]
    /// Parts of names of tables that have the ending of any text.
    private static let tableWords = [
        "selection", ".table", "annotation", "transcript", "metadata", "label", "manifest", "_list.",
    ]
    /// Names of files that are common in any folder of recordings, in lower case, up to the first dot.
    private static let harmlessStems: Set = [
        "readme", "license", "licence", "changelog", "changes", "requirements", "checksum", "checksums", "bagit",
        "bag-info",
    ]
    private static let harmlessNames: Set = ["birdnet_analysis_params.csv", "dataset_infos.json", "dataset_info.json"]
    /// The checksums that the lists of BagIt are named by: `manifest-md5.txt`, `tagmanifest-md5.txt`.
    private static let checksums = [
        "md5", "sha1", "sha224", "sha256", "sha384", "sha512", "sha3256", "sha3512", "blake2b512",
    ]

    /// The ending of a name in lower case, without the dot and without that of a compression.
    private static func ending(_ lower: String) -> String {
        var name = lower
        for compression in [".gz", ".zst", ".bz2", ".xz"] where name.hasSuffix(compression) {
            name.removeLast(compression.count)
            break
        }
        return name.nameExtension ?? ""
    }

    /// Whether nothing is lost with a file that is not a recording, by its name alone.
    package static func isHarmlessName(_ path: String) -> Bool {
        let name = path.lastName.lowercased()
        return harmlessNames.contains(name) || harmlessStems.contains(String(name.prefix { $0 != "." }))
            || checksums.contains { name == "manifest-\($0).txt" || name == "tagmanifest-\($0).txt" }
    }

    /// What a recording is named that a companion of this name describes: the name with, and without, its extension.
    static func stem(of companion: String) -> String {
        guard let dot = companion.utf8.lastIndex(of: Byte.dot) else { return companion }
        return String(companion[..<dot])
    }
}

extension OtherFile {
    /// Takes note of a file or member of an archive, except for one that may be claimed.
    ///
    /// - Parameters:
    ///   - name: What the account calls it.
    ///   - looksIntoArchives: Otherwise, an archive is that which the recordings were unpacked from.
    /// - Returns: The kind of remark unless a reader claims it; nil: nothing is left to do.
    func report(
        named name: @autoclosure () -> String, looksIntoArchives: Bool = true, source: String, to account: inout Account
    ) -> Remark.Kind? {
        switch self {
        case .recording(let reason):
            account.add(
                .recordingsPassedOver, source: source, note: "\(quoted(name()))" + (reason.map { " (\($0))" } ?? ""))
        case .archive where looksIntoArchives:
            account.add(.recordingsPassedOver, source: source, "\(quoted(name())) (an archive that is not read)")
        case .dataset(let dataset):
            account.add(.metadataUnread, source: source, "\(quoted(name())) (of \(dataset))")
        case .parquet:
            account.add(
                .metadataUnread, source: source,
                "\(quoted(name())) (a Parquet file: pandas.read_parquet(…).to_json(…, lines=True) makes JSON Lines of it)"
            )
        case .table: return .tablesUnclaimed
        case .companion: return .metadataUnread
        case .archive, .harmless: account.add(.othersSkipped, source: source, count: 1)
        }
        return nil
    }
}
