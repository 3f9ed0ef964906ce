import Essentials
import FileIO
import Manifests

/// Completions from the manifest on the command line: the names in its header.
enum ManifestCompletion {
    static func columns(_ line: CommandLineWords, besides known: [String]) -> [Completion] {
        (known + names(of: line)).map { Completion(word: $0) }
    }

    static func names(_ line: CommandLineWords) -> [Completion] {
        guard let equals = line.prefix.firstIndex(of: "=") else {
            return (ManifestColumn.allCases.map(\.name) + [LabelList.column]).map { Completion(word: "\($0)=") }
        }
        return names(of: line).map { Completion(word: line.prefix[...equals] + $0) }
    }

    /// The columns of a plain CSV or TSV, or the keys of the first line of JSON Lines.
    private static func names(of line: CommandLineWords) -> [String] {
        guard let path = line.file(where: isManifest), let format = ManifestFormat(path: path),
            let first = firstLine(of: path)
        else { return [] }
        if format == .jsonLines {
            let object = try? JSONDecoder().decode([String: AnyValue].self, from: Data(first.utf8))
            return (object ?? [:]).keys.sorted()
        }
        let separator: Character = format == .csv ? (first.contains(",") ? "," : ";") : "\t"
        return first.split(separator: separator).map {
            let isAround: (Unicode.Scalar) -> Bool = { ["\"", "\u{FEFF}", " "].contains($0) }
            let rest = $0.unicodeScalars.drop(while: isAround).reversed().drop(while: isAround)
            return String(String.UnicodeScalarView(rest.reversed()))
        }
    }

    /// A value of any kind.
    private struct AnyValue: Decodable {
        init(from decoder: any Decoder) {}
    }

    /// A regular file: a pipe would block.
    private static func isManifest(_ path: String) -> Bool {
        ManifestFormat(path: path) != nil && FileStatus(path: path, followingLink: false)?.isRegular == true
    }

    private static func firstLine(of path: String) -> String? {
        let start = (try? SharedFile(path: path).bytes(at: 0, 65_536)) ?? []
        return start.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).first.flatMap {
            String(validating: $0, as: UTF8.self)
        }
    }
}
