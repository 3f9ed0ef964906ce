/// A channel in the words of a table.
package enum ChannelName {
    /// The channels that a recording can have.
    package static let allowed = 0...1023

    /// The channel, from 0, of a number or of a letter, which counts from A; nil: it is neither.
    ///
    /// - Parameter base: The number of the first channel.
    package static func channel(_ text: some StringProtocol, from base: Int = 0) -> Int? {
        let bytes = Array(text.utf8)[...].trimmingBlanks
        if bytes.count == 1, let letter = bytes.first, let index = index(ofLetter: letter) { return index }
        guard !bytes.isEmpty, let number = Double(String(decoding: bytes, as: UTF8.self)),
            let whole = Int(exactly: number)
        else { return nil }
        // A number may be any, also the least of all.
        let (channel, isTooMuch) = whole.subtractingReportingOverflow(base)
        return !isTooMuch && allowed.contains(channel) ? channel : nil
    }

    private static func index(ofLetter byte: UInt8) -> Int? {
        switch byte {
        // Not further: L and R are left and right.
        case UInt8(ascii: "A")...UInt8(ascii: "H"): Int(byte - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "h"): Int(byte - UInt8(ascii: "a"))
        default: nil
        }
    }

    /// What a table should have, for a message.
    package static func expectation(from base: Int = 0) -> String {
        "a whole number from \(base) to \(allowed.upperBound + base), counted from \(base), or a letter from A to H"
    }

    /// The text of a channel in a manifest; with a question mark, a recording of one channel is meant by any.
    package static func text(_ channel: Int, acceptsMono: Bool) -> String { acceptsMono ? "\(channel)?" : "\(channel)" }
}
