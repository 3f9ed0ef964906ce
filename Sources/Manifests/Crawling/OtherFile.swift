import FeatureModel
import FileIO

/// Files among recordings that are none by their names.
enum OtherFile {
    /// Takes note of a file or member of an archive.
    ///
    /// - Parameter name: What the account calls it.
    static func report(_ path: String, named name: @autoclosure () -> String, source: String, to account: inout Account)
    {
        if let dataset = DatasetSign.dataset(path) {
            account.add(.metadataUnread, source: source, "\(quoted(name())) (of \(dataset))")
        } else if MediaFile.isNamed(path) {
            let reason = FFmpegPrograms.isOff ? "--no-ffmpeg was given" : "ffmpeg, which reads it, is not installed"
            account.add(.recordingsPassedOver, source: source, "\(quoted(name())) (\(reason))")
        } else if RecordingName.isLikely(path) {
            account.add(.recordingsPassedOver, source: source, quoted(name()))
        } else {
            account.add(.othersSkipped, source: source, count: 1)
        }
    }
}
