/// The length that all clips of a file were cropped or padded to, and how many had another one.
package struct CommonLength: Sendable, Encodable {
    package let seconds: Double
    /// Clips that were longer, and are cropped.
    package internal(set) var longer = 0
    /// Clips that were shorter: in the packed layout they are filled with zeros, in the fixed one they have fewer frames.
    package internal(set) var shorter = 0

    init(seconds: Double) { self.seconds = seconds }

    /// Counts a clip of this many seconds; one that misses the length by less than half a sample has it.
    mutating func add(duration: Double, sampleRate: Int) {
        let difference = (duration - seconds) * Double(sampleRate)
        if difference >= 0.5 { longer += 1 } else if difference <= -0.5 { shorter += 1 }
    }
}
