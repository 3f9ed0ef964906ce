import ClipSpool
import Essentials
import FeatureModel
import FileIO

extension FeatureReader: RowSource {
    /// Rows of `/features`, as stored; in the fixed layout counted through all clips' blocks.
    ///
    /// - Throws: `StorageError`, `.damaged` where the range lies outside.
    public func rows(_ range: Range<Int>) throws(StorageError) -> FeatureMatrix {
        let parts = try files.parts(.rows, range)
        if parts.count == 1 { return try files[parts[0].file].rows(parts[0].range) }
        var values: [Float] = []
        values.reserveCapacity(range.count * bins)
        for part in parts { values += try files[part.file].rows(part.range).values }
        return FeatureMatrix(bins: bins, values: values)
    }

    /// Reads rows of `/features` as they are stored, without conversion; in the fixed layout counted through all clips' blocks.
    ///
    /// - Precondition: `bytes` is as large as `rows.count` rows of the stored type, and aligned for it.
    /// - Throws: `StorageError`, `.damaged` where the range lies outside.
    package func readStored(
        rows range: Range<Int>, into bytes: UnsafeMutableRawBufferPointer
    ) throws(StorageError) {
        precondition(bytes.count == range.count * storedRowBytes, "a buffer as large as the rows")
        var start = 0
        for part in try files.parts(.rows, range) {
            let end = start + part.range.count * storedRowBytes
            try files[part.file].readStored(
                rows: part.range, into: UnsafeMutableRawBufferPointer(rebasing: bytes[start..<end]))
            start = end
        }
    }

    /// Some frames of a clip, for callers that draw conclusions from them: no file of this program has values there that are
    /// infinite or not numbers.
    ///
    /// - Parameters:
    ///   - frames: Their indices, from 0 to `frameCount(ofRows:)`.
    ///   - rows: All rows of the clip.
    ///   - clip: Its index.
    /// - Throws: `StorageError`, `.damaged` where a value is not finite, or the rows lie outside the tensor.
    package func finiteFrames(
        _ frames: Range<Int>, ofRows rows: Range<Int>, clip: Int
    ) throws(StorageError) -> FeatureMatrix {
        let matrix = try self.frames(frames, ofRows: rows)
        guard matrix.values.allSatisfy(\.isFinite) else { throw try notFinite(clip: clip) }
        return matrix
    }

    /// What is wrong with a clip that has such values.
    ///
    /// - Throws: `StorageError` where its id cannot be read.
    package func notFinite(clip: Int) throws(StorageError) -> StorageError {
        let id = try texts(.id, ofClips: clip..<clip + 1).first ?? ""
        return .damaged(path: path, found: "clip '\(id)' has values that are infinite or not numbers")
    }

    /// Bytes of a row of `/features` as stored.
    package var storedRowBytes: Int { shape.rowBytes }

    /// The offset of the tensor in the file, for mapping it into memory; nil where it has none, and of a set.
    ///
    /// - Throws: `StorageError`.
    public func featuresOffset() throws(StorageError) -> Int? { try onlyFile?.featuresOffset() }

    /// The file; nil if it is a set. For callers that refer to offsets in the file.
    package var onlyFile: FeatureFile? { files.index == nil ? files.first : nil }
}

extension FeatureFileHeader {
    /// The dataset of the axis: `/frequency` or `/coefficient`.
    package var axisDataset: String { "/" + axis.name }
}

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
