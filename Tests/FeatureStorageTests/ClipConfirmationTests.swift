import FeatureModel
import FileIO
import Foundation
import TestSupport
import Testing

@testable import FeatureStorage

/// Clips that are confirmed by their bytes on several threads, against what is found through libhdf5 on one.
struct ClipConfirmationTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("features.h5")
    }

    private static let forms: [(Int?, PatchShape?)] = [
        (nil, nil), (2, nil), (nil, PatchShape(length: 4, hop: 2, isStacked: false)),
        (nil, PatchShape(length: 4, hop: 4, isStacked: true)),
    ]

    /// What is found through libhdf5 alone, and by any number of threads.
    private func findings(most: Int = 100) throws -> [FeatureReader.Finding] {
        let found = try FeatureFile(path: path).verify(most: most, jobs: 1, nil)
        for jobs in [1, 2, 7] {
            let reader = try FeatureReader(path: path)
            // Otherwise nothing is compared.
            _ = try #require(try ClipConfirmation(reader.files.first))
            #expect(try reader.verify(most: most, jobs: jobs) == found, "\(jobs) jobs")
        }
        return found
    }

    /// Flips a bit of the file.
    private func flip(_ byte: Int, bit: Int = 0) throws {
        let file = try FileHandle(forUpdating: URL(filePath: path))
        try file.seek(toOffset: UInt64(byte))
        let value = try #require(try file.read(upToCount: 1)?.first)
        try file.seek(toOffset: UInt64(byte))
        try file.write(contentsOf: Data([value ^ UInt8(1 << bit)]))
        try file.close()
    }

    @Test(arguments: StoreConfiguration.all, forms)
    func `sound clips of every layout are confirmed, and their rows are those of libhdf5`(
        store: StoreConfiguration, form: (channels: Int?, patch: PatchShape?)
    ) throws {
        let file = SampleFile.full(store, channels: form.channels, patch: form.patch)
        try file.write(to: path)
        let reader = try FeatureReader(path: path)
        #expect(reader.shape == file.shape)
        #expect(try findings().isEmpty)
        let confirmation = try #require(try ClipConfirmation(reader.files.first))
        let (end, others) = confirmation.unconfirmed(from: 0, most: 100, jobs: 2)
        #expect(end == 60 && others.isEmpty)
        let tensor = TensorReader(try #require(try reader.storedRows()))
        var random = RandomSource(seed: 5)
        for _ in 0..<50 {
            let first = Int.random(in: 0...reader.rows, using: &random)
            let range = first..<Int.random(in: first...reader.rows, using: &random)
            let (found, expected) = (try tensor.rows(range).values, try reader.rows(range).values)
            #expect(found.map(\.bitPattern) == expected.map(\.bitPattern))
        }
        for range in [-1..<1, 0..<reader.rows + 1] { #expect(throws: StorageError.self) { _ = try tensor.rows(range) } }
    }

    @Test(arguments: StoreConfiguration.all, forms)
    func `damage in rows is found in the order of clips, in the same words`(
        store: StoreConfiguration, form: (channels: Int?, patch: PatchShape?)
    ) throws {
        let file = SampleFile.full(store, channels: form.channels, patch: form.patch)
        try file.write(to: path)
        let reader = try FeatureReader(path: path)
        // The middle of chunks, and of rows; the exponent of a value, in the middle of what is stored.
        let offsets =
            if let offset = try reader.featuresOffset() {
                (0..<6).map { offset + file.shape.rows * $0 / 6 * file.shape.rowBytes + 3 }
            } else {
                try reader.files.first.storedChunks().sorted { $0.offset < $1.offset }.enumerated()
                    .filter { $0.offset % 9 == 4 }.map { $0.element.offset + $0.element.byteCount / 2 }
            }
        for (number, offset) in offsets.enumerated() { try flip(offset, bit: 5 + number % 2) }
        let found = try findings()
        #expect(Set(found.map(\.clip)).count > 2)
        let order = found.compactMap { finding in file.clips.firstIndex { $0.id == finding.clip } }
        #expect(order == order.sorted() && order.count == found.count)
        #expect(try findings(most: 2) == Array(found.prefix(try findings(most: 2).count)))
    }

    @Test func `damage in any column is found in the same words`() throws {
        let file = SampleFile.full(StoreConfiguration())
        try file.write(to: path)
        let reader = try FeatureReader(path: path)
        let intact = try Data(contentsOf: URL(filePath: path))
        let arrays = try reader.files.first.storedArrays().filter {
            $0.dataset.hasPrefix("/clips/") || $0.dataset == FrameLabels.dataset
        }
        #expect(arrays.count > 20)
        for array in arrays {
            let (offset, count) = (try #require(array.offset), try #require(array.byteCount))
            for (index, bit) in [(0, 0), (count / 2, 7), (count / 3, 5), (count - 1, 1)] {
                try intact.write(to: URL(filePath: path))
                try flip(offset + index, bit: bit)
                #expect(try !findings().isEmpty, "\(array.dataset), byte \(index), bit \(bit)")
            }
        }
    }

    @Test(arguments: [StoreConfiguration(), StoreConfiguration(layout: .fixed, element: .float16)])
    func `padding that is wrong, and values that are not finite, are found in the same words`(
        store: StoreConfiguration
    ) throws {
        var file = SampleFile(rowCounts: Array(repeating: 5, count: 40)).stored(store)
        for (clip, value) in [(3, Float.nan), (7, .infinity), (8, -.infinity)] {
            let range = clip * 15..<clip * 15 + 15
            file.values[range.lowerBound + 4] = value
            file.change(clip, tensorChecksum: SampleFile.checksum(of: Array(file.values[range]), store.element))
        }
        try file.write(to: path)
        let reader = try FeatureReader(path: path)
        if store.layout == .fixed {
            // Behind clip 20: a row of 3 values of 2 bytes.
            try flip(try #require(try reader.featuresOffset()) + (20 * reader.shape.frames + 5) * 6)
        }
        let found = try findings()
        #expect(
            found.map(\.clip) == ["clip-3", "clip-7", "clip-8"] + (store.layout == .fixed ? ["clip-20"] : []))
    }

    @Test func `rows that clips leave out or share are found in the same words`() throws {
        var file = SampleFile(rowCounts: Array(repeating: 4, count: 50))
        file.change(4, frameCount: 5, tensorChecksum: file.checksum(of: 16..<21))
        file.change(20, frameCount: 3, tensorChecksum: file.checksum(of: 80..<83))
        file.change(30, frameStart: Int.max)
        file.change(40, frameCount: Int(Int32.max))
        file.change(41, frameStart: -1)
        try file.write(to: path)
        #expect(
            Set(try findings().map(\.clip))
                == Set([5, 21, 30, 31, 40, 41, 42].map { "clip-\($0)" }))
    }

    @Test func `many threads end early where enough is found`() throws {
        var file = SampleFile(rowCounts: Array(repeating: 1, count: 3000))
        for clip in file.clips.indices { file.change(clip, tensorChecksum: "") }
        try file.write(to: path)
        #expect(try findings(most: 7).map(\.clip) == (0..<7).map { "clip-\($0)" })
        let confirmation = try #require(try ClipConfirmation(FeatureFile(path: path)))
        let (end, others) = confirmation.unconfirmed(from: 2, most: 7, jobs: 2)
        #expect(others == Array(2..<end) && end < 1500)
    }

    @Test(arguments: StoreConfiguration.all) func `a file that becomes shorter while it is read causes no crash`(
        store: StoreConfiguration
    ) throws {
        let file = SampleFile(rowCounts: Array(repeating: 300, count: 40), bins: 6).stored(store)
        try file.write(to: path)
        let size = try #require(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
        for share in [0.0, 0.3, 0.7, 0.99] {
            try file.write(to: path)
            let reader = try FeatureReader(path: path)
            let tensor = TensorReader(try #require(try reader.storedRows()))
            let file = try FileHandle(forUpdating: URL(filePath: path))
            try file.truncate(atOffset: UInt64(Double(size) * share))
            try file.close()
            // What is cut off last need not be rows.
            if share < 0.5 { #expect(throws: StorageError.self) { _ = try tensor.rows(0..<reader.rows) } }
            let outcome = Result { try reader.verify(jobs: 2) }
            switch outcome {
            case .success(let findings): #expect(!findings.isEmpty)
            case .failure(let error): #expect("\(error)".contains(path))
            }
        }
    }

    @Test func `numbers of another type are left to libhdf5`() throws {
        try SampleFile().write(to: path)
        let reader = try FeatureReader(path: path)
        #expect(try reader.files.first.file.exactOffset(of: "/features", Float.self) != nil)
        #expect(try reader.files.first.file.exactOffset(of: "/features", Int32.self) == nil)
        #expect(try reader.files.first.file.exactOffset(of: "/clips/frame_start", Double.self) == nil)
        #expect(try reader.files.first.file.exactOffset(of: "/clips/id", Double.self) == nil)
        #expect(try reader.files.first.file.exactOffset(of: "/clips/id", textWidth: 6) != nil)
        #expect(try reader.files.first.file.exactOffset(of: "/clips/id", textWidth: 5) == nil)
        #expect(try reader.files.first.file.exactOffset(of: "/clips/start", textWidth: 8) == nil)
    }
}
