import Foundation
import TestSupport
import Testing

@testable import Annotations

struct RavenTableTests {
    @Test func `rows of one selection in several views are one; the spectrogram's counts`() throws {
        let found = try content(
            """
            Selection\tView\tChannel\tBegin Time (s)\tEnd Time (s)\tLow Freq (Hz)\tHigh Freq (Hz)\tSpecies\tdistance
            1\tWaveform 1\t1\t1\t2\t0\t24000\twren\tnear
            1\tSpectrogram 1\t1\t1\t2\t500\t900\twren\tnear
            2\tSpectrogram 1\t1\t3\t4\t500\t900\trobin\t
            2\tSpectrogram 2\t1\t3\t4\t500\t900\trobin\t
            3\tWaveform 1\t1\t5\t6\t0\t24000\tonly here\tfar
            """)
        #expect(found.kind == .raven)
        #expect(found.content.columns == ["Selection", "distance"])
        #expect(
            found.content.shownRows == [
                "1.0-2.0 wren 500.0…900.0 Hz [\"1\", \"near\"]", "3.0-4.0 robin 500.0…900.0 Hz [\"2\", \"\"]",
                "5.0-6.0 only here 0.0…24000.0 Hz [\"3\", \"far\"]",
            ])
    }

    @Test func `channels count from 1, and the same times in two are two rows`() throws {
        let text = """
            Selection\tView\tChannel\tBegin Time (s)\tEnd Time (s)\tSpecies
            1\tWaveform 1\t1\t1\t2\twren
            1\tSpectrogram 1\t1\t1\t2\twren
            1\tSpectrogram 2\t2\t1\t2\twren
            2\tSpectrogram 2\t2\t3\t4\trobin
            """
        #expect(try content(text).content.rows.map(\.channel) == [0, 1, 1])
        let mixed = try content(text) { $0.usesChannels = false }.content
        #expect(mixed.rows.map(\.channel) == [nil, nil])
        for wrong in ["0", "x", "1.5", "-1"] {
            let found = try content(text.replacingOccurrences(of: "2\t3\t4", with: "\(wrong)\t3\t4")).content
            #expect(
                found.shownProblems.first?.contains("5: Channel is '\(wrong)'; expected a whole number from 1") == true)
            #expect(found.rows.map(\.line) == [3, 4], "a row with a problem is not an annotation")
        }
    }

    @Test func `the user names the column of labels`() throws {
        let text = "Begin Time (s)\tEnd Time (s)\tSpecies\tdistance\n1\t2\twren\tnear\n"
        let found = try content(text) { $0.labelColumn = "Distance " }.content
        #expect(found.shownRows == ["1.0-2.0 near [\"wren\"]"])
        let wrong = try content(text) { $0.labelColumn = "call" }.content
        #expect(wrong.rows.isEmpty)
        #expect(
            wrong.shownProblems[0].contains("1: there is no column 'call', which --label-column names; the columns are")
        )
        let none = try content("Begin Time (s)\tEnd Time (s)\twhat\n1\t2\twren\n").content
        #expect(!none.hasLabels && none.shownRows == ["1.0-2.0  [\"wren\"]"])
    }

    @Test func `all problems are reported at once, with their lines`() throws {
        let found = try content(
            """
            Begin Time (s)\tEnd Time (s)\tSpecies
            abc\t2\tx
            3\t1\tx

            nan\tinf\tx
            0,5\t1,25\tdecimal comma
            1,2,x
            1\t2\tx\tsurplus
            1\t2
            """
        ).content
        #expect(
            found.shownProblems == [
                "2: Begin Time (s) is 'abc'; \(AnnotationSentence.noSeconds)",
                "3: \(AnnotationSentence.backwards("selection", end: "1.0 s", start: "3.0 s"))",
                "5: Begin Time (s) is 'nan'; \(AnnotationSentence.noSeconds)",
                "5: End Time (s) is 'inf'; \(AnnotationSentence.noSeconds)",
                "7: \(TableSentence.fields("1 field", header: 3))",
                "8: \(TableSentence.fields("4 fields", header: 3))",
            ])
        #expect(found.shownRows == ["0.5-1.25 decimal comma", "1.0-2.0 "])
        let missing = try content("Selection\tView\tLow Freq (Hz)\n1\tSpectrogram 1\t2\n").content
        #expect(
            missing.problems.count == 2
                && missing.shownProblems[1].contains(AnnotationSentence.noColumn("End Time (s)")))
    }

    @Test func `a selection with a problem is one in all its views`() throws {
        let found = try content(
            """
            Selection\tView\tChannel\tBegin Time (s)\tEnd Time (s)
            1\tWaveform 1\t1\t3\t1
            1\tSpectrogram 1\t1\t3\t1
            2\tSpectrogram 1\t1\t3\t1
            3\tWaveform 1\t0\t1\t2
            3\tSpectrogram 1\t0\t1\t2
            4\tWaveform 1\t1\t1\t2
            """
        ).content
        #expect(found.problems.map(\.line) == [2, 4, 5] && found.rows.map(\.line) == [7])
    }

    @Test func `times of several recordings need offsets unless they overlap`() throws {
        let rows = "Begin Time (s)\tEnd Time (s)\tBegin File\n1\t2\tx.wav\n3\t4\t"
        #expect(try content(rows + "y.wav\n").content.shownProblems.first?.contains("'File Offset (s)'") == true)
        #expect(try content(rows + "x.wav\n").content.problems.isEmpty)
        #expect(try content(rows + "y.wav\n2\t3\ty.wav\n4\t5\tx.wav\n").content.problems.isEmpty)
    }

    @Test(arguments: [
        "Begin Time (s)\tEnd Time (s)\tFile Offset (s)\tLow Freq (Hz)\tHigh Freq (Hz)",
        "Begin Time\tEnd Time\tFile Offset\tLow Freq\tHigh Freq",
        "Begin.Time..s.\tEnd.Time..s.\tFile.Offset..s.\tLow.Freq..Hz.\tHigh.Freq..Hz.",
        "begin time (S)\tend_time_s\tfile_offset\tlow_freq\thigh_freq",
    ])
    func `names of columns may lack the unit, or have other marks`(names: String) throws {
        for file in ["Begin File", "Begin.File", "begin_file"] {
            let found = try content(
                "\(names)\tChannel\t\(file)\tSpecies\n35\t35.3\t5\t2000\t6000\t1\ta.wav\twren\n"
                    + "95\t95.3\t5.5\t2000\t6000\t2\tb.wav\twren\n")
            #expect(found.kind == .raven && found.content.problems.isEmpty)
            #expect(
                found.content.shownRows == [
                    "5.0-5.299999999999997 wren 2000.0…6000.0 Hz in a.wav",
                    "5.5-5.799999999999997 wren 2000.0…6000.0 Hz in b.wav",
                ])
            #expect(found.content.rows.map(\.channel) == [0, 1])
        }
    }

    @Test func `an offset that is the time with fewer decimals changes nothing`() throws {
        let found = try content(
            "Begin Time (s)\tEnd Time (s)\tFile Offset (s)\tBegin File\n1.169354927\t1.342388377\t1.169\ta.wav\n"
                + "2.5\t3\t1.5\tb.wav\n")
        #expect(found.content.shownRows == ["1.169354927-1.342388377  in a.wav", "1.5-2.0  in b.wav"])
        let inKilohertz = try content("Begin Time\tEnd Time\tFile Offset\tHigh Freq (kHz)\n1\t2\t1\t8\n").content
        #expect(inKilohertz.rows.first?.high == 8000)
    }

    @Test func `points group digits in a table whose numbers have decimal commas, and are decimal in others`() throws {
        let header = "Begin Time (s)\tEnd Time (s)\tLow Freq (Hz)\tHigh Freq (Hz)\tSpecies\n"
        let rows = "1,5\t2,25\t2.000,5\t6.000,0\twren\n3,5\t4,25\t2.000\t16.000\twren\n"
        let commas = try content(header + rows).content
        #expect(commas.shownRows == ["1.5-2.25 wren 2000.5…6000.0 Hz", "3.5-4.25 wren 2000.0…16000.0 Hz"])
        #expect(commas.account.remarks.isEmpty)
        let points = try content(header + "1.500\t2.25\t2.000\t16.000\ta, b\n3\t4\t1\t2\t1,5\n").content
        #expect(points.shownRows == ["1.5-2.25 a, b 2.0…16.0 Hz", "3.0-4.0 1,5 1.0…2.0 Hz"])
        // Commas may group digits, too, and lists have them: then points are decimal, which one number of the table may show.
        for (low, channel, end) in [("2,100", "1", "13.5"), ("2,100", "1", "0.512"), ("300", "1,2", "13.010")] {
            let found = try content(
                "Begin Time (s)\tEnd Time (s)\tLow Freq (Hz)\tChannels\n12.345\t\(end)\t\(low)\t\(channel)\n"
            ).content
            let text = "\(found.shownRows) \(found.problems)"
            #expect(text.contains("12.345") && !text.contains("12345"), "\(low) \(channel) \(end)")
        }
        let times = try content("onset;offset;label;fmin\n1,5;2;x;1.200\n1.234;1.300,5;y;10\n", name: "a.csv").content
        #expect(times.shownRows.first == "1.5-2.0 x 1200.0… Hz" && times.shownRows.last == "1234.0-1300.5 y 10.0… Hz")
        for text in ["2.00,5", "1.2.3,5", "2,000.5", ".000,5", "1.0000,5"] {
            #expect(FieldNumber.read(text, decimalComma: true) == nil, "\(text)")
        }
        #expect(FieldNumber.read("12.345.678,25", decimalComma: true) == 12_345_678.25)
        #expect(
            FieldNumber.read("-0,5", decimalComma: true) == -0.5 && FieldNumber.read(",5", decimalComma: true) == 0.5)
    }

    @Test func `a header between commas, quoted headers, UTF-16, and a table without rows`() throws {
        let commas = try content("Selection,Begin Time (s),End Time (s),Species\n1,1,2,\"a, b\"\n", name: "a.csv")
        #expect(commas.kind == .raven && commas.content.rows.map(\.label) == ["a, b"])
        let quoted = try content("\"Begin Time (s)\"\t\"End Time (s)\"\t\"Species\"\n1\t2\t\"wren\"\n").content
        #expect(quoted.rows.map(\.label) == ["wren"])
        let text = "Begin Time (s)\tEnd Time (s)\tSpecies\r\n1\t2\tZaunkönig\r\n"
        for (mark, isBig) in [([0xFE, 0xFF] as [UInt8], true), ([0xFF, 0xFE], false), ([], false)] {
            let bytes = text.utf16.flatMap {
                isBig ? [UInt8($0 >> 8), UInt8($0 & 255)] : [UInt8($0 & 255), UInt8($0 >> 8)]
            }
            let table = try AnnotationTable(
                document: AnnotationDocument(path: "a.txt", bytes: mark + bytes), options: AnnotationOptions())
            #expect(table.content.rows.map(\.label) == ["Zaunkönig"])
        }
        let empty = try content("Selection\tView\tBegin Time (s)\tEnd Time (s)\tSpecies\t\n")
        #expect(empty.kind == .raven && empty.content.rows.isEmpty && empty.content.problems.isEmpty)
    }

    @Test func `Windows-1252 is read with a remark, and bytes that it does not have are refused`() throws {
        func table(_ byte: UInt8) throws -> AnnotationTable {
            let bytes = Array("Begin Time (s)\tEnd Time (s)\tSpecies\n1\t2\tZaunk".utf8) + [byte] + Array("nig\n".utf8)
            return try AnnotationTable(
                document: AnnotationDocument(path: "a.txt", bytes: bytes), options: AnnotationOptions())
        }
        let latin = try table(0xF6)
        #expect(latin.content.rows.map(\.label) == ["Zaunkönig"])
        #expect(latin.content.account.count(of: .encodingsAssumed) == 1)
        #expect(throws: AnnotationError.self) { try table(0x81) }
    }
}

struct AudacityLabelsTests {
    @Test func `problems come with what can be read`() throws {
        let found = try content(
            "\\\t1000.0\t2000.0\n0.1\t0.4\tA\nnonsense\n2\t1\tB\n0.5\t0.5\tclick\n\\\t-1\t900\n0,7\t0,9\n"
        ).content
        #expect(
            found.shownProblems == [
                "1: frequencies without a label in the line above",
                "3: \(AnnotationSentence.noLabel(found: "nonsense"))",
                "4: \(AnnotationSentence.backwards("label", end: "1.0 s", start: "2.0 s"))",
            ])
        #expect(found.shownRows == ["0.1-0.4 A", "0.5-0.5 click …900.0 Hz", "0.7-0.9 "])
        // Those of a label with a problem are not given to the label before it.
        let later = try content("0.1\t0.4\tA\n2\t1\tB\n\\\t1000.0\t2000.0\n").content
        #expect(later.problemCount == 1 && later.shownRows == ["0.1-0.4 A"])
        let empty = try content("")
        #expect(empty.kind == .audacity && empty.content.rows.isEmpty)
    }
}
