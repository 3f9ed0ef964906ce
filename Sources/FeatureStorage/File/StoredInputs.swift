import Essentials
import FeatureModel
import FileIO

/// `/provenance/configuration_files`: the files that values of the configuration were read from, a text for each, which is
/// `ConfigurationInput` as JSON with sorted keys; and its attribute `xxh3`, the checksum of these texts, each with a line feed after it.
///
/// Only where there are such files. It is not part of `metadata_xxh3`, and nothing depends on it.
enum StoredInputs {
    static let dataset = "/provenance/configuration_files"
    static let attribute = "xxh3"

    static func texts(_ inputs: [ConfigurationInput]) -> [String] { inputs.map { (try? $0.sortedJSON()) ?? "" } }

    static func write(_ inputs: [ConfigurationInput], to hdf5: borrowing HDF5Writer) throws(StorageError) {
        guard !inputs.isEmpty else { return }
        let texts = texts(inputs)
        let width = texts.reduce(1) { max($0, $1.utf8.count) }
        try hdf5.create(dataset, textWidth: width, extents: [texts.count])
        try hdf5.write(texts, width: width, to: dataset)
        try hdf5.attribute(attribute, StoredRemarks.checksum(texts), of: dataset)
    }

    /// The files, without those of kinds that this version does not know; and what is wrong with the dataset, nil: nothing.
    static func read(
        _ file: borrowing HDF5File
    ) throws(StorageError) -> (inputs: [ConfigurationInput], finding: String?) {
        guard file.exists(dataset) else { return ([], nil) }
        let texts = try file.texts(dataset)
        let (found, expected) = (StoredRemarks.checksum(texts), try file.text(attribute: attribute, of: dataset))
        let inputs = texts.compactMap { try? JSONDecoder().decode(ConfigurationInput.self, from: Data($0.utf8)) }
        guard let expected else { return (inputs, "\(dataset) has no attribute \(attribute)") }
        return (
            inputs,
            found == expected
                ? nil : "\(dataset) has the checksum \(found), but its attribute \(attribute) is \(expected)"
        )
    }
}
