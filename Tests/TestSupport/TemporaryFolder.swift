import Foundation

/// A folder for one test, removed when the value goes.
package final class TemporaryFolder {
    package let url: URL

    package init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "veery-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Path of a file in the folder.
    package func path(_ name: String) -> String { url.appending(path: name).path }

    /// Writes a text file and returns its path.
    package func write(_ text: String, to name: String) throws -> String {
        try Data(text.utf8).write(to: url.appending(path: name))
        return path(name)
    }
}
