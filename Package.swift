// swift-tools-version: 6.2
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

/// Set by .ci/build where Foundation is linked statically.
let icuTables = [Context.environment["VEERY_ICU_TABLES"] ?? ""].filter { !$0.isEmpty }
    .map { CSetting.define("VEERY_ICU_TABLES", to: $0) }

let package = Package(
    name: "veery",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "veery", targets: ["veery"]),
        .library(name: "SignalProcessing", targets: ["SignalProcessing", "FeatureModel"]),
        .library(name: "FeatureStorage", targets: ["FeatureStorage", "FeatureModel"]),
        // What .ci/library links to libveery, the library with a C interface.
        .library(name: "VeeryObjects", type: .static, targets: ["VeeryInterface"]),
        .library(name: "ClipFeatures", targets: ["ClipFeatures", "SignalProcessing", "FeatureModel"]),
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
        systemLibrary("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev", brew: "zlib"),
        systemLibrary("CZstd", pkgConfig: "libzstd", apt: "libzstd-dev", brew: "zstd"),
        systemLibrary("CExpat", pkgConfig: "expat", apt: "libexpat1-dev", brew: "expat"),
        systemLibrary("CDeflate", pkgConfig: "libdeflate", apt: "libdeflate-dev", brew: "libdeflate"),
        systemLibrary("CXXHash", pkgConfig: "libxxhash", apt: "libxxhash-dev", brew: "xxhash"),
        systemLibrary("CNettle", pkgConfig: "nettle", apt: "nettle-dev", brew: "nettle"),

        .target(name: "Platform"),
        .target(name: "Essentials"),
        .target(name: "CSpawn"),
        .target(name: "FileIO", dependencies: ["FeatureModel", "Platform", "CSpawn"]),
        .target(name: "Archives", dependencies: ["FeatureModel", "Platform", "FileIO", "CZlib", "CZstd"]),
        .target(name: "CKernels"),
        .target(name: "CForkLocks"),
        .target(name: "CMemory"),
        .target(name: "CLoader"),
        .target(name: "CTables", cSettings: icuTables),
        .target(name: "CProcess"),
        .target(name: "FeatureModel", resources: [.embedInCode("Resources")]),
        .target(name: "Presentation", dependencies: ["FeatureModel"]),
        .target(name: "CChecksums", dependencies: ["CXXHash"]),
        .target(name: "Checksums", dependencies: ["CChecksums", "CXXHash", "CNettle"]),
        .target(name: "ConfigurationFiles", dependencies: ["FeatureModel", "Essentials", "FileIO", "Platform", yams]),
        .target(name: "Concurrency", dependencies: ["FeatureModel", "Platform"]),
        .target(name: "Manifests", dependencies: ["FeatureModel", "FileIO", "Platform", "Checksums", "Archives"]),
        .target(name: "DatasetFormats", dependencies: ["FeatureModel", "FileIO", "Platform", "Archives", "Manifests"]),
        .target(name: "DatasetSplits", dependencies: ["FeatureModel", "Manifests", "Checksums"]),
        .target(name: "Annotations", dependencies: ["FeatureModel", "Essentials", "FileIO", "Manifests", "CExpat"]),
        .target(
            name: "AudioDecoding",
            dependencies: [
                "FeatureModel", "FileIO", "Platform", "Archives", "CKernels", "CLoader", "Resampling", "CSndfile",
            ]),
        .target(name: "Resampling", dependencies: ["FeatureModel", "CSoxr"]),
        .target(
            name: "SignalProcessing",
            dependencies: ["FeatureModel", "Platform", "CKernels", "CForkLocks", "CMemory", "CFFTW"]),
        .target(
            name: "ClipFeatures",
            dependencies: ["FeatureModel", "FileIO", "Concurrency", "AudioDecoding", "Resampling", "SignalProcessing"]),
        .target(name: "CVeery"),
        .target(
            name: "VeeryInterface",
            dependencies: [
                "FeatureModel", "Essentials", "SignalProcessing", "Resampling", "Platform", "CForkLocks", "CMemory",
                "CVeery",
            ]),
        .target(name: "ClipSpool", dependencies: ["FeatureModel", "FileIO", "Platform", "Checksums"]),
        .target(
            name: "FeatureStorage",
            dependencies: [
                "FeatureModel", "Essentials", "FileIO", "Platform", "Checksums", "Concurrency", "CKernels", "ClipSpool",
                "CHDF5",
                "CDeflate",
            ]),
        .target(
            name: "FeatureExport",
            dependencies: [
                "FeatureModel", "Essentials", "FileIO", "Platform", "Checksums", "Archives", "Concurrency",
                "FeatureStorage",
            ]),
        .target(
            name: "Plotting",
            dependencies: ["FeatureModel", "Presentation", "FileIO", "Platform", "CCairo", "CFontconfig", "CPNG"],
            exclude: ["README.md"],
            resources: [.embedInCode("Resources")]),
        .target(name: "Terminal", dependencies: ["Platform", "Presentation"]),
        .target(
            name: "Conformance",
            dependencies: [
                "FeatureModel", "FileIO", "Platform", "Archives", "Concurrency", "Manifests", "AudioDecoding",
                "SignalProcessing",
            ]),
        .target(
            name: "DatasetExtraction",
            dependencies: [
                "FeatureModel", "Essentials", "Platform", "FileIO", "Checksums", "Archives", "Presentation",
                "Concurrency", "Manifests",
                "Annotations", "AudioDecoding", "Resampling", "SignalProcessing", "ClipFeatures", "ClipSpool",
                "FeatureStorage",
            ]),
        .target(
            name: "LiveAnalysis",
            dependencies: [
                "FeatureModel", "Essentials", "FileIO", "Platform", "Checksums", "Presentation", "Concurrency",
                "Manifests",
                "AudioDecoding", "SignalProcessing", "ClipFeatures", "ClipSpool", "FeatureStorage", "DatasetExtraction",
            ]),
        .target(
            name: "DatasetInspection",
            dependencies: [
                "FeatureModel", "Essentials", "Platform", "FileIO", "Checksums", "Archives", "Presentation",
                "Concurrency", "CKernels",
                "Manifests",
                "AudioDecoding", "SignalProcessing", "ClipFeatures", "ClipSpool", "FeatureStorage",
            ]),
        .target(
            name: "DatasetChecks",
            dependencies: [
                "FeatureModel", "Essentials", "FileIO", "Platform", "Checksums", "Archives", "Presentation",
                "Concurrency",
                "Manifests",
                "AudioDecoding", "ClipFeatures", "DatasetExtraction", "DatasetInspection", "DatasetSplits",
            ]),
        .target(
            name: "Messages",
            dependencies: [
                "FeatureModel", "Presentation", "FileIO", "Platform", "Archives", "Manifests", "Annotations",
                "AudioDecoding",
                "ConfigurationFiles", "Conformance", "FeatureExport", "DatasetChecks", "DatasetExtraction",
                "LiveAnalysis",
            ]),
        .target(
            name: "DatasetReports",
            dependencies: [
                "FeatureModel", "Essentials", "Platform", "FileIO", "Manifests", "Presentation", "Messages",
                "Concurrency",
                "FeatureStorage",
                "DatasetInspection", "Plotting",
                mustache,
            ],
            resources: [.embedInCode("Resources")]),
        .executableTarget(
            name: "veery",
            dependencies: [
                "FeatureModel", "Essentials", "Platform", "ConfigurationFiles", "Manifests", "DatasetFormats",
                "DatasetSplits", "AudioDecoding",
                "SignalProcessing",
                "Presentation", "Messages", "Concurrency", "ClipFeatures", "ClipSpool", "FeatureStorage",
                "DatasetExtraction", "LiveAnalysis", "DatasetInspection", "DatasetChecks", "DatasetReports", "Plotting",
                "Terminal",
                "CProcess", "CTables", "FileIO", "FeatureExport", "Conformance", "Checksums",
                "Archives", "Annotations", argumentParser,
            ],
            resources: [.embedInCode("Resources")]),

        .target(name: "TestSupport", dependencies: ["FeatureModel"], path: "Tests/TestSupport"),
        .target(
            name: "ExtractionSupport",
            dependencies: [
                "FeatureModel", "AudioDecoding", "ConfigurationFiles", "FeatureStorage", "Concurrency", "Manifests",
                "DatasetExtraction", "TestSupport",
            ],
            path: "Tests/ExtractionSupport"),
        test("FileIO", ["Platform"]),
        test("Archives", ["FileIO", "Platform", "CZlib", "CZstd"]),
        test("FeatureModel"),
        test("Presentation", ["FeatureModel"]),
        test("Checksums", ["CChecksums"]),
        test("Concurrency"),
        test("ConfigurationFiles", ["FeatureModel"]),
        test("Manifests", ["FeatureModel", "Messages"]),
        test("DatasetFormats", ["FeatureModel", "Manifests"]),
        test("DatasetSplits", ["FeatureModel", "Manifests"]),
        test("Annotations", ["FeatureModel", "Manifests", "Checksums", "Messages"]),
        test("AudioDecoding", ["FeatureModel", "FileIO", "Platform", "Archives", "Messages", "CSndfile"]),
        test("Resampling", ["FeatureModel"]),
        test("SignalProcessing", ["FeatureModel", "CKernels"]),
        test("ClipFeatures", ["FeatureModel", "Messages", "DatasetInspection", "ExtractionSupport"]),
        test("ClipSpool", ["FeatureModel", "FileIO", "Checksums"]),
        test("FeatureStorage", ["FeatureModel", "FileIO", "CKernels"]),
        test("FeatureExport", ["FeatureModel", "FileIO", "FeatureStorage", "Concurrency"]),
        test("Plotting", ["FeatureModel", "Presentation"]),
        test("Terminal"),
        test("Conformance", ["FeatureModel", "AudioDecoding", "SignalProcessing"]),
        test(
            "DatasetExtraction",
            [
                "FeatureModel", "FeatureStorage", "Manifests", "Annotations", "SignalProcessing", "LiveAnalysis",
                "DatasetInspection", "Messages", "ExtractionSupport",
            ]),
        test("Messages", ["FeatureModel", "Presentation"]),
        test("LiveAnalysis", ["Messages", "FeatureModel", "FeatureStorage", "DatasetInspection", "ExtractionSupport"]),
        test(
            "DatasetChecks",
            ["FeatureModel", "AudioDecoding", "DatasetExtraction", "DatasetSplits", "Manifests", "Messages"]),
        test("DatasetInspection", ["FeatureModel", "FeatureStorage", "ExtractionSupport"]),
        test(
            "DatasetReports", ["FeatureModel", "DatasetInspection", "FeatureStorage", "Plotting", "ExtractionSupport"]),
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "FeatureModel", "Presentation", "Messages", "FeatureStorage", "Terminal", "DatasetChecks",
                "TestSupport", "veery", argumentParser,
            ]),
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
                "FeatureModel", "FileIO", "Archives", "Checksums", "ConfigurationFiles", "Manifests", "Annotations",
                "DatasetFormats", "AudioDecoding", "ClipSpool",
                "FeatureStorage", "LiveAnalysis", "DatasetExtraction", "DatasetInspection", "Plotting", "Presentation",
                "Terminal", "Conformance", "Messages",
            ],
            path: "Tests/Fuzz", exclude: ["README.md", "seeds.py"])
    ]
}
