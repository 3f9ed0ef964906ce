import FeatureStorage
import Presentation

struct VerificationReport: Encodable {
    struct Finding: Encodable {
        let clip: String?
        let text: String
    }

    let file: String
    let sound: Bool
    let clips: Int
    let findings: [Finding]

    init(file: String, clips: Int, findings: [FeatureReader.Finding]) {
        self.file = file
        self.clips = clips
        sound = findings.isEmpty
        self.findings = findings.map { Finding(clip: $0.clip, text: $0.description) }
    }

    var text: String {
        guard !sound else {
            return "\(file): complete and consistent: every value of \(Wording.count(clips, "clip")) is finite "
                + "and matches its checksum\n"
        }
        let lines = findings.map { finding in
            ((finding.clip.map { "  clip '\($0)': " } ?? "  ") + finding.text).printable
        }
        return "\(file): damaged:\n" + lines.joined(separator: "\n") + "\n"
    }
}
