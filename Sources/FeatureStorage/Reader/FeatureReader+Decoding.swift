import Essentials
import FeatureModel
import FileIO

extension FeatureReader {
    /// - Throws: `StorageError.damaged` if it cannot be decoded.
    package func decodedConfiguration() throws(StorageError) -> FeatureConfiguration {
        try decoded(FeatureConfiguration.self, header.configuration, "configuration")
    }

    /// The value that a text of `/provenance` holds as JSON.
    ///
    /// - Parameter part: The name of the text, for the error.
    /// - Throws: `StorageError.damaged` if it cannot be decoded.
    package func decoded<Value: Decodable>(
        _ type: Value.Type, _ json: String, _ part: String
    ) throws(StorageError) -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(json.utf8))
        } catch {
            throw .damaged(path: path, found: "/provenance/\(part) cannot be read: \(error)")
        }
    }
}
