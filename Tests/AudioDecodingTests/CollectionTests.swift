import FeatureModel
import FileIO
import Foundation
import TestSupport
import Testing

@testable import AudioDecoding

@Suite(.needsCollection)
struct CollectionTests {
    /// A folder of the collection.
    private func collection(_ name: String) throws -> URL {
        try Fixtures.collection().appending(path: name)
    }

    /// The rows of a CSV file, by column.
    private func table(_ url: URL) throws -> [[String: String]] {
        var rows: [[String]] = [[""]]
        var isQuoted = false
        var previous: Character = ","
        for character in try String(contentsOf: url, encoding: .utf8) {
            let row = rows.count - 1
            switch character {
            case "\"":
                // Two quotes within quotes are one.
                if !isQuoted, previous == "\"" { rows[row][rows[row].count - 1].append(character) }
                isQuoted.toggle()
            case "," where !isQuoted: rows[row].append("")
            case "\n" where !isQuoted, "\r\n" where !isQuoted: rows.append([""])
            default: rows[row][rows[row].count - 1].append(character)
            }
            previous = character
        }
        let header = rows[0]
        return rows.dropFirst().filter { $0.count == header.count }.map {
            Dictionary(uniqueKeysWithValues: zip(header, $0))
        }
    }

    @Test func `every format is read as libsndfile reports it, and holds the sound of the reference`() throws {
        let folder = try collection("formats")
        let rows = try table(folder.appending(path: "manifest.csv"))
        #expect(rows.count == 97)
        let decoder = try decoder(.first)
        func decoded(_ name: String) throws(ClipFailure) -> Reading {
            try decoder.read(folder.appending(path: name).path)
        }
        let mono = try decoded("ref_mono_s16.wav").decoded
        let stereo = try decoded("ref_stereo_s16.wav").decoded
        var compared = 0
        for row in rows {
            let name = row["file"] ?? ""
            guard let rate = row["samplerate"].flatMap(Int.init), let channels = row["channels"].flatMap(Int.init),
                let frames = row["frames"].flatMap(Int.init)
            else {
                let failure = decoder.failure(folder.appending(path: name).path)
                // Where ffmpeg is installed it may read them.
                if !MediaFile.isNamed(name) || FFmpegPrograms.installed == nil {
                    #expect(failure?.stage == .open, "\(name)")
                }
                continue
            }
            let reading: Reading
            do {
                reading = try decoded(name)
            } catch {
                Issue.record("\(name): \(error)")
                continue
            }
            #expect(reading.found?.sampleRate == rate && reading.found?.channels == channels, "\(name)")
            #expect(reading.decoded.count == frames * channels && reading.signal.count == frames, "\(name)")
            guard let allowed = row["max_abs_diff_to_ref"].flatMap(Float.init) else { continue }
            let reference = row["kind"] == "stereo" || channels == 2 ? stereo : mono
            if row["kind"] == "channels" { continue }
            let difference = zip(reading.decoded, reference).map { abs($0 - $1) }.max() ?? 1
            // The list has three digits.
            #expect(difference <= allowed * 1.005 + 1e-6, "\(name): \(difference) instead of \(allowed)")
            compared += 1
        }
        #expect(compared > 70)
    }

    @Test func `of many channels, each is the reference turned a little further`() throws {
        let folder = try collection("formats")
        let mono = try decoder().read(folder.appending(path: "ref_mono_s16.wav").path).signal
        for row in try table(folder.appending(path: "manifest.csv")) where row["kind"] == "channels" {
            let path = folder.appending(path: row["file"] ?? "").path
            for channel in 0..<(row["channels"].flatMap(Int.init) ?? 0) {
                let shift = 1200 * channel
                #expect(
                    try decoder().read(path, channel: channel).signal == Array(mono[shift...] + mono[..<shift]),
                    "\(path)")
            }
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `a damaged recording gives samples or a failure, never a crash`() throws {
        let folder = try collection("broken")
        let rows = try table(folder.appending(path: "manifest.csv"))
        #expect(rows.count > 100)
        for row in rows {
            let name = row["file"] ?? ""
            guard !name.hasPrefix("labels/") else { continue }
            let path = folder.appending(path: name).path
            var failure: ClipFailure?
            var reading: Reading?
            let decoder = try decoder()
            do throws(ClipFailure) { reading = try decoder.read(path) } catch { failure = error }
            switch row["expect"] {
            case "error": #expect(failure != nil, "\(name) was read")
            case "ok", "short":
                #expect(
                    failure == nil && reading?.signal.isEmpty == false, "\(name): \(failure.map { "\($0)" } ?? "empty")"
                )
            case "empty": #expect(failure == .noSamples || failure == .isEmptyFile, "\(name)")
            case "bad-samples": #expect(failure?.kind == .nonFiniteSample, "\(name)")
            case "either": break
            default: Issue.record("\(name): expect is '\(row["expect"] ?? "")'")
            }
            #expect(reading?.signal.allSatisfy(\.isFinite) ?? true)
            if let failure { #expect(!failure.reason.isEmpty && !failure.reason.contains("\n"), "\(name)") }
        }
    }
}
