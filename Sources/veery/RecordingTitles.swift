/// What recordings are called above their pictures.
enum RecordingTitles {
    /// The files' names, each with as many of its folders as tell it from the others.
    ///
    /// Cost: grows with the square of the number of paths, of which a picture has few.
    static func titles(of paths: [String]) -> [String] {
        let all = paths.map { $0.split(separator: "/") }
        return all.map { parts in
            let others = all.filter { $0 != parts }
            let count = (1..<max(parts.count, 1)).first { count in
                !others.contains { $0.suffix(count) == parts.suffix(count) }
            }
            return parts.suffix(count ?? max(parts.count, 1)).joined(separator: "/")
        }
    }
}
