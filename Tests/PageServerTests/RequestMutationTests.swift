import TestSupport
import Testing

@testable import PageServer

/// Requests that were changed in any way.
struct RequestMutationTests {
    private struct Generator {
        var random: RandomSource

        mutating func pick<Element>(_ values: [Element]) -> Element {
            values[Int(random.next() % UInt64(values.count))]
        }

        private static let pieces: [String] = [
            "/", "..", ".", "%2e", "%2f", "%5c", "%00", "%", "?", "&", "=", "#", "+", "\\", "\0", " ", "\t", ";", ":",
            ",", "@", "localhost", "127.0.0.1",
            "[::1]", "veery_80", "token", "a.example", "é", "%c3%a9", "%ff", "0", "99999", "POST", "null", "http://",
        ]

        mutating func mutated(_ text: String) -> String {
            var scalars = Array(text.unicodeScalars)
            for _ in 0..<pick([1, 1, 2, 5]) {
                let at = Int(random.next() % UInt64(scalars.count + 1))
                switch pick([0, 1, 2, 3]) {
                case 0: scalars.insert(contentsOf: pick(Self.pieces).unicodeScalars, at: at)
                case 1 where at < scalars.count: scalars[at] = Unicode.Scalar(UInt8(truncatingIfNeeded: random.next()))
                case 2: scalars.removeSubrange(at..<min(at + pick([1, 2, 9]), scalars.count))
                default: scalars.removeSubrange(at...)
                }
            }
            var view = String.UnicodeScalarView()
            view.append(contentsOf: scalars)
            return String(view)
        }
    }

    private static func escaped(_ text: String) -> String {
        text.utf8.map { byte in "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }

    @Test func `an address that is taken names no other path, and is the same when it is escaped`() {
        var generator = Generator(random: RandomSource(seed: 37))
        let targets = [
            "/", "/api/clips/17/sound.wav?before=0.5&after=1", "/api/clips/0/values?frames=2000&undo=1", "/page.js",
            "/a%20b/c+d?e=f+g&h=%26",
        ]
        var taken = 0
        for _ in 0..<10_000 {
            let text = generator.mutated(generator.pick(targets))
            guard let target = RequestTarget(text) else { continue }
            taken += 1
            #expect(
                text.first == "/" && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "\(text.debugDescription)")
            for part in target.path {
                #expect(
                    part != "" && part != "." && part != ".." && !part.contains("/") && !part.contains("\\"), "\(text)")
            }
            let texts = target.path + target.query.flatMap { [$0.name, $0.value] }
            #expect(texts.allSatisfy { $0.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }, "\(text)")
            var again = "/" + target.path.map(Self.escaped).joined(separator: "/")
            if !target.query.isEmpty {
                again +=
                    "?"
                    + target.query.map { Self.escaped($0.name) + "=" + Self.escaped($0.value) }.joined(separator: "&")
            }
            #expect(RequestTarget(again) == target, "\(text) \(again)")
        }
        #expect((1000...9000).contains(taken))
    }

    @Test func `a request that is taken has the token, a name of this machine, and an origin if it changes something`()
    {
        var generator = Generator(random: RandomSource(seed: 38))
        let rules = RequestRules(token: AccessToken())
        let lines: [RequestHead.Line] = [
            ("Host", "localhost:80"), ("Cookie", "a=b; veery_80=\(rules.token.text); c"),
            ("Origin", "http://localhost:80"),
            ("Content-Type", "application/json"), ("Accept", "*/*"),
        ].map { RequestHead.Line(name: $0.0, value: $0.1) }
        var (taken, signedIn) = (0, 0)
        for _ in 0..<10_000 {
            var (method, target, own) = (
                generator.pick(["GET", "POST", "POST", "HEAD"]),
                generator.pick(["/api/a?b=c", "/", "/?token=\(rules.token.text)"]), lines
            )
            switch generator.pick([0, 1, 2, 3, 4]) {
            case 0: method = generator.mutated(method)
            case 1: target = generator.mutated(target)
            case 2: own.remove(at: generator.pick(Array(own.indices)))
            case 3: own.append(generator.pick(own))
            default:
                let index = generator.pick(Array(own.indices))
                own[index] = RequestHead.Line(
                    name: generator.pick([true, false]) ? own[index].name : generator.mutated(own[index].name),
                    value: generator.mutated(own[index].value))
            }
            let head = RequestHead(method: method, target: target, lines: own)
            guard let admission = try? rules.admit(head) else { continue }
            let hosts = head.values("host")
            #expect(hosts.count == 1 && LoopbackHost(hosts[0]) != nil && ["GET", "HEAD", "POST"].contains(method))
            switch admission {
            case .admitted(let request):
                taken += 1
                #expect(head.values("cookie").contains { $0.contains(rules.token.text) }, "\(own)")
                #expect(request.method.rawValue == method && request.body.isEmpty)
                if method == "POST" {
                    #expect(
                        head.values("origin").map { $0.lowercased() } == ["http://\(hosts[0].lowercased())"], "\(own)")
                    #expect(head.values("content-type").count == 1)
                }
            case .signedIn(let cookieName, _):
                signedIn += 1
                #expect(
                    method != "POST" && target.contains(rules.token.text)
                        && cookieName == "veery_\(LoopbackHost(hosts[0])?.port ?? 0)")
            }
        }
        #expect(taken > 2000 && signedIn > 500)
    }
}
