// swift-tools-version: 6.2
import PackageDescription

/// A system library found through pkg-config. Named apart from the project's own, which one package may not have twice.
func systemLibrary(_ name: String, pkgConfig: String) -> Target {
    .systemLibrary(name: name, path: "Sources/SystemLibraries/\(name)", pkgConfig: pkgConfig)
}

let package = Package(
    name: "kernels",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "veery", path: "../../..")],
    targets: [
        systemLibrary("BareSndfile", pkgConfig: "sndfile"),
        systemLibrary("BareFFTW", pkgConfig: "fftw3f"),
        systemLibrary("BareSoxr", pkgConfig: "soxr"),
        .target(name: "CBare", dependencies: ["BareSndfile", "BareFFTW", "BareSoxr"]),
        .executableTarget(
            name: "kernels",
            dependencies: [
                "CBare", .product(name: "ClipFeatures", package: "veery"),
                .product(name: "FeatureStorage", package: "veery"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
