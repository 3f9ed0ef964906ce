/// A library, package or font that may be part of the program, from `Resources/components.tsv`.
struct Component {
    let name: String
    /// An SPDX expression.
    let licence: String

    /// By the file of the component: an archive such as `libpng.a`, a Swift package, a font.
    static let all: [String: Component] = {
        var all: [String: Component] = [:]
        for line in String(decoding: PackageResources.components_tsv, as: UTF8.self).split(separator: "\n") {
            let fields = line.split(separator: "\t").map(String.init)
            guard line.first != "#", fields.count == 4 else { continue }
            all[fields[0]] = Component(name: fields[1], licence: fields[2])
        }
        return all
    }()

    /// What is in every build: the Swift runtime, which on macOS is the system's, and the packages.
    static var compiledIn: [String] {
        #if os(Linux)
            let runtime = ["swift", "lib_FoundationICU.a"]
        #else
            let runtime: [String] = []
        #endif
        return runtime + [
            "swift-argument-parser", "swift-atomics", "swift-collections", "swift-mustache", "swift-nio", "yams",
        ]
    }

    /// The names that the archive of a shared library may have, the most probable first: `libpng16.a` and `libpng.a` for
    /// `libpng16.so.16`.
    static func archives(of sharedLibrary: String) -> [String] {
        let stem = sharedLibrary.split(separator: ".").first.map(String.init) ?? sharedLibrary
        // Debian's HDF5 has the kind of its parallelism in the name.
        let plain = stem.replacing("_serial", with: "").replacing("gcc_s", with: "gcc")
        let unnumbered = String(plain.reversed().drop(while: \.isNumber).reversed())
        return [stem, plain, unnumbered].map { $0 + ".a" }
    }
}
