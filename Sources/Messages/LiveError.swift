import DatasetExtraction
import FileIO
import LiveAnalysis
import Presentation

extension LiveError: CustomStringConvertible {
    /// The error as one sentence for a person.
    package var description: String {
        switch self {
        case .cancelled: "stopped before there was anything to show"
        case .empty(let name): "\(name): expected samples, found none: the input has ended"
        case .unknownFormat(let name, let found):
            "\(name): expected a WAV header, found \(found): for raw samples give --rate, and --format and --channels "
                + "where they are not s16le and 1"
        case .recording(let name, let kind):
            "\(name): expected WAV or raw samples, found \(kind): give its file with --file, or decode it first, such as by sox or "
                + "ffmpeg"
        case .header(let name, let reason): "\(name): \(reason)"
        case .otherFormat(let name, let setting, let given, let found):
            "\(name): the WAV header says \(found), but \(setting.option) \(given) was given: leave \(setting.option) out"
        case .unreadable(let name, let code): "\(name): cannot be read: \(SystemError(code: code))"
        case .unwritable(let code):
            "the filtered samples cannot be written to standard output: \(SystemError(code: code))"
        case .input(let name, let failure): "\(name): \(failure.reason)"
        case .cutOff(let name, let cut): "\(name): \(cut.reason): let the program that writes it run to its end"
        case .needsWholeClip(let key, let found, let instead):
            "\(key) is \(found), which needs to know the whole recording first: give --set \(key)=\(instead) for a display; 'veery extract' computes it "
                + "of a folder of recordings"
        case .resizedRows(let key):
            "\(key): rows are resized once the whole recording is known: 'veery extract' computes them of a folder of recordings; "
                + "--set rows=null keeps the rows of frames, which are not those that the configuration asks for"
        case .interruptedRun(let folder):
            "\(folder): an interrupted 'veery extract' of this output has left clips here: finish it, or give "
                + "--record another name"
        case .keptRecording(let output, let cause, _):
            "\(cause)\nWhat was recorded is kept in \(output).spool. Once that is mended, complete it: "
                + ExtractionError.recovery(of: output)
        case .nothingToRecover(let output):
            "\(output): expected what an interrupted recording has left in \(output).spool, found none"
        case .lostRows(let name, let found, let folder):
            "\(name): what follows frame \(found) of the interrupted recording is damaged, and stays in \(folder)"
        case .nothingRecorded(let output):
            "\(output): not written, since no frame, or no patch of frames, was complete: the input was too short"
        }
    }
}

extension LiveSetting {
    fileprivate var option: String {
        switch self {
        case .sampleRate: "--rate"
        case .encoding: "--format"
        case .channels: "--channels"
        }
    }
}
