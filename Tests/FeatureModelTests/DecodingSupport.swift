import FeatureModel
import Foundation

/// The configuration that a JSON text describes.
func configuration(_ json: String) throws -> FeatureConfiguration {
    try JSONDecoder().decode(FeatureConfiguration.self, from: Data(json.utf8))
}

/// The error that a JSON text is refused with; nil: it is accepted, or refused with an error of another type.
func refusal(_ json: String) -> ConfigurationError? {
    do {
        _ = try configuration(json)
        return nil
    } catch {
        return error as? ConfigurationError
    }
}
