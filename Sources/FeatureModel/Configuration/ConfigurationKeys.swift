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

    /// The full path of the key that is very like this name; nil: none is.
    static func nearestPath(to key: String) -> String? {
        nearestName(to: key, in: sections.flatMap(\.keys), share: 4).flatMap { paths(of: $0).first }
    }
}
