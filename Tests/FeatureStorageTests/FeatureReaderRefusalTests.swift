import CHDF5
import FeatureModel
import Foundation
import TestSupport
import Testing

@testable import FeatureStorage

struct FeatureReaderRefusalTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("features.h5")
    }

    private func refusal(of path: String) -> StorageError? {
        #expect(throws: StorageError.self) { _ = try FeatureReader(path: path) }
    }

    /// An HDF5 file with these attributes at its root, and nothing else.
    private func writeRoot(_ texts: [String: String], complete: Int32? = nil) throws {
        let writer = try HDF5Writer(path: path, alignment: 4096, from: 1)
        for (name, text) in texts { try writer.attribute(name, text, of: "/") }
        if let complete { try writer.attribute("complete", complete, of: "/") }
        try writer.close()
    }

    /// What is found in place of a feature file, with the words of each once.
    private enum Found: String {
        case notHDF5 = "a file that HDF5 cannot open"
        case cutOff = "a file that is cut off, with "
        case otherHDF5 = "another HDF5 file (without the attribute format=veery-features)"
        case version2 = "format version 2.0; this program reads 1.x"
        case version10 = "format version 10.0; this program reads 1.x"
        case noVersion = "format version none; this program reads 1.x"
        case otherLayout = "the layout 'ragged'"
        case incomplete = "a file that was never completed"
    }

    private func expectNotFeatures(_ expected: Found, sourceLocation: SourceLocation = #_sourceLocation) {
        guard case .notFeatures(path, let found)? = refusal(of: path) else {
            Issue.record("another error", sourceLocation: sourceLocation)
            return
        }
        #expect(found.hasPrefix(expected.rawValue), "\(found)", sourceLocation: sourceLocation)
    }

    @Test func `a file that is not there`() {
        #expect(refusal(of: path) == .system(operation: "opening the file", path: path, code: ENOENT))
    }

    @Test func `an empty file, and one of text`() throws {
        for text in ["", "x", "id,path\n1,a.wav\n", String(repeating: "not HDF5 at all\n", count: 10_000)] {
            _ = try folder.write(text, to: "features.h5")
            expectNotFeatures(.notHDF5)
        }
    }

    @Test(.timeLimit(.minutes(5))) func `a folder and a pipe, without waiting for a writer`() throws {
        #expect(mkfifo(path, 0o600) == 0)
        for path in [folder.url.path, path] {
            guard case .notFeatures(path, _)? = refusal(of: path) else {
                Issue.record("another error")
                return
            }
        }
    }

    @Test func `an HDF5 file of another program`() throws {
        try writeRoot(["title": "ocean"])
        expectNotFeatures(.otherHDF5)
        try writeRoot(["format": "ocean"])
        expectNotFeatures(.otherHDF5)
    }

    @Test func `an HDF5 file whose attribute format is not text, or several`() throws {
        var number: hid_t = -1
        HDF5Library.quietly { number = veery_h5_native_int64() }
        try writeAttribute("format", of: number, count: 1)
        #expect(refusal(of: path)?.path == path)
        // Sixteen pointers or numbers must not be written where there is room for one.
        let text = try HDF5Handle.text(width: nil, path)
        try writeAttribute("format", of: text.id, count: 16)
        #expect(refusal(of: path)?.path == path)
    }

    private func writeAttribute(_ name: String, of type: hid_t, count: hsize_t) throws {
        try writeRoot([:])
        HDF5Library.quietly {
            let file = H5Fopen(path, 1, veery_h5_default())
            var extent = count
            let space = H5Screate_simple(1, &extent, nil)
            let attribute = H5Acreate2(file, name, type, space, veery_h5_default(), veery_h5_default())
            #expect(file >= 0 && space >= 0 && attribute >= 0)
            H5Aclose(attribute)
            H5Sclose(space)
            H5Fclose(file)
        }
    }

    @Test func `another version of the format`() throws {
        try writeRoot(["format": "veery-features", "format_version": "2.0"], complete: 1)
        expectNotFeatures(.version2)
        try writeRoot(["format": "veery-features", "format_version": "10.0"], complete: 1)
        expectNotFeatures(.version10)
        try writeRoot(["format": "veery-features"], complete: 1)
        expectNotFeatures(.noVersion)
    }

    @Test func `another layout`() throws {
        try writeRoot(["format": "veery-features", "format_version": "1.0", "layout": "ragged"], complete: 1)
        expectNotFeatures(.otherLayout)
    }

    @Test func `a file that was never completed`() throws {
        do { _ = try SampleFile().begin(at: path) }
        try FileManager.default.moveItem(atPath: path + ".tmp", toPath: path)
        expectNotFeatures(.incomplete)
        try writeRoot(["format": "veery-features", "format_version": "1.0", "layout": "packed"], complete: 0)
        expectNotFeatures(.incomplete)
    }

    @Test func `a file that lacks its datasets names the first`() throws {
        try writeRoot(["format": "veery-features", "format_version": "1.0", "layout": "packed"], complete: 1)
        guard case .hdf5("opening /features", path, _, _)? = refusal(of: path) else {
            Issue.record("another error")
            return
        }
    }

    @Test func `a file cut off anywhere`() throws {
        try SampleFile(rowCounts: [300, 200], bins: 40).write(to: path)
        let whole = try Data(contentsOf: URL(filePath: path))
        for percent in [1, 10, 25, 50, 75, 90, 99] {
            try whole.prefix(whole.count * percent / 100).write(to: URL(filePath: path))
            expectNotFeatures(.cutOff)
        }
        try whole.dropLast().write(to: URL(filePath: path))
        expectNotFeatures(.cutOff)
    }
}
