import Archives
import Concurrency
import FeatureModel
import FileIO
import Manifests
import Synchronization

/// A recording of a tar that is read as a stream.
struct StreamedMember: Sendable {
    /// Counted from 0, in the order of the stream.
    let number: Int
    let name: String
    /// Its bytes, until the next one is read into the same file; and its length and checksum, which a later run compares.
    let recording: ClipExtractor.Recording

    /// As a clip whose index is the number.
    var clip: Clip { Clip(index: number, id: name, path: name) }
}

/// Hands out the recordings of a stream, to any number of threads. One at a time reads, while others compute.
final class StreamedMembers: Sendable {
    private struct State {
        let stream: TarStream
        var listing: StreamListing
        var isStopped = false
    }

    private let name: String
    private let state: Mutex<State>
    /// A file that is larger than this is emptied before the next recording is written to it, which frees its space.
    private static let keptBytes = 64 << 20

    /// Waits for the first bytes.
    ///
    /// - Throws: `ExtractionError.stream` or `.cancelled`.
    init(name: String, descriptor: Int32, cancellation: Cancellation) throws(ExtractionError) {
        self.name = name
        let stream: TarStream
        do throws(ArchiveError) {
            stream = try TarStream(descriptor: descriptor, shouldStop: { cancellation.isCancelled })
        } catch {
            throw error.cause == .stopped ? .cancelled : .stream(name: name, error)
        }
        state = Mutex(State(stream: stream, listing: StreamListing(source: name)))
    }

    /// A file for the bytes of one recording at a time.
    func file() throws(ExtractionError) -> SharedFile {
        do throws(ArchiveError) { return try Unpacking.file() } catch { throw .stream(name: name, error) }
    }

    /// Reads the next recording into a file; nil at the end, or after `stop`.
    ///
    /// - Throws: `ExtractionError.stream` where the stream is damaged or cannot be written to the file, `.cancelled`.
    func next(into file: SharedFile) throws(ExtractionError) -> StreamedMember? {
        do throws(ArchiveError) {
            return try state.withLock { state throws(ArchiveError) in
                guard !state.isStopped else { return nil }
                var isLast = true
                // Other threads find the end, too; also after an error, so that only the first error is reported.
                defer { state.isStopped = isLast }
                while let member = try state.stream.next() {
                    switch state.listing.add(member) {
                    case .skipped: continue
                    case .text:
                        var bytes: [UInt8] = []
                        try state.stream.read { bytes.append(contentsOf: $0) }
                        state.listing.addText(member, bytes)
                    case .recording(let number):
                        let recording = try Self.read(member, number, state.stream, into: file)
                        isLast = false
                        return recording
                    }
                }
                return nil
            }
        } catch {
            throw error.cause == .stopped ? .cancelled : .stream(name: name, error)
        }
    }

    private static func read(
        _ member: TarStream.Member, _ number: Int, _ stream: TarStream, into file: SharedFile
    ) throws(ArchiveError) -> StreamedMember {
        var hash = XXH3Hash128()
        member.name.withUnsafeBytes { hash.update($0) }
        var count = 0
        do throws(SystemError) {
            if let status = FileStatus(descriptor: file.descriptor), status.byteCount > keptBytes { try file.clear() }
        } catch {
            throw ArchiveError.keeping(error)
        }
        try stream.read { bytes throws(ArchiveError) in
            hash.update(bytes)
            do throws(SystemError) { try file.write(bytes, at: count) } catch { throw ArchiveError.keeping(error) }
            count += bytes.count
        }
        guard let status = FileStatus(descriptor: file.descriptor) else { throw ArchiveError.keeping(.last) }
        let stamp = FileStamp(byteCount: Int64(count), modified: Int64(bitPattern: hash.finish().low))
        // The number makes the status unique: the file is the same for many recordings.
        let part = FilePart(file, offset: 0, count: count, status: ContentStatus(status, offset: number))
        return StreamedMember(
            number: number, name: member.shown,
            recording: ClipExtractor.Recording(content: .part(part), stamp: stamp))
    }

    /// Hands out no more recordings, after an error of a thread that ends the run.
    func stop() { state.withLock { $0.isStopped = true } }

    /// What was read so far.
    var listing: StreamListing { state.withLock(\.listing) }
}
