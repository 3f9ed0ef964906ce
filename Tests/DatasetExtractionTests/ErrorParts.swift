@testable import DatasetExtraction

/// What an error says of a file or of a run; nil where it is another error.
extension ExtractionError {
    /// In what an interrupted run was otherwise.
    var differences: [Difference]? { if case .otherRun(_, let differences) = self { differences } else { nil } }

    /// In what a file under the output's name is otherwise.
    var outputDifference: OutputDifference? {
        if case .outputExists(_, let difference) = self { difference } else { nil }
    }

    /// Why clips cannot be kept.
    var obstacle: UpdateObstacle? {
        switch self {
        case .cannotAppend(_, let obstacle), .cannotSync(_, let obstacle): obstacle
        default: nil
        }
    }
}

extension UpdateObstacle {
    /// The clips that are missing.
    var missingClips: MissingClips? { if case .missingClips(let missing) = self { missing } else { nil } }
}
