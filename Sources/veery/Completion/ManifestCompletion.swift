import Foundation
import Manifests

/// Completions from the manifest on the command line: the names in its header.
enum ManifestCompletion {
    static func columns(_ line: CommandLineWords, besides known: [String]) -> [Completion] {
        (known + names(of: line)).map { Completion(word: $0) }
    }

    static func names(_ line: CommandLineWords) -> [Completion] {
        guard let equals = line.prefix.firstIndex(of: "=") else {
            return ManifestColumn.allCases.map { Completion(word: "\($0.name)=") }
        }
        return names(of: line).map { Completion(word: line.prefix[...equals] + $0) }
    }

    /// The columns of a plain CSV or TSV, or the keys of the first line of JSON Lines.
    private static func names(of line: CommandLineWords) -> [String] {
        guard let path = line.file(where: isManifest), let format = ManifestFormat(path: path),
            let first = firstLine(of: path)
        else { return [] }
        if format == .jsonLines {
            let object = try? JSONSerialization.jsonObject(with: Data(first.utf8)) as? [String: Any]
            return (object ?? [:]).keys.sorted()
        }
        let separator: Character = format == .csv ? (first.contains(",") ? "," : ";") : "\t"
        return first.split(separator: separator).map {
            $0.trimmingCharacters(in: CharacterSet(charactersIn: "\"\u{FEFF} "))
        }
    }

    /// A regular file: a pipe would block.
    private static func isManifest(_ path: String) -> Bool {
        let type = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
        return ManifestFormat(path: path) != nil && type == .typeRegular
    }

    private static func firstLine(of path: String) -> String? {
        guard let file = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? file.close() }
        let start = (try? file.read(upToCount: 65_536)) ?? Data()
        return start.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).first.flatMap {
            String(data: $0, encoding: .utf8)
        }
    }
}
