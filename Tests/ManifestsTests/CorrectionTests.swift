import FeatureModel
import FileIO
import TestSupport
import Testing

@testable import Manifests

/// What lines come to.
struct CorrectionStateTests {
    private static func equal(_ one: Corrections, _ other: Corrections) -> Bool {
        one.ids == other.ids && one.ids.allSatisfy { one[$0] == other[$0] }
    }

    @Test(arguments: 0..<50) func `lines taken in pieces come to the same as at once`(seed: UInt64) {
        var generator = CorrectionGenerator(seed: seed)
        let lines = generator.lines(60)
        for cut in 0...lines.count {
            var pieces = Corrections(lines[..<cut])
            for line in lines[cut...] { pieces.take(line) }
            #expect(Self.equal(pieces, Corrections(lines)))
        }
    }

    @Test(arguments: 0..<50) func `an undo restores what was before the line`(seed: UInt64) {
        var generator = CorrectionGenerator(seed: seed)
        var clip = ClipCorrections()
        for line in generator.lines(60) {
            let before = clip
            clip.take(line)
            guard line.correction.action != .undo else { continue }
            var undone = clip
            undone.take(NumberedCorrection(line: 99, Correction(id: "a", action: .undo)))
            #expect(undone == before)
        }
    }

    @Test(arguments: 0..<20) func `as many undos as lines leave nothing, and more do nothing`(seed: UInt64) {
        var generator = CorrectionGenerator(seed: seed)
        var clip = ClipCorrections()
        for line in generator.lines(30) { clip.take(line) }
        for number in 0..<40 { clip.take(NumberedCorrection(line: number, Correction(id: "a", action: .undo))) }
        #expect(clip == ClipCorrections())
        #expect(clip.labels(of: ["x", "y"]) == ["x", "y"] && !clip.isExcluded && !clip.isChecked && clip.note.isEmpty)
    }

    @Test(arguments: 0..<50) func `lines of other clips change nothing`(seed: UInt64) {
        var generator = CorrectionGenerator(seed: seed)
        let lines = generator.lines(80)
        let all = Corrections(lines)
        for id in all.ids {
            let own = lines.filter { $0.correction.id.utf8.elementsEqual(id.utf8) }
            #expect(Corrections(own)[id] == all[id])
        }
    }

    @Test func `later lines win`() {
        func state(_ actions: Correction.Action...) -> ClipCorrections {
            var clip = ClipCorrections()
            for (index, action) in actions.enumerated() {
                clip.take(NumberedCorrection(line: index, Correction(id: "a", action: action)))
            }
            return clip
        }
        #expect(state(.relabel("b"), .relabel("c")).labels(of: ["a"]) == ["c"])
        #expect(state(.add("b"), .add("b"), .remove("a")).labels(of: ["a"]) == ["b"])
        #expect(state(.add("b"), .relabel(""), .add("c")).labels(of: ["a"]) == ["c"])
        #expect(state(.relabel("b"), .add("c"), .undo).labels(of: ["a", "x"]) == ["b"])
        // Labels are equal if their bytes are.
        #expect(state(.add("e\u{301}")).labels(of: ["é"]).count == 2)
        #expect(state(.exclude, .include).isExcluded == false && state(.include, .exclude).isExcluded)
        #expect(state(.exclude, .checked, .undo).isExcluded && !state(.exclude, .checked, .undo).isChecked)
        #expect(state(.note("x"), .note("y")).note == "y" && state(.note("x"), .note("")).note.isEmpty)
    }
}

/// Files of corrections as they are read.
struct CorrectionFileTests {
    private static let header = "id,path,start,end,audio_xxh3,action,label,note,given,by\n"

    private func read(_ text: String) throws -> CorrectionFile {
        let folder = try TemporaryFolder()
        return try CorrectionFile(path: folder.write(text, to: "c.csv"))
    }

    private func problems(_ line: String) -> [String] {
        do {
            _ = try read(Self.header + line + "\n")
            return []
        } catch CorrectionError.badLines(_, let problems, _) {
            return problems.map { "\($0.line): \($0.text)" }
        } catch {
            return ["\(error)"]
        }
    }

    @Test(arguments: 0..<50) func `what is written is read`(seed: UInt64) throws {
        var generator = CorrectionGenerator(seed: seed)
        let corrections = (0..<40).map { _ in generator.correction() }
        let folder = try TemporaryFolder()
        let bytes = correctionBytes(corrections)
        let file = try CorrectionFile(path: folder.write(bytes, to: "c.csv"))
        #expect(file.lines.map(\.correction) == corrections && file.lines.map(\.line) == Array(2...41))
        #expect(file.torn.isEmpty)
        var hash = SHA256Hash()
        bytes.withUnsafeBytes { hash.update($0) }
        #expect(file.sha256 == hash.finish())
    }

    @Test(arguments: 0..<10) func `a file that is cut off anywhere has its whole lines`(seed: UInt64) throws {
        var generator = CorrectionGenerator(seed: seed)
        let corrections = (0..<3).map { _ in generator.correction() }
        let bytes = correctionBytes(corrections)
        let folder = try TemporaryFolder()
        for cut in correctionBytes([]).count...bytes.count {
            let file = try CorrectionFile(path: folder.write(Array(bytes[..<cut]), to: "c.csv"))
            let whole = (0...3).last { correctionBytes(Array(corrections[..<$0])).count <= cut } ?? 0
            #expect(file.lines.map(\.correction) == Array(corrections[..<whole]))
            let isTorn = cut > correctionBytes(Array(corrections[..<whole])).count
            #expect(file.torn == (isTorn ? [whole + 2] : []))
        }
    }

    @Test func `a last line whose quotation mark is open is torn`() throws {
        let file = try read(Self.header + "a,,,,,exclude,,,,\nb,,,,,note,,\"two\n")
        #expect(file.lines.map(\.correction.id) == ["a"] && file.torn == [3])
    }

    @Test func `a quotation mark that is open in the middle is an error`() {
        let found = problems("a,,,,,note,,\"two\nb,,,,,exclude,,,,\nc,,,,,exclude,,,,")
        #expect(found.count == 1 && found[0].hasPrefix("2: "), "\(found)")
    }

    @Test func `fields with line ends are read`() throws {
        let file = try read(Self.header + "a,,,,,note,,\"one\ntwo\",,\nb,,,,,exclude,,,,\n")
        #expect(file.lines.map(\.correction.action) == [.note("one\ntwo"), .exclude] && file.lines[1].line == 4)
    }

    @Test func `columns may be in another order, missing, between semicolons, after comments`() throws {
        let expected = [Correction(id: "a", part: CorrectedPart(start: 0.5), action: .relabel("b"))]
        for text in [
            "action,id,label,start\nrelabel,a,b,0.5\n", "# mine\nid;action;start;label\na;relabel;0,5;b\n",
            "\u{FEFF}id,action,label,start\r\na,relabel,b,0.5\r\n", "id\taction\tlabel\tstart\na\trelabel\tb\t0.5\n",
        ] {
            #expect(try read(text).lines.map(\.correction) == expected, "\(text)")
        }
    }

    @Test func `headers that are none are refused`() throws {
        #expect(throws: CorrectionError.self) { try read("") }
        #expect(throws: CorrectionError.self) { try read("\n\n") }
        #expect(throws: CorrectionError.self) { try read("id,action") }
        #expect(throws: CorrectionError.self) { try read("{\"id\": \"a\"}\n") }
        func refusal(_ text: String) -> CorrectionError? {
            do {
                _ = try read(text)
                return nil
            } catch { return error as? CorrectionError }
        }
        guard case .unknownColumn(_, "lable", "label") = refusal("id,action,lable\n") else {
            Issue.record("\(String(describing: refusal("id,action,lable\n")))")
            return
        }
        guard case .missingColumn(_, "action") = refusal("id,label\n") else {
            Issue.record("\(String(describing: refusal("id,label\n")))")
            return
        }
        guard case .badTable(.duplicateColumn) = refusal("id,action,id\n") else {
            Issue.record("\(String(describing: refusal("id,action,id\n")))")
            return
        }
    }

    @Test(arguments: [
        (",,,,,exclude,,,,", "id is empty"), ("a,,,,,relable,x,,,", "did you mean 'relabel'?"),
        ("a,,,,,,,,,", "expected one of relabel, add"), ("a,,x,,,exclude,,,,", "start is 'x'"),
        ("a,,,-1,,exclude,,,,", "end is '-1'"), ("a,,,,12,exclude,,,,", "audio_xxh3 is '12'"),
        ("a,,,,size:1;mtime:x,exclude,,,,", "audio_xxh3 is"), ("a,,,,,exclude,x,,,", "exclude has no label"),
        ("a,,,,,exclude,,x,,", "exclude has no note"), ("a,,,,,add,,,,", "add has no label"),
        ("a,,,,,exclude", "has 6 fields"), ("a,,,,,exclude,,,,,", "has 11 fields"),
    ])
    func `a line that is none is named`(line: String, text: String) {
        let found = problems("b,,,,,exclude,,,,\n" + line)
        #expect(found.count == 1 && found[0].hasPrefix("3: ") && found[0].contains(text), "\(found)")
    }

    @Test func `all bad lines are named at once`() {
        #expect(problems("a,,,,,x,,,,\nb,,,,,exclude,,,,\nc,,,,,y,,,,").count == 2)
    }
}
