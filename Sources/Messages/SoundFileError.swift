import AudioDecoding
import FileIO

extension SoundFileError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unknownExtension(let path, let writable):
            "\(path): expected a name that ends in \(writable.dropLast().joined(separator: ", ")) or "
                + "\(writable.last ?? ""), which says how the recording is written"
        case .unsupported(let path, .mp3, _, _) where !SoundFileFormat.hasEncoderOfMP3:
            "\(path): the libsndfile of this build has no encoder of MP3 (LAME); choose another format "
                + "(\(SoundFileContainer.writableExtensions.joined(separator: " ")))"
        case .unsupported(let path, let container, let sampleRate, let channels):
            "\(path): libsndfile does not write this format with \(channels) channel\(channels == 1 ? "" : "s") at "
                + "\(sampleRate) Hz\(container.demands.map { ": \($0)" } ?? ""); "
                + "choose another (\(SoundFileContainer.writableExtensions.joined(separator: " ")))"
        case .exists(let path): "\(path): the file exists: give --overwrite to replace it, or another name"
        case .notReplaceable(let path):
            "\(path): expected a regular file or nothing under this name, found a folder, pipe or device"
        case .tooLong(let path, let bytes, let maximum):
            "\(path): \(bytes) bytes of samples are more than the \(maximum) that the format holds: "
                + "choose .w64, .rf64, .caf or .flac"
        case .damaged(let path, let reason, _):
            "\(path): the file did not read back as it was written, and was removed: \(reason)"
        case .failed(let path, let operation, let error): "\(path): cannot \(operation): \(error)"
        case .refused(let path, let words): "\(path): cannot write it: \(words) (libsndfile)"
        }
    }
}
