/// A file that values of a configuration were read from. Which file it was changes no feature: the values are in the configuration.
public struct ConfigurationInput: Hashable, Sendable, Codable {
    /// What was read from it.
    public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        /// `normalize.mean`.
        case mean
        /// `normalize.std`.
        case std
        /// The front end of a model, or something that the file of that names.
        case model
    }

    /// What was read from it.
    public let kind: Kind
    /// Its name, without folders; of a member of an archive, that of the archive, a slash and its own.
    public let name: String
    /// XXH3-128 of its bytes, or of those of the member: 32 hexadecimal digits.
    public let xxh3: String

    /// Keeps the values.
    public init(kind: Kind, name: String, xxh3: String) { (self.kind, self.name, self.xxh3) = (kind, name, xxh3) }
}
