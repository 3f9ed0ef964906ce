import Testing

@testable import Manifests

/// Where a clip lies is read, or the manifest is refused or warned of: never is another piece of a recording taken in silence.
@Suite("Columns of times under other names")
struct TimeColumnsTests {
    @Test(
        "one end of a clip that is not read beside another that is, is a problem",
        arguments: [
            ("path,begin,end", "a.wav,1,2", "begin"), ("path,onset,duration", "a.wav,1,2", "onset"),
            ("path,start,stop", "a.wav,1,2", "stop"), ("path,start,dur", "a.wav,1,2", "dur"),
            ("path,Begin Time (s),end", "a.wav,1,2", "Begin Time (s)"),
            ("path,start_ms,duration", "a.wav,1000,2", "start_ms"),
            ("path,start,End-Time", "a.wav,1,2", "End-Time"),
        ])
    func half(header: String, row: String, name: String) throws {
        let found = problems("\(header)\n\(row)\n")
        #expect(found.count == 1 && found.first?.line == 1)
        let text = try #require(found.first?.text)
        #expect(text.contains("the column '\(name)' seems to be"), "\(text)")
        #expect(text.contains("is read: rename it to '"), "\(text)")
    }

    @Test("the manifests of NeMo and lhotse, whose offset is a start")
    func offset() throws {
        let row = #"{"path":"a.wav","offset":1.0,"duration":2.0,"text":"x"}"#
        let text = try #require(problems(row + "\n", .jsonLines).first?.text)
        #expect(text.contains("'offset' seems to be where a clip starts, but only 'duration' is read"), "\(text)")
        #expect(text.contains("rename it to 'start'"), "\(text)")
    }

    @Test(
        "both under other names: a remark, since a recording may have such columns itself",
        arguments: [
            ("path,id,onset_s,offset_s", "onset_s", "offset_s"), ("path,id,xmin,xmax", "xmin", "xmax"),
            ("path,id,start_time,end_time", "start_time", "end_time"),
            ("path,id,Begin Time (s),End Time (s)", "Begin Time (s)", "End Time (s)"),
        ])
    func both(header: String, start: String, end: String) throws {
        let remark = try #require(try scan("\(header)\na.wav,x,1,2\n").account.remarks.first)
        #expect(remark.kind == .timesUnread && remark.count == 2)
        #expect(remark.first == ["'\(start)' ('start')", "'\(end)' ('end')"])
    }

    @Test(
        "nothing is said of times that are read, of words, and of columns beside them",
        arguments: [
            ("path,start,end,onset,xmin", "a.wav,0,1,1,7"), ("path,label,onset", "a.wav,owl,early"),
            ("path,start_time,duration", "a.wav,05:30,2"), ("path,start,duration,offset", "a.wav,0,1,5"),
            ("path,dur,length", "a.wav,1,2"),
        ])
    func silent(header: String, row: String) throws {
        #expect(try scan("\(header)\n\(row)\n").account.isEmpty)
    }
}
