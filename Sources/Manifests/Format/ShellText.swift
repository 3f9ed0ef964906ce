/// Words of a command that a message gives.
package enum ShellText {
    /// A word as a shell reads it: in quotation marks where it needs them.
    package static func word(_ text: String) -> String {
        let isPlain = !text.isEmpty && text.utf8.allSatisfy { byte in
            switch Unicode.Scalar(byte) {
            case "a"..."z", "A"..."Z", "0"..."9", "_", "-", ".", "/", "=", ":", ",", "+", "@", "%": true
            default: byte >= 0x80
            }
        }
        return isPlain ? text : "'" + text.replacing("'", with: "'\\''") + "'"
    }
}
