import ArgumentParser

extension ExpressibleByArgument {
    /// Reads an option's value, for `transform`; the error says what is expected.
    static func expecting(_ expected: String) -> @Sendable (String) throws -> Self {
        { text in
            guard let value = Self(argument: text) else { throw ValidationError("expected \(expected)") }
            return value
        }
    }
}
