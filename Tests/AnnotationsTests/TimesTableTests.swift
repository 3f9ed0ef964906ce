import TestSupport
import Testing

@testable import Annotations

struct TimesTableTests {
    @Test(arguments: [
        ("onset_s,offset_s,label\n1,2,a\n", "1.0-2.0 a"),
        ("onset_ms,offset_ms,label\n1000,2500,a\n", "1.0-2.5 a"),
        ("label,onset_sample,offset_sample\na,1000,2500\n", "1.0-2.5 a"),
        ("filename,label,start,end,freq_min,freq_max\nx.wav,a,1,2,10,20\n", "1.0-2.0 a 10.0…20.0 Hz in x.wav"),
        ("filename\tonset\toffset\tevent_label\nx.wav\t1\t2\ta\n", "1.0-2.0 a in x.wav"),
        ("start;end;label\n0,5;1,5;a\n", "0.5-1.5 a"),
        ("begin time,end time,species,min_freq_khz\n1,2,a,1.5\n", "1.0-2.0 a 1500.0… Hz"),
        ("offset,duration,label\n1,2,a\n", "1.0-3.0 a"),
        ("start_time,stop_time,name,score\n1,2,a,0.5\n", "1.0-2.0 a (0.5)"),
        (
            "id,det_prob,start_time,end_time,high_freq,low_freq,class,class_prob\n0,0.65,1,2,57609,28906,a,0.6\n",
            "1.0-2.0 a 28906.0…57609.0 Hz (0.65)"
        ),
        ("file,start,end\nx.wav,0 days 00:00:01,0 days 00:01:02.500000\n", "1.0-62.5  in x.wav"),
        (",name,start_seconds,stop_seconds\n0,e,1.5,2\n", "1.5-2.0 e"),
        (
            "input,start_time,end_time,species_name,confidence\nx.wav,00:00:03.00,00:00:06.00,A_b,0.7\n",
            "3.0-6.0 A_b in x.wav (0.7)"
        ),
    ])
    func `columns are found by their usual names and units`(text: String, row: String) throws {
        let found = try content(text, name: "a.csv")
        #expect(found.kind == .times)
        var plain = try #require(found.content.rows.first)
        plain.extra = []
        #expect(found.content.rows.count == 1 && shown(plain) == row)
        #expect(found.content.problems.isEmpty)
    }

    @Test func `hours and minutes are whole numbers, seconds may have decimals`() {
        for (text, seconds) in [
            ("1:30.5", 90.5), ("1:02:03.5", 3723.5), ("0 days 00:00:05", 5), ("1.5", 1.5), ("1.5:00", nil),
            ("1.5:00:00", nil), ("1:2.5:00", nil),
        ] as [(String, Double?)] {
            #expect(FieldNumber.time(text) == seconds, "\(text)")
        }
    }

    @Test func `crowsetta's generic CSV: samples are exact, seconds are rounded`() throws {
        let text = """
            label,onset_s,offset_s,onset_sample,offset_sample,notated_path,annot_path,sequence,annotation
            a,7.146,7.23,7146,7230,1.wav,x/Annotation.xml,0,132
            b,1.5,2,48000,64000,1.wav,x/Annotation.xml,0,132
            """
        let found = try content(text, name: "a.csv").content
        #expect(found.columns == ["sequence", "annotation"])
        let rounded = found.rows[0].times.resolved(rate: 1000)
        #expect(rounded?.range == .init(start: 7.146, end: 7.23) && rounded?.isOtherRate == false)
        #expect(found.rows[1].times.resolved(rate: 32_000)?.isOtherRate == false)
        let other = found.rows[1].times.resolved(rate: 1000)
        #expect(other?.range == .init(start: 1.5, end: 2) && other?.isOtherRate == true)
    }

    @Test func `columns and units are named`() throws {
        let text = "t,dt,what,where\n100,50,a,x.wav\n"
        let found = try content(text, name: "a.csv") {
            ($0.startColumn, $0.durationColumn, $0.labelColumn, $0.pathColumn) = ("t", "dt", "what", "where")
            $0.timeUnit = .milliseconds
        }.content
        #expect(found.shownRows == ["0.1-0.15 a in x.wav"] && found.columns.isEmpty)
        let samples = try content("on,off\n100,150\n", name: "a.csv") {
            ($0.startColumn, $0.endColumn, $0.timeUnit) = ("on", "off", .samples)
        }.content
        #expect(samples.shownRows == ["0.1-0.15 "] && !samples.hasLabels)
        let wrong = try content(text, name: "a.csv", format: "times") {
            ($0.startColumn, $0.endColumn) = ("T0", "t1")
        }.content
        #expect(wrong.shownProblems.count >= 2 && wrong.shownProblems[0].contains("'T0', which --start-column names"))
        let none = try content("a,b\n1,2\n", format: "times").content
        #expect(none.shownProblems[0].contains("expected columns of starts"))
    }

    @Test func `all problems are reported with their lines`() throws {
        let found = try content(
            "start,end,label\n1,2,a\n2,1,b\nx,3,c\n4,,d\n5,6,e,f\n7,8\n9,10,\"open\n11,12,\"g, h\"\n", name: "a.csv"
        ).content
        #expect(
            found.shownProblems == [
                "3: \(AnnotationSentence.backwards("annotation", end: "1.0", start: "2.0"))",
                "4: start is 'x'; \(AnnotationSentence.noSeconds)", "5: end is ''; \(AnnotationSentence.noSeconds)",
                "6: \(TableSentence.fields("4 fields", header: 3)); put a field that holds the delimiter in quotation marks",
                "7: \(TableSentence.fields("2 fields", header: 3))",
                "8: \(AnnotationSentence.notCSV(delimiter: "commas")) and each on one line, found '9,10,\"open'",
            ])
        #expect(found.shownRows == ["1.0-2.0 a", "11.0-12.0 g, h"])
    }

    @Test func `a manifest is read as annotations, and other tables are refused`() throws {
        #expect(throws: AnnotationError.self) {
            try content("filename,fold,target,category\na.wav,1,0,dog\n", name: "a.csv")
        }
        #expect(throws: AnnotationError.self) { try content("Begin Time End Time Species\n1 2 x\n") }
        #expect(try content("path,onset,offset,label\na.wav,1,2,x\n", name: "a.csv").kind == .times)
    }
}
