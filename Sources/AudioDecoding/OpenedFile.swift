import CSndfile
import FeatureModel
import FileIO

/// A recording opened by libsndfile, with its header checked against the file.
struct OpenedFile {
    /// libsndfile's handle; for its owner to close.
    let file: OpaquePointer
    let info: SF_INFO
    /// The source of the handle, where it is not a file of its own; has to outlive the handle.
    let source: PatchedFile?
    /// Number of frames by the header; nil: not given.
    let frameCount: Int?
    /// Missing at the end, as far as the header tells; nil: nothing.
    let cutOff: CutOff?
    /// Maximum samples of each channel in a frame of FLAC.
    var longestBlock = 65_535
    /// Whether a FLAC ends with its last frame.
    var endsWhole = false

    /// Opens a recording, and compares the size in its header with the file.
    ///
    /// - Throws: `ClipFailure` of stage `open`.
    init(_ content: FileContent) throws(ClipFailure) {
        let opened: (file: OpaquePointer, info: SF_INFO, source: PatchedFile?)
        do throws(OpeningFailure) {
            opened = try SoundFileOpening.open(content)
        } catch {
            // libsndfile takes a header that cannot be read for that of another format.
            if error.system == nil, let refused = HeaderBytes.refusal(of: content) {
                throw .cannotRead(SystemCallError(refused.code))
            }
            let failure = ClipFailure.notDecodable(words: error.words, error.system)
            // In some formats libsndfile refuses a wrong size as damage.
            guard !failure.isSystemFault, let data = HeaderBytes(content).flatMap(SampleData.find),
                data.promised.map({ $0 > data.present }) ?? true, data.present > 0, !data.isRestarted,
                let corrected = try? OpenedFile(content, correcting: data, frameSize: nil)
            else { throw failure }
            self = corrected
            return
        }
        let format = SoundFileFormat(code: opened.info.format)
        if format.isFLAC {
            try self.init(ofFLAC: content, opened)
            return
        }
        // Their headers have no size.
        let data = format.isMPEG || format.isOgg ? nil : HeaderBytes(content).flatMap(SampleData.find)
        guard let data else {
            self.init(opened)
            return
        }
        let frameSize = Self.frameSize(opened.info)
        guard data.promised == nil else {
            self.init(opened, cutOff: Self.cutOff(data, opened.info))
            return
        }
        guard !data.isRestarted else {
            sf_close(opened.file)
            throw .headerRepeated
        }
        guard Int(clamping: opened.info.frames) < frameSize.map({ data.present / $0 }) ?? 1, data.present > 0 else {
            self.init(opened)
            return
        }
        sf_close(opened.file)
        self = try OpenedFile(content, correcting: data, frameSize: frameSize)
    }

    private init(_ opened: (file: OpaquePointer, info: SF_INFO, source: PatchedFile?), cutOff: CutOff? = nil) {
        (file, info, source) = opened
        self.cutOff = cutOff
        frameCount = info.frameCount
    }

    /// Checks the header of a FLAC, which has no checksum, against its frames, which have.
    private init(
        ofFLAC content: FileContent, _ opened: (file: OpaquePointer, info: SF_INFO, source: PatchedFile?)
    ) throws(ClipFailure) {
        let (file, info) = (opened.file, opened.info)
        let stream = FLACStream(content)
        if let rate = stream?.frameRate, rate != Int(info.samplerate) {
            sf_close(file)
            throw .rateContradicted(header: Int(info.samplerate), frames: rate)
        }
        var cutOff: CutOff?
        if let found = stream?.frameCount, let frames = info.frameCount, frames > 0, found != frames {
            guard found < frames else {
                sf_close(file)
                throw .lengthContradicted(header: frames, frames: found)
            }
            let rate = Double(max(info.samplerate, 1))
            cutOff = CutOff(promised: Double(frames) / rate, present: Double(found) / rate)
        }
        self.init(opened, cutOff: cutOff)
        if let stream { longestBlock = stream.longestBlock }
        endsWhole = stream?.frameCount.map { $0 == Int(clamping: info.frames) } ?? false
    }

    /// Opens a recording with a corrected size in its header.
    private init(_ content: FileContent, correcting data: SampleData, frameSize: Int?) throws(ClipFailure) {
        guard let corrections = data.corrections(frameSize: frameSize),
            let source = PatchedFile(content, patches: corrections), let opened = SoundFileOpening.open(source)
        else { throw .lengthNotStated(bytes: data.present) }
        guard opened.info.frames > 0 else {
            sf_close(opened.file)
            throw .lengthNotStated(bytes: data.present)
        }
        self.init((opened.file, opened.info, source), cutOff: Self.cutOff(data, opened.info))
    }

    /// Bytes of a frame; nil: samples are packed otherwise.
    private static func frameSize(_ info: SF_INFO) -> Int? {
        SoundFileFormat(code: info.format).encoding?.bytes.map { $0 * Int(max(info.channels, 1)) }
    }

    /// The missing part of a recording, by the bytes of samples in its header.
    private static func cutOff(_ data: SampleData, _ info: SF_INFO) -> CutOff? {
        let frameSize = frameSize(info)
        let (unit, frames) = (frameSize ?? 1, Int(clamping: info.frames))
        // Less than a frame is no loss; a header alone is an empty recording.
        guard let promised = data.promised, promised - data.present >= unit, data.present >= unit, frames > 0 else {
            return nil
        }
        let rate = Double(max(info.samplerate, 1))
        if let frameSize {
            return CutOff(
                promised: Double(promised / frameSize) / rate,
                present: Double(min(data.present / frameSize, frames)) / rate)
        }
        // libsndfile counts the present blocks, all of one size; for ALAC those of the header.
        if SoundFileFormat(code: info.format).encoding != nil {
            return CutOff(promised: Double(frames) / rate, present: nil)
        }
        let present = Double(frames) / rate
        return CutOff(promised: present * Double(promised) / Double(data.present), present: present)
    }
}

extension SF_INFO {
    /// Number of frames by the header; nil: not given.
    var frameCount: Int? { frames >= 0 && frames < Int64(1) << 60 ? Int(frames) : nil }
}
