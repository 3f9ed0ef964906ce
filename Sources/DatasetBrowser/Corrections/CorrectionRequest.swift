import Essentials
import FeatureModel
import Manifests
import PageRequests

/// Corrections as a page sends them.
struct CorrectionRequest: Decodable, Sendable {
    struct Item: Decodable, Sendable {
        let clip: Int
        let action: String
        var label: String?
        var note: String?
        var new: Bool?
    }

    /// That of the dataset which the page shows.
    let generation: String
    /// The page, by a name of its own.
    let by: String
    /// Lines from this number on are in the answer; nil: those of this request.
    var after: Int?
    let corrections: [Item]

    private static let maximumItems = 2000
    /// Bytes of a label or a note.
    private static let maximumText = 10_000
    private static let maximumName = 100

    /// - Throws: `Refusal`.
    init(_ body: [UInt8]) throws(Refusal) {
        do { self = try JSONDecoder().decode(CorrectionRequest.self, from: Data(body)) } catch {
            throw Refusal(.badRequest, "The request is not of the form that this server expects.")
        }
        guard 1...Self.maximumItems ~= corrections.count, by.utf8.count <= Self.maximumName,
            corrections.allSatisfy({
                ($0.label ?? "").utf8.count <= Self.maximumText && ($0.note ?? "").utf8.count <= Self.maximumText
            })
        else { throw Refusal(.badRequest, "The request has too many corrections, or texts that are too long.") }
    }

    /// As lines of a file.
    ///
    /// - Parameter clips: The clips of the items, in their order.
    /// - Throws: `Refusal`.
    func lines(of clips: [BrowsedClip], parts: [CorrectedPart]) throws(Refusal) -> [Correction] {
        let given = Date.ISO8601FormatStyle(includingFractionalSeconds: true).format(Date())
        var lines: [Correction] = []
        for (item, (clip, part)) in zip(corrections, zip(clips, parts)) {
            lines.append(
                Correction(id: clip.clip.id, part: part, action: try item.correction(), given: given, by: by))
        }
        return lines
    }
}

extension CorrectionRequest.Item {
    fileprivate func correction() throws(Refusal) -> Correction.Action {
        let label = label ?? ""
        switch action {
        case "relabel": return .relabel(label)
        case "add" where !label.isEmpty: return .add(label)
        case "remove" where !label.isEmpty: return .remove(label)
        case "exclude": return .exclude
        case "include": return .include
        case "checked": return .checked
        case "note": return .note(note ?? "")
        case "undo": return .undo
        default: throw Refusal(.badRequest, "There is no correction '\(action)', or it needs a label.")
        }
    }
}
