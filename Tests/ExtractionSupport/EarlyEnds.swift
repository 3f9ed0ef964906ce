import DatasetExtraction
import Foundation
import TestSupport

/// Runs that end before their file is made, and what they throw.
extension ExtractionFixture {
    /// Computes every clip and stops before the file is made of them, as a run does that is killed at that moment.
    ///
    /// - Throws: The error of a run that ends for another reason.
    package func stopBeforeAssembly(_ extraction: Extraction) throws {
        let folder = extraction.options.output + ".spool"
        // A folder has the name of the file in progress.
        let obstacle = folder + "/features.h5"
        try FileManager.default.createDirectory(atPath: obstacle, withIntermediateDirectories: true)
        try RawFile.write(Data(), to: folder + "/lock")
        defer { try? FileManager.default.removeItem(atPath: obstacle) }
        do { _ = try extraction.run() } catch is StoppedExtraction { return }
        throw CocoaError(.userCancelled)
    }

    /// Computes all shards of an extraction.
    package func computeShards(_ count: Int, of extraction: Extraction) throws {
        for number in 1...count { _ = try Shard(number: number, count: count).map { try extraction.run($0) } }
    }

    /// Every file and folder of the fixture, and itself, with its length and the time when it was changed.
    package func state() throws -> [String: [String]] {
        var state: [String: [String]] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.url.path) + ["."] {
            let found = try FileManager.default.attributesOfItem(atPath: folder.path(name))
            state[name] = ["\(found[.size] ?? "")", "\(found[.modificationDate] ?? "")"]
        }
        return state
    }

    /// Every file of the fixture whose name begins with that of the output, by its path, with its bytes; nil: it is a folder, or a
    /// lock, which says who had it last.
    package func outputs() throws -> [String: Data?] {
        var found: [String: Data?] = [:]
        let all = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path)
        for name in all where name.hasPrefix("features") || name.hasPrefix("scratch/") {
            found[name] = .some(name.hasSuffix("/lock") ? nil : try? bytes(name))
        }
        return found
    }
}

extension Extraction {
    /// The same extraction with other options.
    package func with(_ change: (inout ExtractionOptions) -> Void) -> Extraction {
        var extraction = self
        change(&extraction.options)
        return extraction
    }
}

extension Error {
    /// The case of the error, such as `otherRun`; of a run that was stopped, that of the cause.
    package var caseName: String {
        let cause = (self as? StoppedExtraction)?.cause ?? self
        return Mirror(reflecting: cause).children.first?.label ?? String(reflecting: cause)
    }
}

/// The case of the error that is thrown; nil: none is.
package func thrownCase<Result>(_ body: () throws -> Result) -> String? {
    do {
        _ = try body()
        return nil
    } catch {
        return error.caseName
    }
}
