import ArrayFiles
import FeatureModel

extension ArrayFileError: CustomStringConvertible {
    /// The error as one sentence for a person.
    package var description: String {
        switch self {
        case .system(let path, let error): "\(path): cannot read the array: \(error)"
        case .content(let path, let name, let expected, let found):
            "\(path)\(name.map { ", array '\($0.excerpt)'" } ?? ""): expected \(expected), found \(found)"
        case .noSuchArray(let path, let name, let names):
            "\(path): there is no array '\(name.excerpt)'; there \(Self.list(names))"
        case .severalArrays(let path, let names):
            "\(path): expected one array, or the name of one by --array; there \(Self.list(names))"
        }
    }

    private static func list(_ names: [String]) -> String {
        guard !names.isEmpty else { return "is none" }
        let shown = names.prefix(10).map { "'\($0.excerpt)'" }.joined(separator: ", ")
        return (names.count == 1 ? "is " : "are ") + shown
            + (names.count > 10 ? " and \(names.count - 10) others" : "")
    }
}
