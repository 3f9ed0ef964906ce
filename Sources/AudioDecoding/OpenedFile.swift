import CSndfile
import FeatureModel

/// A recording that libsndfile has opened, and what its header is worth.
struct OpenedFile {
    /// libsndfile's handle; for its owner to close.
    let file: OpaquePointer
    /// What libsndfile says of it.
    let info: SF_INFO
    /// What the handle reads from, where that is not the file itself; has to outlive it.
    let source: PatchedFile?
    /// Frames that are there, as far as the header tells; nil: it does not.
    let frameCount: Int?
    /// What is missing at the end, as far as the header tells; nil: nothing.
    let cutOff: CutOff?

    /// Opens a recording, and compares what its header promises with what is there.
    ///
    /// - Throws: `ClipFailure` of stage `open`.
    init(path: String) throws(ClipFailure) {
        let opened: (file: OpaquePointer, info: SF_INFO)
        do throws(OpeningFailure) {
            opened = try SoundFileOpening.open(path)
        } catch {
            let failure = ClipFailure(
                .open, "expected a recording that libsndfile can read: \(error.reason)",
                isOfMachine: MachineError.isNamed(in: error.reason))
            // Some headers that do not say how long the recording is libsndfile takes for damaged.
            guard !failure.isOfMachine, let data = HeaderBytes(path: path).flatMap(SampleData.find),
                data.promised == nil, data.present > 0, !data.isRestarted,
                let corrected = try? OpenedFile(path, correcting: data, frameSize: nil)
            else { throw failure }
            self = corrected
            return
        }
        let format = SoundFileFormat(code: opened.info.format)
        // These say nothing of the kind in their header, or nothing that could be wrong.
        let data =
            format.isFLAC || format.isMPEG || format.isOgg ? nil : HeaderBytes(path: path).flatMap(SampleData.find)
        guard let data else {
            self.init(opened.file, opened.info)
            return
        }
        let frameSize = format.encoding?.bytes.map { $0 * Int(max(opened.info.channels, 1)) }
        guard data.promised == nil else {
            self.init(opened.file, opened.info, cutOff: Self.cutOff(data, opened.info, frameSize: frameSize))
            return
        }
        guard !data.isRestarted else {
            sf_close(opened.file)
            throw ClipFailure(
                .open,
                "expected samples, found the header of the file once more: it was written into a pipe, which this format "
                    + "does not allow")
        }
        guard opened.info.frames == 0, data.present >= frameSize ?? 1 else {
            self.init(opened.file, opened.info)
            return
        }
        sf_close(opened.file)
        self = try OpenedFile(path, correcting: data, frameSize: frameSize)
    }

    private init(_ file: OpaquePointer, _ info: SF_INFO, source: PatchedFile? = nil, cutOff: CutOff? = nil) {
        self.file = file
        self.info = info
        self.source = source
        self.cutOff = cutOff
        frameCount = info.frames >= 0 && info.frames < Int64(1) << 60 ? Int(info.frames) : nil
    }

    /// Opens a recording whose header does not say how long it is, with one that does.
    private init(_ path: String, correcting data: SampleData, frameSize: Int?) throws(ClipFailure) {
        guard let corrections = data.corrections(frameSize: frameSize),
            let source = PatchedFile(path: path, patches: corrections), let opened = SoundFileOpening.open(source)
        else { throw Self.unstated(data) }
        guard opened.info.frames > 0 else {
            sf_close(opened.file)
            throw Self.unstated(data)
        }
        self.init(opened.file, opened.info, source: source)
    }

    private static func unstated(_ data: SampleData) -> ClipFailure {
        ClipFailure(
            .open,
            "expected a header that says how long the recording is, found one that does not, and \(data.present) bytes "
                + "of samples behind it")
    }

    /// What is missing of a recording whose header says how many bytes of samples it has.
    ///
    /// - Parameter frameSize: Bytes of a frame; nil: samples are packed in another way.
    private static func cutOff(_ data: SampleData, _ info: SF_INFO, frameSize: Int?) -> CutOff? {
        let (unit, frames) = (frameSize ?? 1, Int(clamping: info.frames))
        // Less than a frame is nobody's loss, and a header alone is an empty recording.
        guard let promised = data.promised, promised - data.present >= unit, data.present >= unit, frames > 0 else {
            return nil
        }
        let rate = Double(max(info.samplerate, 1))
        if let frameSize {
            return CutOff(
                promised: Double(promised / frameSize) / rate,
                present: Double(min(data.present / frameSize, frames)) / rate)
        }
        // libsndfile counts the blocks that are there, which are all of one size; but of ALAC those that the header promises.
        if SoundFileFormat(code: info.format).encoding != nil {
            return CutOff(promised: Double(frames) / rate, present: nil)
        }
        let present = Double(frames) / rate
        return CutOff(promised: present * Double(promised) / Double(data.present), present: present)
    }
}
