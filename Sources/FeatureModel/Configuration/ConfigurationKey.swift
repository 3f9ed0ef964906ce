/// An entry of a section's table: everything about one key.
struct ConfigurationKey<Section: Sendable>: Sendable {
    /// Name and documentation, without the default.
    private(set) var about: KeyDescription
    /// What an error expects where the key is missing; nil: the key has a default, its value in the standard section.
    let required: String?
    /// Reads the value, if any, into a section; `key` is the full name, for errors.
    let read: @Sendable (ConfigurationValue?, inout Section, _ key: String) throws(ConfigurationError) -> Void
    let write: @Sendable (Section) -> ConfigurationValue
    /// Refuses a value out of range.
    let check: @Sendable (Section, _ key: String) throws(ConfigurationError) -> Void

    var name: String { about.name }
}

extension ConfigurationKey {
    /// Passes the property that holds the value: `{ $1(&$0.hop) }`. A key path would be instantiated at every start of the
    /// program, which costs more than all else of a table.
    typealias Access<Value> = @Sendable (_ section: inout Section, _ body: (inout Value) -> Void) -> Void

    /// - Parameters:
    ///   - access: Passes the property that holds the value.
    ///   - unit: The unit of its numbers.
    ///   - required: What an error expects where the key is missing; nil: it has a default.
    ///   - isAlwaysWritten: Whether it is written where it has its default, too; false for a key that is added after a release.
    ///   - sentence: What the key is for.
    init<Value>(
        _ name: String, _ access: @escaping Access<Value>, _ format: ValueFormat<Value>,
        unit: String = "", required: String? = nil, isAlwaysWritten: Bool = true, _ sentence: String
    ) {
        about = KeyDescription(
            name: name, sentence: sentence, unit: unit, allowed: format.allowed, form: format.form, standard: nil,
            isAlwaysWritten: isAlwaysWritten)
        self.required = required
        read = { value, section, key throws(ConfigurationError) in
            guard let value, format.takesNull || !value.isNull else {
                guard let required else { return }
                throw .invalidValue(key: key, found: "nothing", expected: required)
            }
            guard let read = try format.read(value, key) else {
                throw .invalidValue(key: key, found: value.found, expected: format.readable)
            }
            access(&section) { $0 = read }
        }
        write = { section in Self.value(section, access).map(format.write) ?? .null }
        check = { section, key throws(ConfigurationError) in
            guard let found = Self.value(section, access).flatMap(format.refused) else { return }
            throw .invalidValue(key: key, found: found, expected: format.allowed)
        }
    }

    private static func value<Value>(_ section: Section, _ access: Access<Value>) -> Value? {
        var (section, value): (Section, Value?) = (section, nil)
        access(&section) { value = $0 }
        return value
    }

    /// The key of a part, as a key of the whole.
    fileprivate func within<Whole>(
        _ name: String?, _ part: @escaping @Sendable (Whole) -> Section?,
        _ replace: @escaping @Sendable (inout Whole, Section) -> Void
    ) -> ConfigurationKey<Whole> {
        var about = about
        about.name = name ?? about.name
        return ConfigurationKey<Whole>(
            about: about, required: required,
            read: { value, whole, key throws(ConfigurationError) in
                guard var inner = part(whole) else { return }
                try read(value, &inner, key)
                replace(&whole, inner)
            }, write: { part($0).map(write) ?? .null },
            check: { whole, key throws(ConfigurationError) in
                if let inner = part(whole) { try check(inner, key) }
            })
    }
}

extension Array {
    /// Refuses a section with a value out of range.
    func check<Section>(_ section: Section, in path: String) throws(ConfigurationError)
    where Element == ConfigurationKey<Section> {
        for key in self { try key.check(section, "\(path).\(key.name)") }
    }

    /// The keys of a part, as keys of the whole.
    ///
    /// - Parameters:
    ///   - name: The name in the whole; nil: as in the part.
    ///   - part: The part; nil where the whole has none.
    func within<Whole, Section>(
        as name: String? = nil, part: @escaping @Sendable (Whole) -> Section?,
        replace: @escaping @Sendable (inout Whole, Section) -> Void
    ) -> [ConfigurationKey<Whole>] where Element == ConfigurationKey<Section> {
        map { $0.within(name, part, replace) }
    }
}
