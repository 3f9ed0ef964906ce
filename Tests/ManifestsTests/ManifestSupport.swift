import FeatureModel
import Foundation
import Messages
import TestSupport
import Testing

@testable import Manifests

/// Writes `text` to a file of the format's extension, and scans it.
func scan(_ text: String, _ format: ManifestFormat = .csv) throws -> Manifest {
    try scan(bytes: Array(text.utf8), format)
}

func scan(bytes: [UInt8], _ format: ManifestFormat = .csv) throws -> Manifest {
    let folder = try TemporaryFolder()
    let path = folder.path("manifest.\(format.rawValue)")
    try Data(bytes).write(to: URL(filePath: path))
    return try Manifest.scan(path: path, format: format)
}

/// The clips that `text` describes.
func clips(_ text: String, _ format: ManifestFormat = .csv) throws -> [Clip] {
    let folder = try TemporaryFolder()
    let path = try folder.write(text, to: "manifest.\(format.rawValue)")
    return try allClips(Manifest.scan(path: path, format: format))
}

func allClips(_ manifest: Manifest) throws -> [Clip] {
    let reader = try manifest.reader()
    var clips: [Clip] = []
    while let clip = try reader.next() { clips.append(clip) }
    return clips
}

/// A problem of a row in words.
struct ShownProblem: Equatable {
    let line: Int
    let text: String
}

/// The problems for which `text` is refused; empty if it is not, or for another reason.
func problems(_ text: String, _ format: ManifestFormat = .csv) -> [ShownProblem] {
    problems(bytes: Array(text.utf8), format)
}

func problems(bytes: [UInt8], _ format: ManifestFormat = .csv) -> [ShownProblem] {
    do {
        _ = try scan(bytes: bytes, format)
        return []
    } catch ManifestError.invalidRows(_, let problems, _) {
        return problems.map { ShownProblem(line: $0.line, text: "\($0.text)") }
    } catch {
        return []
    }
}

/// What is said of rows in more than one test, each once.
enum RowSentence {
    static let emptyPath = "path is empty"
    static let nul = "holds a NUL byte"
    static let carriageReturn = "field 1 holds a carriage return without a line feed"
    static let noSeconds = "expected a finite number of seconds"
    static let decimalPoint = "write the decimal point as '.'"
    static let quotingCSV = "give --quoting csv"
    static let innerRow = "in it would be a row of its own"

    static func repeatedID(_ id: String, line: Int) -> String { "the id '\(id)' is that of line \(line) already" }
    static func column(_ name: String, _ meaning: String = "") -> String {
        "the column '\(name)' seems to be \(meaning)"
    }
    static let renaming = "is read: rename it to '"
    static let byDuration = "and by its duration the clip ends at"
}

/// Makes sure that the manifest is refused with an error about its path.
func expectRefusal(
    _ text: String, _ format: ManifestFormat = .csv, sourceLocation: SourceLocation = #_sourceLocation,
    with expected: (String) -> ManifestError
) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(text, to: "manifest.\(format.rawValue)")
    #expect(throws: expected(path), sourceLocation: sourceLocation) { try Manifest.scan(path: path, format: format) }
}

/// The error that the manifest is refused with; nil: it is not.
func refusal(_ text: String, _ format: ManifestFormat = .csv) -> ManifestError? {
    do {
        _ = try scan(text, format)
        return nil
    } catch {
        return error as? ManifestError
    }
}
