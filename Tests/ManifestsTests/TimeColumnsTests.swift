import Messages
import Testing

@testable import Manifests

/// The times of a clip are read, or the manifest is refused or warned of: never is another part of a recording used silently.
struct TimeColumnsTests {
    @Test(arguments: [
        ("path,begin,end", "a.wav,1,2", "begin"), ("path,onset,duration", "a.wav,1,2", "onset"),
        ("path,start,stop", "a.wav,1,2", "stop"), ("path,start,dur", "a.wav,1,2", "dur"),
        ("path,Begin Time (s),end", "a.wav,1,2", "Begin Time (s)"),
        ("path,start_ms,duration", "a.wav,1000,2", "start_ms"),
        ("path,start,End-Time", "a.wav,1,2", "End-Time"), ("path;start;stop", "a.wav;0,5;0,9", "stop"),
        ("path;onset;end", "a.wav;0,5;0,9", "onset"), ("path,start,to", "a.wav,1,2", "to"),
        ("path,start,time_stop", "a.wav,1,2", "time_stop"), ("path,start,t_stop", "a.wav,1,2", "t_stop"),
        ("path,start,max_t", "a.wav,1,2", "max_t"), ("path,start,len", "a.wav,1,2", "len"),
        ("path,min_t,end", "a.wav,1,2", "min_t"), ("path,from,end", "a.wav,1,2", "from"),
        ("path,start,offset", "a.wav,1,2", "offset"), ("path,start,offset_s", "a.wav,1,2", "offset_s"),
        ("path,start,stop", "a.wav,0.5,\nb.wav,1.5,2.5", "stop"),
        ("path,onset,end", "a.wav,,0.5\nb.wav,1.5,2.5", "onset"),
        ("path,start,end_sample", "a.wav,1,32000", "end_sample"),
    ])
    func `a column for one end of a clip that is not read, where the other end is, is a problem`(
        header: String, row: String, name: String
    ) throws {
        let found = problems("\(header)\n\(row)\n")
        #expect(found.count == 1 && found.first?.line == 1)
        let text = try #require(found.first?.text)
        #expect(text.contains(RowSentence.column(name)) && text.contains(RowSentence.renaming), "\(text)")
    }

    @Test func `the manifests of NeMo and lhotse, whose offset is a start`() throws {
        let row = #"{"path":"a.wav","offset":1.0,"duration":2.0,"text":"x"}"#
        let text = try #require(problems(row + "\n", .jsonLines).first?.text)
        #expect(
            text.contains(
                RowSentence.column("offset", "where a clip starts, but only 'duration' \(RowSentence.renaming)start'")),
            "\(text)")
    }

    @Test(
        arguments: [
            ("path,id,onset_s,offset_s", "onset_s", "offset_s"), ("path,id,xmin,xmax", "xmin", "xmax"),
            ("path,id,start_time,end_time", "start_time", "end_time"),
            ("path,id,Begin Time (s),End Time (s)", "Begin Time (s)", "End Time (s)"),
            ("path,id,begin,offset", "begin", "offset"),
        ], ["a.wav,x,1,2", "a.wav,x,,\na.wav,y,1,2"])
    func `both under other names: a remark, since a recording may have such columns itself`(
        names: (header: String, start: String, end: String), rows: String
    ) throws {
        let (header, start, end) = names
        let remark = try #require(try scan("\(header)\n\(rows)\n").account.inWords.remarks.first)
        #expect(remark.kind == .timesUnread && remark.kind.isLoss && remark.count == 2)
        let quotes = start.contains(" ") ? "'" : ""
        #expect(
            remark.first == [
                "'\(start)' (--column \(quotes)start=\(start)\(quotes))",
                "'\(end)' (--column \(quotes)end=\(end)\(quotes))",
            ])
    }

    @Test(arguments: [
        "path,duration,stop\na.wav,0.5,0.9\n", "path;duration;stop\na.wav;0,5;0,9\n",
        "path,duration,stop\na.wav,0.5,\nb.wav,1.5,2.5\n", "path,duration,to\na.wav,0.5,0.9\n",
        "path,duration,stop_ms\na.wav,0.5,900\n",
    ])
    func `an end that disagrees with the duration`(text: String) throws {
        let problem = try #require(problems(text).first)
        #expect(problem.text.contains(RowSentence.byDuration), "\(problem.text)")
    }

    @Test func `columns that only later objects have`() throws {
        let first = #"{"path":"a.wav","start":0.5}"# + "\n"
        let text = first + #"{"path":"b.wav","start":1.5,"stop":2.5}"# + "\n"
        #expect(
            problems(text, .jsonLines).first?.text.contains(RowSentence.column("stop", "where a clip ends")) == true)
        let lengths = #"{"path":"a.wav","duration":0.5}"# + "\n" + #"{"path":"b.wav","duration":0.5,"stop":0.9}"# + "\n"
        #expect(problems(lengths, .jsonLines).first?.text.contains(RowSentence.byDuration) == true)
    }

    @Test(arguments: [
        ("path,start,end,onset,xmin", "a.wav,0,1,1,7"), ("path,label,onset", "a.wav,owl,early"),
        ("path,start_time,duration", "a.wav,05:30,2"), ("path,start,duration,offset", "a.wav,0,1,5"),
        ("path,dur,length", "a.wav,1,2"), ("path,start,stop", "a.wav,1,"), ("path,start,end,to", "a.wav,1,2,7"),
        ("path;duration;stop", "a.wav;0,5;0,5"), ("path,duration,stop_ms", "a.wav,0.5,500"),
        ("path,duration,end_sample", "a.wav,0.5,8000"),
    ])
    func `nothing is said of times that are read, of words, and of columns next to them`(header: String, row: String)
        throws
    {
        #expect(try scan("\(header)\n\(row)\n").account.isEmpty)
    }
}
