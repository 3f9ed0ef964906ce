import FeatureModel
import Foundation
import TestSupport
import Testing

@testable import AudioDecoding

struct MachineErrorTests {
    @Test func `the system's words are recognised in those of libsndfile`() {
        for code in [
            EMFILE, ENFILE, ENOMEM, ESTALE, ENOTCONN, ENODEV, ENXIO, ETIMEDOUT, EHOSTDOWN, ECONNABORTED, ECONNRESET,
        ] {
            let words = "System error : \(String(cString: strerror(code)))."
            #expect(MachineError.isNamed(in: words) && MachineError.isSystem(words), "\(words)")
        }
        let sector = "System error : \(String(cString: strerror(EIO)))."
        #expect(!MachineError.isNamed(in: sector) && MachineError.isSystem(sector))
        #expect(!MachineError.isNamed(in: "System error : Permission denied."))
        #expect(!MachineError.isNamed(in: "Format not recognised."))
    }

    @Test func `a recording that is not there, or is none, has only itself to blame`() throws {
        let folder = try TemporaryFolder()
        for name in ["gone.wav", try folder.write("no recording", to: "text.wav")] {
            let failure = #expect(throws: ClipFailure.self) { try SoundFile(path: folder.path(name)) }
            #expect(failure?.isOfMachine == false)
        }
    }
}
