import Archives
import FeatureModel
import FileIO
import Platform

/// A recording as ffmpeg and ffprobe are given it, and what they are asked.
struct FFmpeg {
    let programs: FFmpegPrograms
    /// What follows `-i`.
    private let input: String
    /// Bytes for its standard input; nil: it opens the file.
    private let bytes: FilePart?
    private let isSphere: Bool

    /// Without the first list a recording could name others, also on the network; without the second a playlist that is named
    /// like a recording would be read, with the sound of the files that it names.
    private static let limits = [
        "-protocol_whitelist", "file,pipe",
        "-format_whitelist", "mov,aac,asf,amr,matroska,webm,avi,flv,nistsphere",
    ]

    /// - Parameter isSphere: Whether another program may decode what ffmpeg cannot.
    /// - Throws: `ClipFailure.cannotOpen` where the current folder is not known.
    init(_ programs: FFmpegPrograms, _ content: FileContent, isSphere: Bool) throws(ClipFailure) {
        (self.programs, self.isSphere) = (programs, isSphere)
        switch content {
        case .part(let part): (input, bytes) = ("pipe:0", part)
        case .file(let path) where path.utf8.first == UInt8(ascii: "/"): (input, bytes) = ("file:" + path, nil)
        case .file(let path):
            guard let folder = getcwd(nil, 0) else { throw .cannotOpen(SystemCallError(errno)) }
            defer { free(folder) }
            (input, bytes) = ("file:" + String(cString: folder) + "/" + path, nil)
        }
    }

    /// Starts decoding from the first sample, as a WAV of 32-bit floating point: its header gives the rate and the channels of
    /// the samples that follow.
    func decode() throws(ClipFailure) -> ChildProcess {
        try start(
            programs.ffmpeg,
            ["-nostdin", "-v", "error"] + Self.limits
                + ["-i", input, "-map", "0:a:0", "-vn", "-c:a", "pcm_f32le", "-f", "wav", "pipe:1"])
    }

    /// What ffprobe says of the container and the first sound in it, lines of `key=value`.
    func probe() throws(ClipFailure) -> String {
        let entries =
            "format=format_name,duration,nb_streams:stream=codec_name,sample_rate,channels,duration,nb_frames:stream_tags=DURATION"
        let child = try start(
            programs.ffprobe,
            ["-v", "error"] + Self.limits
                + ["-select_streams", "a:0", "-show_entries", entries, "-of", "flat", "-i", input])
        return String(decoding: try all(child, "ffprobe"), as: UTF8.self)
    }

    private func start(_ program: String, _ arguments: [String]) throws(ClipFailure) -> ChildProcess {
        do throws(SystemError) {
            return try ChildProcess(program, arguments, input: bytes, shouldStop: { Unpacking.shouldStop })
        } catch {
            throw .cannotRead(SystemCallError(error.code, words: "cannot start \(program): \(error)"))
        }
    }

    private func all(_ child: ChildProcess, _ name: String) throws(ClipFailure) -> [UInt8] {
        var result: [UInt8] = []
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 14, alignment: 1)
        defer { buffer.deallocate() }
        while result.count < 1 << 16 {
            let count: Int
            do throws(ChildProcess.Failure) { count = try child.read(into: buffer) } catch {
                throw failure(error, of: name)
            }
            guard count > 0 else { break }
            result += buffer[..<count]
        }
        return result
    }

    /// The failure of a clip whose program ended so.
    func failure(_ failure: ChildProcess.Failure, of name: String = "ffmpeg") -> ClipFailure {
        /// Another run may read the recording: a signal comes from a person or the system. ffmpeg catches some, and ends with
        /// status 255.
        func interrupted(_ words: String) -> ClipFailure {
            .cannotRead(SystemCallError(code: EINTR, message: "\(name) \(words)", isFault: false))
        }
        return switch failure {
        case .system(let error): .cannotRead(SystemCallError(error.code))
        case .stopped: .stopped
        case .signal(let number): interrupted("was ended by signal \(number)")
        case .status(255): interrupted("was interrupted")
        case .status(let status): .ffmpegFailed(words: "\(name) ended with status \(status)")
        case .silent: .ffmpegFailed(words: "\(name) wrote nothing for \(ChildProcess.patience) s")
        case .complaint(let line):
            .ffmpegFailed(
                words: words(line)
                    + (isSphere ? "; if the file is intact, sph2pipe -f wav in.sph out.wav makes a WAV of it" : ""))
        }
    }

    private static let longestWords = 200

    /// A line of ffmpeg without addresses in memory, which differ from run to run, and without the recording's path.
    private func words(_ line: [UInt8]) -> String {
        var rest = Substring(String(decoding: line, as: UTF8.self))
        var text = ""
        // `[mov,mp4 @ 0x55d0c8a3c340] moov atom not found`
        while let start = rest.firstRange(of: " @ 0x") {
            text += rest[..<start.lowerBound]
            rest = rest[start.upperBound...].drop { $0.isHexDigit }
        }
        text = (text + rest).replacing(input, with: "the recording")
        var cleaned = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(Self.longestWords) {
            cleaned.append(scalar.properties.generalCategory == .control ? "?" : scalar)
        }
        return String(cleaned)
    }
}

/// The version of the installed ffmpeg, such as `5.1.9-0+deb12u1`; nil: there is none, or `--no-ffmpeg` was given.
///
/// - Complexity: Starts the program.
package func ffmpegVersion() -> String? {
    guard let programs = FFmpegPrograms.installed else { return nil }
    guard let child = try? ChildProcess(programs.ffmpeg, ["-version"]) else { return "unknown" }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 12, alignment: 1)
    defer { buffer.deallocate() }
    var text: [UInt8] = []
    while text.count < 1 << 12, !text.contains(UInt8(ascii: "\n")), let count = try? child.read(into: buffer), count > 0
    {
        text += buffer[..<count]
    }
    // `ffmpeg version 5.1.9-0+deb12u1 Copyright (c) …`
    let words = text.prefix { $0 != UInt8(ascii: "\n") }.split(separator: UInt8(ascii: " "))
    guard words.count > 2, words[0].elementsEqual("ffmpeg".utf8), words[1].elementsEqual("version".utf8) else {
        return "unknown"
    }
    // It becomes part of a JSON text as it is.
    let version = String(decoding: words[2].prefix(64), as: UTF8.self)
    return version.filter { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.:_~".contains($0)) }
}
