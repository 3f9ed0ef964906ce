import FileIO

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

    /// A file, as the argument of a program: never an option, nor what awk takes for an assignment.
    package static func file(_ path: String) -> String {
        let isPlain =
            path.hasPrefix("/") || path.hasPrefix("./")
            || !path.hasPrefix("-") && !path.utf8.contains(UInt8(ascii: "="))
        return word(isPlain ? path : "./" + path)
    }

    /// A path in the folder of another one.
    package static func beside(_ path: String, _ name: String) -> String {
        guard let slash = path.utf8.lastIndex(of: Byte.slash) else { return name }
        return String(path[...slash]) + name
    }

    /// A file that does not exist, in the folder of another one: `manifest.jsonl`, or else `manifest-2.jsonl` and so on.
    package static func newFile(beside path: String, _ name: String) -> String {
        let dot = name.lastIndex(of: ".") ?? name.endIndex
        var (number, found) = (1, beside(path, name))
        while FileStatus(path: found, followingLink: false) != nil {
            number += 1
            found = beside(path, name[..<dot] + "-\(number)" + name[dot...])
        }
        return found
    }
}
