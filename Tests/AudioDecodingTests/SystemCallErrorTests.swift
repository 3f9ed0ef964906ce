import FeatureModel
import FileIO
import Foundation
import TestSupport
import Testing

@testable import AudioDecoding

struct SystemErrorTests {
    @Test func `codes that every recording would meet are faults`() {
        for code in [
            EMFILE, ENFILE, ENOMEM, ESTALE, ENOTCONN, ENODEV, ENXIO, ETIMEDOUT, EHOSTDOWN, ECONNABORTED, ECONNRESET,
        ] {
            #expect(SystemCallError(code).isFault && SystemCallError(lookingUp: code).isFault, "\(code)")
            #expect(SystemCallError(code).message == String(cString: strerror(code)))
        }
        for code in [ENOENT, EACCES, ELOOP, 0] {
            #expect(!SystemCallError(code).isFault && !SystemCallError(lookingUp: code).isFault, "\(code)")
        }
        // A bad sector is that of one recording, unless not even names can be looked up.
        #expect(!SystemCallError(EIO).isFault && SystemCallError(lookingUp: EIO).isFault)
        // The file that holds unpacked data of an archive during a run is not a recording.
        #expect(SystemCallError(writing: SystemError(code: EIO)).isFault)
        // The words are stored with the clip's failure: advice would not belong there.
        #expect(SystemCallError(EIO).message == String(cString: strerror(EIO)))
    }

    @Test func `a library's words replace those of the system, and the code is kept`() {
        let error = SystemCallError(EMFILE, words: "System error : x")
        #expect(error.message == "System error : x" && error.code == EMFILE && error.isFault)
    }

    @Test func `a recording that is missing, or not a recording, is not a fault of the machine`() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write("no recording", to: "text.wav")
        for (name, kind) in [("gone.wav", ClipFailure.Kind.cannotOpen), ("text.wav", .notDecodable)] {
            let failure = #expect(throws: ClipFailure.self) { try SoundFile(path: folder.path(name)) }
            #expect(failure?.isSystemFault == false && failure?.kind == kind)
        }
    }
}
