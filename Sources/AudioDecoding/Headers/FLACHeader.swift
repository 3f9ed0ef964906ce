/// What of a FLAC file's header is needed to go to a sample and be told of damage on the way.
enum FLACHeader {
    /// The most samples of a frame, whatever the header says.
    static let mostBlockFrames = 65_535

    /// The most samples of each channel that a frame of the file has.
    static func longestBlock(path: String) -> Int {
        // The first block of metadata is always STREAMINFO: least and greatest block, 16 bits each, behind 8 bytes.
        guard let file = HeaderBytes(path: path), file.has("fLaC", at: 0),
            let length = file.number(at: 10, 2, isBigEndian: true), length >= 16
        else { return mostBlockFrames }
        return Int(length)
    }
}
