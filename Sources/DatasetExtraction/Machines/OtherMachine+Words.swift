import FileIO
import Presentation

extension MachineDifference: CustomStringConvertible {
    /// As part of a sentence.
    package var description: String { text(here: "here") }

    /// The difference as part of a sentence.
    ///
    /// - Parameter name: The name of the machine that the other is compared with.
    func text(here name: String) -> String {
        switch self {
        case .unknown: "what machine computed it is not known"
        case .other(let trait, let there, let here):
            "\(trait.effect) \(Self.text(there)) there and \(trait.preposition) \(Self.text(here)) \(name)"
        }
    }

    /// For a file: what computed some of its clips, and what computed the others.
    var mixture: String {
        switch self {
        case .unknown: "an unknown machine"
        case .other(_, let there, let here): "\(Self.text(there)) beside \(Self.text(here))"
        }
    }

    private static func text(_ trait: String) -> String { trait.isEmpty ? "nothing" : trait }
}

extension MachineDifference: Comparable {
    /// The order of traits, then of texts.
    package static func < (one: MachineDifference, other: MachineDifference) -> Bool {
        switch (one, other) {
        case (.unknown, _): return false
        case (_, .unknown): return true
        case (.other(let trait, let there, _), .other(let otherTrait, let otherThere, _)):
            let order = MachineTrait.allCases
            let ranks = (order.firstIndex(of: trait) ?? 0, order.firstIndex(of: otherTrait) ?? 0)
            return ranks.0 == ranks.1 ? there < otherThere : ranks.0 < ranks.1
        }
    }
}

extension MachineTrait {
    /// What a trait decides, and how.
    fileprivate var effect: String {
        switch self {
        case .architecture: "features were computed \(preposition)"
        case .libsndfile: "recordings were read \(preposition)"
        case .mpg123: "MP3 was decoded \(preposition)"
        case .vorbis: "Vorbis was decoded \(preposition)"
        case .opus: "Opus was decoded \(preposition)"
        case .ffmpeg: "recordings were decoded \(preposition)"
        case .soxr: "rates were changed \(preposition)"
        case .fftw: "transforms were computed \(preposition)"
        case .cLibrary: "powers of PCEN were computed \(preposition)"
        }
    }

    fileprivate var preposition: String { self == .architecture ? "on" : "by" }
}

extension OtherMachine {
    private static let maximumNamed = 5

    /// Which folders are of other machines, and in what these differ: those of equal differences together.
    ///
    /// - Parameter name: The name of the machine that they are compared with.
    package static func text(of others: [OtherMachine], here name: String = "here") -> String {
        var groups: [(differences: [MachineDifference], folders: [String])] = []
        for other in others {
            if let index = groups.firstIndex(where: { $0.differences == other.differences }) {
                groups[index].folders.append(other.folder)
            } else {
                groups.append((other.differences, [other.folder]))
            }
        }
        return groups.map { group in
            let names = group.folders.prefix(maximumNamed).joined(separator: ", ")
            let more = group.folders.count - maximumNamed
            let folders = more > 0 ? "\(names) and \(Wording.count(more)) more" : names
            return "\(folders): " + group.differences.map { $0.text(here: name) }.joined(separator: ", ")
        }.joined(separator: "; ")
    }

    /// The entry of `/provenance/software` of a file with their clips; nil: there are none.
    static func mixture(of others: [OtherMachine]) -> String? {
        others.isEmpty ? nil : Set(others.flatMap(\.differences)).sorted().map(\.mixture).joined(separator: "; ")
    }
}
