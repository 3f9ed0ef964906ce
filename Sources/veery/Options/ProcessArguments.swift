import CProcess

/// The words that follow the program's name on the command line.
enum ProcessArguments {
    /// All of them; nil: not known but to Swift itself, which reads them from /proc on Linux. A chroot may have no /proc.
    static var all: [String]? {
        guard var next = veery_arguments() else { return nil }
        var words: [String] = []
        while let word = next.pointee {
            words.append(String(cString: word))
            next += 1
        }
        return Array(words.dropFirst())
    }
}
