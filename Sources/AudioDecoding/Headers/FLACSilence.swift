/// Silence that libFLAC puts where frames are missing.
///
/// Before 1.5.0 it reports no error there, and the frame after the silence may be wrong.
enum FLACSilence {
    /// Samples of each channel of the shortest frame.
    private static let shortestBlock = 16

    /// Whether samples may be a part of such silence: whether it is sound of the recording, the headers of its frames show.
    ///
    /// It is as long as a frame. What of it is at the end of the samples may be shorter; before their start, others were read.
    static func isPossible(in samples: UnsafePointer<Float>, frames: Int, channels: Int) -> Bool {
        func isSilent(_ first: Int, _ count: Int) -> Bool {
            (first * channels..<(first + count) * channels).allSatisfy { samples[$0] == 0 }
        }
        guard frames > 0 else { return false }
        return isSilent(frames - 1, 1)
            || stride(from: 0, through: frames - shortestBlock, by: shortestBlock).contains {
                isSilent($0, shortestBlock)
            }
    }
}
