/// The part of an answer that a request asks for.
enum RequestedRange: Hashable, Sendable {
    case whole
    case part(Range<Int>)
    /// There is nothing of it.
    case unsatisfiable

    /// - Parameters:
    ///   - values: The values of the request's `Range` lines. What is not a single range of bytes counts as none, as HTTP has it.
    ///   - count: Number of bytes that there are.
    init(_ values: [String], count: Int) {
        self = .whole
        guard let value = values.first, values.count == 1, value.lowercased().hasPrefix("bytes=") else { return }
        let ends = value.utf8.dropFirst("bytes=".utf8.count)
            .split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard ends.count == 2 else { return }
        switch (Self.number(ends[0]), Self.number(ends[1])) {
        case (let first?, let last?):
            guard first <= last else { return }
            self = first < count ? .part(first..<min(last, count - 1) + 1) : .unsatisfiable
        case (let first?, nil) where ends[1].isEmpty:
            self = first < count ? .part(first..<count) : .unsatisfiable
        case (nil, let length?) where ends[0].isEmpty:
            self = length > 0 && count > 0 ? .part(max(count - length, 0)..<count) : .unsatisfiable
        default: return
        }
    }

    /// A number of one digit or more; the greatest one if it is greater than that.
    private static func number(_ digits: Substring.UTF8View) -> Int? {
        guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(Substring(digits)) ?? .max
    }
}
