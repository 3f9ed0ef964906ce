import FileIO
import Platform
import Synchronization

/// Where archives are unpacked, and how far.
package enum Unpacking {
    /// The folder for unpacked bytes, and what stops unpacking; set by the program for a run.
    package struct Settings: Sendable {
        /// Nil: TMPDIR, or `/tmp`.
        package var folder: String?
        package var shouldStop: (@Sendable () -> Bool)?

        package init(folder: String? = nil, shouldStop: (@Sendable () -> Bool)? = nil) {
            (self.folder, self.shouldStop) = (folder, shouldStop)
        }

        fileprivate var path: String { folder ?? getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp" }
    }

    /// The settings of the runs of this process, the latest last. Runs may end in another order than they started.
    private static let runs = Mutex((next: 0, settings: [(run: Int, settings: Settings)]()))

    /// Uses settings until `end` is called with the number that this returns.
    package static func use(_ settings: Settings) -> Int {
        runs.withLock { runs in
            runs.next += 1
            runs.settings.append((runs.next, settings))
            return runs.next
        }
    }

    /// Ends the use of a run's settings.
    package static func end(_ run: Int) { runs.withLock { runs in runs.settings.removeAll { $0.run == run } } }

    /// The folder of the latest run; what stops is that all runs have been asked to.
    package static var current: Settings {
        Settings(folder: runs.withLock { $0.settings.last?.settings.folder }, shouldStop: { shouldStop })
    }

    /// Whether all runs have been asked to stop. A run that is alone stops at once; among others, it stops elsewhere.
    package static var shouldStop: Bool {
        let stops = runs.withLock { runs in runs.settings.compactMap(\.settings.shouldStop) }
        return !stops.isEmpty && stops.allSatisfy { $0() }
    }

    /// An archive may become this many times as large.
    static let maximumRatio = 100
    /// … or this large, whichever is more: recordings of silence compress well, bombs much better.
    static let minimumLimit = 1 << 30

    /// Maximum bytes that compressed bytes are unpacked to.
    static func limit(packed: Int) -> Int {
        max(minimumLimit, packed.multipliedReportingOverflow(by: maximumRatio).overflow ? .max : packed * maximumRatio)
    }

    static func tooLarge(packed: Int) -> ArchiveError {
        ArchiveError(
            "it would become more than \(maximumRatio) times as large as its \(packed) bytes, and more than 1 GiB: "
                + "unpack it yourself if you trust it")
    }

    /// A file without a name for unpacked bytes.
    package static func file(_ settings: Settings = current) throws(ArchiveError) -> SharedFile {
        let folder = settings.path
        do { return try SharedFile.unnamed(in: folder) } catch {
            throw ArchiveError(keeping: error, cannot: "create a file for its unpacked bytes in \(folder)")
        }
    }

    /// Unpacks a range of a file into another file.
    ///
    /// - Parameters:
    ///   - decompressor: New, for these bytes.
    ///   - maximum: The greatest number of unpacked bytes; more are an error.
    ///   - target: Where the bytes are written, from `offset` on.
    ///   - settings: What stops, and the folder that an error names.
    ///   - receive: Takes the same bytes.
    /// - Returns: Their number, how many of them a right checksum covers, and what is wrong with the others; nil: nothing.
    /// - Throws: `ArchiveError` where the system refuses, or the bytes become too many.
    static func unpack(
        _ file: SharedFile, _ range: Range<Int>, by decompressor: any Decompressor, maximum: Int,
        into target: SharedFile, at offset: Int, _ settings: Settings = current,
        receive: (UnsafeRawBufferPointer) -> Void = { _ in }
    ) throws(ArchiveError) -> (count: Int, verified: Int, problem: ArchiveError?) {
        let input = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 64)
        let output = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 64)
        defer {
            input.deallocate()
            output.deallocate()
        }
        var (position, count) = (range.lowerBound, 0)
        var rest = UnsafeRawBufferPointer(rebasing: input[..<0])
        while true {
            if settings.shouldStop?() == true { throw .stopped }
            if rest.isEmpty, position < range.upperBound {
                let length = min(input.count, range.upperBound - position)
                let wanted = UnsafeMutableRawBufferPointer(rebasing: input[..<length])
                let found: Int
                do { found = try file.read(into: wanted, at: position) } catch {
                    throw ArchiveError(error, cannot: "read the archive")
                }
                guard found > 0 else { throw ArchiveError("it became shorter while it was read") }
                position += found
                rest = UnsafeRawBufferPointer(rebasing: input[..<found])
            }
            let step: (taken: Int, written: Int)
            do { step = try decompressor.unpack(rest, into: output) } catch {
                return (count, decompressor.verifiedCount, ArchiveError("\(error)"))
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[step.taken...])
            guard step.written > 0 || step.taken > 0 || position < range.upperBound else { break }
            guard count + step.written <= maximum else { throw tooLarge(packed: range.count) }
            let bytes = UnsafeRawBufferPointer(rebasing: output[..<step.written])
            receive(bytes)
            do { try target.write(bytes, at: offset + count) } catch {
                throw ArchiveError(keeping: error, cannot: "keep its unpacked bytes in \(settings.path)")
            }
            count += step.written
        }
        return (count, decompressor.verifiedCount, decompressor.mayEnd ? nil : .cutOffPacked)
    }
}
