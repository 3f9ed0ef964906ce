import FeatureModel
import FileIO

@testable import AudioDecoding

/// The beginnings, chunks, frames and pages of recordings. libsndfile is not asked: what it does is not ours to mend.
enum RecordingFuzzing {
    /// All but Ogg.
    static func takeHeaders(_ bytes: UnsafeRawBufferPointer) {
        let path = ScratchFile.write(bytes, "recording")
        if let file = HeaderBytes(.file(path)), let data = SampleData.find(file) {
            law(data.offset >= 0 && data.present >= 0, "samples lie behind the beginning")
            if let promised = data.promised { law(promised >= 0, "no negative promises") }
            for frameSize in [nil, 1, 6] {
                guard let layout = data.correctedLayout(frameSize: frameSize) else { continue }
                law(layout.patches.allSatisfy { $0.offset >= 0 && [4, 8].contains($0.bytes.count) }, "corrections fit")
            }
        }
        if let file = HeaderBytes(.file(path)) {
            let size = file.leadingTagsSize
            law(size >= 0 && size <= max(bytes.count - 1, 0), "tags end before the file")
            let next = SoundTag(UnsafeRawBufferPointer(rebasing: bytes[size...]))
            law(size == 0 || next.map { $0.size > bytes.count - size } ?? true, "all whole tags are left out")
        }
        if let flac = HeaderBytes(.file(path)).flatMap(FLACStream.init) {
            law(flac.longestBlock > 0, "frames have samples")
            law(flac.frameCount.map { $0 >= 0 } ?? true, "no negative length")
        }
        if let frames = try? FLACFrames(.file(path)) {
            for run in frames.runs {
                law(run.samples.contains(run.lastFrame), "the last frame is in the run")
                let found = try? frames.frame(at: run.lastFrame, in: run, .file(path))
                law(found.map { $0.sample <= run.lastFrame } ?? true, "no later frame is found")
            }
        }
        if let header = PlainWaveHeader(bytes, fileSize: bytes.count) {
            law(
                header.dataOffset + header.frameCount * header.frameSize <= bytes.count, "all samples are in the file")
            read(PlainWaveFile(.file(path), FileContent.file(path).status, path: path, buffer: ReadBuffer()), header)
        }
    }

    private static func read(_ file: PlainWaveFile?, _ header: PlainWaveHeader) {
        guard let file else { return law(false, "a header that can be read is that of a file that can") }
        var samples = [Float](repeating: 0, count: header.frameCount * header.channels)
        let count = try? samples.withUnsafeMutableBufferPointer { buffer in
            try buffer.baseAddress.map { try file.read(into: $0, frames: header.frameCount) }
        }
        law(count == header.frameCount, "as many samples as the header says")
    }

    /// Frames of MPEG audio and of AAC.
    static func takeFrames(_ bytes: UnsafeRawBufferPointer) {
        let path = ScratchFile.write(bytes, "recording")
        if let frames = ADTSFrames(.file(path)) {
            law(frames.sampleCount <= 4 * 1024 * bytes.count / 7, "frames have bytes")
            law(frames.end > 0 && frames.end <= bytes.count, "frames are in the file")
        }
        guard var frames = MPEGFrames(.file(path)) else { return }
        do throws(ClipFailure) {
            try frames.scan()
            var end = 0
            for run in frames.runs {
                law(run.lowerBound >= end && !run.isEmpty && run.upperBound <= bytes.count, "runs follow one another")
                end = run.upperBound
            }
            law(frames.count >= frames.runs.count, "a run has a frame")
            law((frames.count == 0) == frames.runs.isEmpty, "frames have bytes")
            guard let length = try MPEGLength(.file(path)), let layout = length.layout else { return }
            var start = 0
            for piece in layout.pieces {
                law(piece.start >= start && piece.end <= layout.size, "pieces follow one another")
                law(piece.source.upperBound <= bytes.count, "pieces are in the file")
                law(layout.piece(at: piece.start)?.source == piece.source, "a piece is found")
                start = piece.end
            }
            law(length.sampleCount.map { $0 >= 0 && $0 <= frames.count * 1152 } ?? true, "as many samples as frames")
        } catch {
            if case .otherStreamFollows = error { return }
            if case .damaged = error { return }
            fatalError("law broken: a file can be read: \(error)")
        }
    }

    /// Pages of Ogg. Where the first byte is even, their checksums are put right first.
    static func takeOgg(_ bytes: UnsafeRawBufferPointer) {
        let (choice, rest) = bytes.split
        let content = choice % 2 == 0 ? summed(Array(rest)) : Array(rest)
        let path = ScratchFile.write(content, "recording")
        do throws(ClipFailure) {
            var reader = try OggPageReader(.file(path))
            var end = 0
            while let item = try reader.next() {
                switch item {
                case .page(let page):
                    law(page.offset == end, "a page begins where what is before it ends")
                    end += page.size
                case .other(let range, _):
                    law(range.lowerBound == end && !range.isEmpty, "what is no page begins there, too")
                    end = range.upperBound
                }
            }
            law(end == content.count, "every byte is of a page, or of none")
            let whole = try OggPages(.file(path))
            let ends = try OggPages(.file(path), endsOnly: true)
            law(whole.isWhole, "all pages were looked at")
            law(!ends.isWhole || ends == whole, "a file that was read to its end is the same")
        } catch {
            fatalError("law broken: a file can be read: \(error)")
        }
    }

    /// The same bytes, with the right checksum in every page that is complete.
    private static func summed(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        var offset = 0
        while offset + OggPage.headerSize <= bytes.count {
            let size = bytes[offset...].withUnsafeBytes { OggPage.size($0) }
            guard let size, offset + size <= bytes.count else {
                offset += 1
                continue
            }
            let sum = bytes[offset..<offset + size].withUnsafeBytes { OggChecksum.of(page: $0, field: 22) }
            for index in 0..<4 { bytes[offset + 22 + index] = UInt8(truncatingIfNeeded: sum >> (8 * UInt32(index))) }
            offset += size
        }
        return bytes
    }
}
