/// A secret of 32 random bytes of the system, which only the user's browser knows.
struct AccessToken: Sendable, CustomStringConvertible {
    /// In hexadecimal digits: what an address or a cookie shows.
    let text: String

    init() {
        var source = SystemRandomNumberGenerator()
        let digits = Array("0123456789abcdef")
        text = String(
            (0..<32).flatMap { _ in
                let byte = UInt8.random(in: .min ... .max, using: &source)
                return [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            })
    }

    /// Whether a text is the token. The time depends on the text's length alone.
    func matches(_ text: some StringProtocol) -> Bool {
        let (given, own) = (Array(text.utf8), Array(self.text.utf8))
        guard given.count == own.count else { return false }
        var difference: UInt8 = 0
        for index in own.indices { difference |= given[index] ^ own[index] }
        return difference == 0
    }

    /// Not the token: descriptions end up in logs.
    var description: String { "AccessToken" }
}
