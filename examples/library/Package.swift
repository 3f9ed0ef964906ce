// swift-tools-version: 6.1
import PackageDescription

// From elsewhere, the first line of dependencies is .package(url: "https://…/veery", from: "0.2.0").
let package = Package(
    name: "features",
    platforms: [.macOS(.v15)],
    // Without its traits, SignalProcessing needs no system library. The trait FFTW is for transform.engine: fftw.
    dependencies: [.package(name: "veery", path: "../..", traits: [])],
    targets: [
        .executableTarget(
            name: "features",
            dependencies: [
                .product(name: "SignalProcessing", package: "veery")
            ])
    ],
    swiftLanguageModes: [.v6]
)
