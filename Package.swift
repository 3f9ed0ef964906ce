// swift-tools-version: 6.1
import PackageDescription

/// A system library found through pkg-config, with the packages that provide it.
func systemLibrary(_ name: String, pkgConfig: String, apt: String, brew: String) -> Target {
    .systemLibrary(
        name: name,
        path: "Sources/SystemLibraries/\(name)",
        pkgConfig: pkgConfig,
        providers: [.apt([apt]), .brew([brew])])
}

/// The tests of one module.
func test(_ module: String, _ others: [Target.Dependency] = []) -> Target {
    .testTarget(name: "\(module)Tests", dependencies: [.target(name: module), "TestSupport"] + others)
}

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")
let mustache = Target.Dependency.product(name: "Mustache", package: "swift-mustache")

let package = Package(
    name: "veery",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "veery", targets: ["veery"]),
        .library(name: "SignalProcessing", targets: ["SignalProcessing", "FeatureModel"]),
        .library(name: "FeatureStorage", targets: ["FeatureStorage", "FeatureModel"]),
        .library(name: "FeaturePipeline", targets: ["FeaturePipeline", "SignalProcessing", "FeatureModel"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.0"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
    ],
    targets: [
        systemLibrary("CSndfile", pkgConfig: "sndfile", apt: "libsndfile1-dev", brew: "libsndfile"),
        systemLibrary("CSoxr", pkgConfig: "soxr", apt: "libsoxr-dev", brew: "libsoxr"),
        systemLibrary("CFFTW", pkgConfig: "fftw3", apt: "libfftw3-dev", brew: "fftw"),
        systemLibrary("CHDF5", pkgConfig: "hdf5", apt: "libhdf5-dev", brew: "hdf5"),
        systemLibrary("CCairo", pkgConfig: "cairo", apt: "libcairo2-dev", brew: "cairo"),
        systemLibrary("CFontconfig", pkgConfig: "fontconfig", apt: "libfontconfig-dev", brew: "fontconfig"),
        systemLibrary("CPNG", pkgConfig: "libpng", apt: "libpng-dev", brew: "libpng"),
        systemLibrary("CDeflate", pkgConfig: "libdeflate", apt: "libdeflate-dev", brew: "libdeflate"),
        systemLibrary("CXXHash", pkgConfig: "libxxhash", apt: "libxxhash-dev", brew: "xxhash"),
        systemLibrary("CNettle", pkgConfig: "nettle", apt: "nettle-dev", brew: "nettle"),

        .target(name: "CKernels"),
        .target(name: "CProcess"),
        .target(name: "FeatureModel"),
        .target(name: "Presentation", dependencies: ["FeatureModel"]),
        .target(name: "CChecksums", dependencies: ["CXXHash"]),
        .target(name: "Checksums", dependencies: ["CChecksums", "CXXHash", "CNettle"]),
        .target(name: "ConfigurationFiles", dependencies: ["FeatureModel", yams]),
        .target(name: "Manifests", dependencies: ["FeatureModel", "Checksums"]),
        .target(name: "AudioDecoding", dependencies: ["FeatureModel", "CKernels", "CSndfile", "CSoxr"]),
        .target(name: "SignalProcessing", dependencies: ["FeatureModel", "CKernels", "CFFTW"]),
        .target(name: "FeatureStorage", dependencies: ["FeatureModel", "Checksums", "CKernels", "CHDF5", "CDeflate"]),
        .target(
            name: "Plotting", dependencies: ["FeatureModel", "Presentation", "CCairo", "CFontconfig", "CPNG"],
            exclude: ["README.md"]),
        .target(name: "Terminal"),
        .target(
            name: "FeaturePipeline",
            dependencies: [
                "FeatureModel", "Presentation", "Checksums", "Manifests", "AudioDecoding", "SignalProcessing",
                "FeatureStorage",
            ]),
        .target(
            name: "DatasetReports",
            dependencies: ["FeatureModel", "Presentation", "FeaturePipeline", "FeatureStorage", "Plotting", mustache]),
        .executableTarget(
            name: "veery",
            dependencies: [
                "FeatureModel", "Presentation", "ConfigurationFiles", "Manifests", "AudioDecoding", "SignalProcessing",
                "FeatureStorage", "FeaturePipeline", "DatasetReports", "Plotting", "Terminal", "CProcess",
                argumentParser,
            ]),

        .target(name: "TestSupport", dependencies: ["FeatureModel"], path: "Tests/TestSupport"),
        test("FeatureModel"),
        test("Presentation", ["FeatureModel"]),
        test("Checksums", ["CChecksums"]),
        test("ConfigurationFiles", ["FeatureModel"]),
        test("Manifests", ["FeatureModel"]),
        test("AudioDecoding", ["FeatureModel"]),
        test("SignalProcessing", ["FeatureModel", "CKernels"]),
        test("FeatureStorage", ["FeatureModel", "CKernels"]),
        test("Plotting", ["FeatureModel", "Presentation"]),
        test("Terminal"),
        test("FeaturePipeline", ["FeatureModel", "FeatureStorage", "Manifests", "ConfigurationFiles"]),
        test("DatasetReports", ["FeatureModel", "FeaturePipeline", "FeatureStorage", "Manifests", "Plotting"]),
        .testTarget(
            name: "CommandTests",
            dependencies: ["FeatureModel", "Presentation", "FeatureStorage", "Terminal", "TestSupport", "veery"]),
    ],
    swiftLanguageModes: [.v6]
)

// `make fuzz` alone: see Tests/Fuzz/README.md. libFuzzer has a main function of its own, so the program and its tests are left out.
if Context.environment["VEERY_FUZZ"] != nil {
    package.products = []
    package.targets.removeAll { ["veery", "CommandTests"].contains($0.name) }
    package.targets += [
        .executableTarget(
            name: "Fuzz",
            dependencies: [
                "FeatureModel", "Checksums", "ConfigurationFiles", "Manifests", "AudioDecoding", "FeatureStorage",
                "FeaturePipeline", "Plotting", "Presentation", "Terminal",
            ],
            path: "Tests/Fuzz", exclude: ["README.md", "seeds.py"])
    ]
}
