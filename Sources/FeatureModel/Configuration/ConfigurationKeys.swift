/// All keys of a configuration with their sections, gathered from where they are read.
enum ConfigurationKeys {
    private static let sections: [(path: String, keys: [String])] = [
        ("audio", AudioConfiguration.keys), ("condition", ConditionConfiguration.keys),
        ("frame", FrameConfiguration.keys),
        ("transform", ["kind"] + TransformConfiguration.Kind.allCases.flatMap(\.keys)),
        ("scale", ScaleConfiguration.keys + PCENConfiguration.keys), ("normalize", NormalizeConfiguration.keys),
        ("store", StoreConfiguration.keys),
    ]

    /// The full paths of the keys of this name, in the order of the data's way.
    static func paths(of key: String) -> [String] {
        sections.compactMap { section in section.keys.contains(key) ? "\(section.path).\(key)" : nil }
    }

    /// The settings whose value, not key, has this name, such as `transform.kind=mfcc`.
    static func settings(named name: String) -> [String] {
        let kinds: [(String, Bool)] = [
            ("transform.kind", TransformConfiguration.Kind(rawValue: name) != nil),
            ("scale.kind", ScaleConfiguration.Kind(rawValue: name) != nil),
            ("frame.window", WindowFunction.Kind(rawValue: name) != nil),
        ]
        return kinds.filter(\.1).map { "\($0.0)=\(name)" }
    }

    /// How a path such as `frame.hop` is written in a file, where it is a key's name at the top; nil: it is no path.
    static func section(ofDotted path: String) -> String? {
        let parts = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, sections.contains(where: { $0.path == parts[0] && $0.keys.contains(parts[1]) }) else {
            return nil
        }
        return "\(parts[0]): {\(parts[1]): …}"
    }

    /// The full path of the key that is very like this name; nil: none is.
    static func nearestPath(to key: String) -> String? {
        nearestName(to: key, in: sections.flatMap(\.keys), share: 4).flatMap { paths(of: $0).first }
    }
}
