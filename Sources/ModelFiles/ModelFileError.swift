import FeatureModel

/// Why a model's own file is no front end that can be computed. Fields are named as the file names them.
package enum ModelFileError: Error, Hashable, Sendable {
    /// The text is not in a format that is read.
    case malformed(String)
    /// Nothing in the file says whose configuration it is.
    case unrecognised(String)
    /// A field is given twice.
    case repeated(field: String)
    /// The class, or kind of features, is not one that can be computed.
    case unknownClass(name: String, field: String, format: ModelFormat, known: [String])
    /// The class has no such field, or what it does is not known.
    case unknownField(field: String, owner: String, nearest: String?)
    /// A value of the wrong type, or out of range.
    case invalid(field: String, found: String, expected: String)
    /// A value with an effect that no configuration has. `advice` says what to do.
    case unsupported(field: String, found: String, expected: String, advice: String)
    /// Several fields that are unknown or have such values, in the order of the file.
    case several([ModelFileError])
    /// The configuration that the file comes to is refused.
    ///
    /// - fields: Those that the key, or its limit, was set from.
    /// - owner: The class whose own value, or default, the key has; nil: the file states it.
    /// - rate: The one of the fields that is the sample rate.
    case refused(ConfigurationError, fields: [String], owner: String?, rate: String?)
}
