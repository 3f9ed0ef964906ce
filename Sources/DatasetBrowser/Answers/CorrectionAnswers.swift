import FeatureModel
import Manifests
import PageRequests

enum CorrectionAnswers {
    static func lines(_ lines: CorrectionStore.Lines) -> PageResponse {
        .json { json in
            json.member("next", lines.count)
            json.member("lines", of: lines.lines.enumerated()) { json, line in
                let correction = line.element.correction
                json.object { json in
                    json.member("line", lines.first + line.offset)
                    json.member("clip", line.element.clip)
                    json.member("action", correction.action.name.rawValue)
                    json.member("label", correction.action.label)
                    json.member("note", correction.action.note)
                    json.member("given", correction.given)
                    json.member("by", correction.by)
                }
            }
        }
    }
}
