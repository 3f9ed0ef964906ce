import FeatureModel
import Foundation
import Messages
import TestSupport

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

/// The error that the manifest is refused with; nil: it is not.
func refusal(_ text: String, _ format: ManifestFormat = .csv) -> ManifestError? {
    do {
        _ = try scan(text, format)
        return nil
    } catch {
        return error as? ManifestError
    }
}
