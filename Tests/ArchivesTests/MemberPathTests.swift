import Testing

@testable import Archives

struct MemberPathTests {
    @Test func `a path is divided after the first archive's extension that the separator follows`() throws {
        let divided: [(String, String, String)] = [
            ("a.tar::b.wav", "a.tar", "b.wav"), ("/x/a.TAR.GZ::./d/b.wav", "/x/a.TAR.GZ", "./d/b.wav"),
            ("a::b.zip::c::d.wav", "a::b.zip", "c::d.wav"), ("a.tgz::b.zip::c", "a.tgz", "b.zip::c"),
            ("ü.tar.zst::名.wav", "ü.tar.zst", "名.wav"), ("a.tar:::b", "a.tar", ":b"),
        ]
        for (path, archive, member) in divided {
            let found = try #require(MemberPath(path))
            #expect(found.archive == archive && found.member == member, "\(path)")
        }
        let whole = [
            "a.tar", "a.tar::", "a.tar:b", "a.wav::b", "::b", ".tar::b", "d/.zip::b", "tar::b", "", "a.tar.txt::b",
        ]
        for path in whole {
            #expect(MemberPath(path) == nil, "\(path)")
        }
    }

    @Test func `an archive's name without its extension is that of a folder`() {
        let stems = [
            "a.tar": "a", "x/a.b.tar.gz": "x/a.b", "a.TGZ": "a", "a.zip": "a", "a.tar.zst": "a", "a.tar.zip": "a.tar",
        ]
        for (path, stem) in stems { #expect(MemberPath.stem(of: path) == stem) }
        for path in ["a.gz", "a.zst", ".tar", "x/.tar.gz", "tar", "a.tarx"] {
            #expect(MemberPath.stem(of: path) == nil, "\(path)")
        }
    }

    @Test func `a name that leads out of the archive's folder is unsafe`() {
        for name in ["../a", "a/../b", "/a", "..", "a/..", "\\a", "..\\a", "./../a", ""] {
            #expect(MemberPath.isUnsafe(name), "\(name)")
        }
        for name in ["a", "./a", "a..b/c", "a/...", "..a"] { #expect(!MemberPath.isUnsafe(name), "\(name)") }
    }
}
