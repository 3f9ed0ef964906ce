import AudioDecoding
import FeatureModel
import Platform
import Resampling
import SignalProcessing

/// A property of a machine that decides the last digits of some features.
package enum MachineTrait: String, CaseIterable, Codable, CodingKeyRepresentable, Sendable {
    case architecture
    case libsndfile, mpg123, vorbis, opus, ffmpeg, soxr
    case fftw
    case cLibrary = "c_library"

    /// Those that decide values of a plan, in clips that some libraries decoded.
    ///
    /// The program's own transforms, windows, filter banks and scales have equal bits on all processors of an architecture, and a
    /// plain WAV is read without a library: then the architecture alone is left.
    static func deciding(_ plan: FeaturePlan, decodedBy libraries: Set<DecodingLibrary>) -> [MachineTrait] {
        allCases.filter { trait in
            switch trait {
            case .architecture: true
            case .libsndfile: libraries.contains(.libsndfile)
            case .mpg123: libraries.contains(.mpg123)
            case .vorbis: libraries.contains(.vorbis)
            case .opus: libraries.contains(.opus)
            case .ffmpeg: libraries.contains(.ffmpeg)
            case .soxr: libraries.contains(.soxr)
            case .fftw: plan.usesFFTW
            // Its pow; nothing else of it is used for values.
            case .cLibrary: plan.configuration.scale.pcen != nil
            }
        }
    }
}

/// What decides the last digits of features on a machine: a text for each trait, with the version of a library and, where it
/// chooses its functions by the processor, what it chose.
package struct MachineTraits: Hashable, Codable, Sendable {
    /// The instructions of the program's own loops, which all give the same bits: for a reader, and never compared.
    package let loops: String
    /// The texts; of ffmpeg, only where it may have to read recordings.
    package let texts: [MachineTrait: String]

    /// Keeps the values.
    package init(loops: String, texts: [MachineTrait: String]) {
        (self.loops, self.texts) = (loops, texts)
    }

    /// Those of a machine of which nothing is known.
    static let unknown = MachineTraits(loops: "unknown", texts: [:])

    /// Those of this machine.
    ///
    /// - Parameter ffmpeg: The version of ffmpeg; nil: it reads no recordings.
    package static func here(ffmpeg: String?) -> MachineTraits {
        let versions = Dictionary(
            SoftwareVersions.all(transform: nil, usesFFTW: true, ffmpeg: ffmpeg).map { ($0.name, $0.version) },
            uniquingKeysWith: { $1 }
        )
        let present = ProcessorInstructions.allCases.filter(\.arePresent).map(\.rawValue)
        func with(_ instructions: [String]) -> String {
            instructions.isEmpty ? "" : " with \(instructions.joined(separator: ", "))"
        }
        var texts: [MachineTrait: String] = [
            .architecture: architecture,
            .libsndfile: "libsndfile \(versions["libsndfile"] ?? "")",
            .mpg123: LinkedDecoders.mpg123,
            .vorbis: LinkedDecoders.vorbis,
            .opus: LinkedDecoders.opus,
            .soxr: "libsoxr \(versions["soxr"] ?? "")",
            .fftw: versions["fftw"].map {
                "FFTW \($0)" + with(transformInstructions(of: transformLibraryVersion() ?? ""))
            }
                ?? "",
            .cLibrary: cLibrary + with(powerInstructions),
        ]
        // It has functions for many sets of instructions, and may take any that the processor has.
        texts[.ffmpeg] = ffmpeg.map { "ffmpeg \($0)" + with(present) }
        return MachineTraits(loops: instructionSet(), texts: texts)
    }

    private static var architecture: String {
        #if arch(x86_64)
            "x86-64"
        #elseif arch(arm64)
            "ARM64"
        #else
            "another architecture"
        #endif
    }

    /// Name and version of the C library.
    private static var cLibrary: String {
        #if canImport(Glibc)
            var text = [CChar](repeating: 0, count: 64)
            let count = confstr(Int32(_CS_GNU_LIBC_VERSION), &text, text.count)
            if count > 1, count <= text.count {
                return String(decoding: text.prefix(count - 1).map { UInt8(bitPattern: $0) }, as: UTF8.self)
            }
        #endif
        return "the system's C library"
    }

    /// The instructions of glibc's `pow`, which it chooses in this order.
    private static var powerInstructions: [String] {
        if ProcessorInstructions.fma.arePresent, ProcessorInstructions.avx2.arePresent { return ["fma"] }
        return ProcessorInstructions.fma4.arePresent ? ["fma4"] : []
    }
}
