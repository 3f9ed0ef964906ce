import Foundation

/// Files beside the tests.
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

    /// The collection of real recordings, where it exists beside the repository; tests that need it say when it is missing.
    package static var sharedData: URL? {
        let folder = repository.deletingLastPathComponent().appending(path: "shared/data")
        return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
    }
}
