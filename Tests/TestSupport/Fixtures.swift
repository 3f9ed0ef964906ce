import Foundation
import Testing

/// Files that tests read.
package enum Fixtures {
    /// The folder `Tests/Fixtures`.
    package static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fixtures")

    /// The top of the repository.
    package static let repository = folder.deletingLastPathComponent().deletingLastPathComponent()

    /// Reads a golden file. A missing or unreadable one is an error, so the test that asks for it fails.
    package static func golden<Golden: Decodable>(_ name: String, as type: Golden.Type = Golden.self) throws -> Golden {
        try JSONDecoder().decode(Golden.self, from: Data(contentsOf: folder.appending(path: name)))
    }

    /// The collection of real recordings, the only thing outside the repository that tests look for: in `../shared/data`, or where
    /// the environment variable `VEERY_COLLECTION` says. A test or suite that needs it has the trait `.needsCollection`, by which
    /// `.ci/test` finds it, too.
    package static func collection() throws -> URL { try #require(collectionIfAny) }

    fileprivate static let collectionIfAny: URL? = {
        // Where the variable names a folder that is not there, the tests fail.
        let given = ProcessInfo.processInfo.environment["VEERY_COLLECTION"] ?? ""
        if !given.isEmpty { return URL(filePath: given) }
        let folder = repository.deletingLastPathComponent().appending(path: "shared/data")
        return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
    }()
}

extension Trait where Self == ConditionTrait {
    /// Skips the test where there is no collection of recordings.
    package static var needsCollection: Self {
        .enabled(if: Fixtures.collectionIfAny != nil, "needs the collection of recordings in ../shared/data")
    }
}
