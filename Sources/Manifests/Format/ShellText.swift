/// Words of a command that a message gives.
package enum ShellText {
    /// A word as a shell reads it: in quotation marks where it needs them.
    package static func word(_ text: String) -> String {
        let isPlain =
            !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch Unicode.Scalar(byte) {
                case "a"..."z", "A"..."Z", "0"..."9", "_", "-", ".", "/", "=", ":", ",", "+", "@", "%": true
                default: byte >= 0x80
                }
            }
        return isPlain ? text : "'" + text.replacing("'", with: "'\\''") + "'"
    }

    /// The option by which a column is read as one of a manifest.
    static func column(_ target: String, _ name: String) -> String { "--column " + word("\(target)=\(name)") }
}

extension ShellText {
    /// A file beside another one.
    static func beside(_ path: String, _ name: String) -> String {
        guard let slash = path.utf8.lastIndex(of: Byte.slash) else { return name }
        return String(path[...slash]) + name
    }

    /// A file, and a new one beside it that a program's output goes to.
    static func file(_ path: String, to name: String) -> String { "\(word(path)) > \(word(beside(path, name)))" }
}
