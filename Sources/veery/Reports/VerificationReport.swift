import FeatureStorage
import Presentation

struct VerificationReport: Encodable {
    let file: String
    let clips: Int
    let findings: [FeatureReader.Finding]

    var sound: Bool { findings.isEmpty }

    func encode(to encoder: any Encoder) throws {
        let findings = findings.map { JSONObject(entries: ["clip": $0.clip, "text": $0.description]) }
        try JSONObject(entries: ["file": file, "sound": sound, "clips": clips, "findings": findings])
            .encode(to: encoder)
    }

    var text: String {
        guard !sound else {
            return "\(file): complete and consistent: every value of \(Wording.count(clips, "clip")) is finite "
                + "and matches its checksum\n"
        }
        let lines = findings.map { finding in
            ((finding.clip.map { "  clip '\($0)': " } ?? "  ") + finding.description).printable
        }
        return "\(file): damaged:\n" + lines.joined(separator: "\n") + "\n"
    }
}
