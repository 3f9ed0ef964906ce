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

/// Tests are compiled without optimisation where what they test is optimised: to optimise them takes longer than to run them. Not so
/// `TestSupport`, which makes millions of random samples.
let unoptimised: [SwiftSetting] = [.unsafeFlags(["-Onone"], .when(configuration: .release))]

/// The tests of one module.
func test(_ module: String, _ others: [Target.Dependency] = []) -> Target {
    .testTarget(
        name: "\(module)Tests", dependencies: [.target(name: module), "TestSupport"] + others,
        swiftSettings: unoptimised)
}

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")
let mustache = Target.Dependency.product(name: "Mustache", package: "swift-mustache")
let nio = ["NIOCore", "NIOPosix", "NIOHTTP1"].map { Target.Dependency.product(name: $0, package: "swift-nio") }

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
    traits: [
        .default(enabledTraits: ["FFTW"]),
        .trait(
            name: "FFTW",
            description: "FFTW as an engine of transforms, for transform.engine: fftw. It is under the GPL."),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.0"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
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

        // base
        .target(name: "Platform"),
        .target(name: "Essentials"),
        .target(name: "Numerics"),
        .target(name: "CPlatform"),
        .target(name: "CKernels"),
        .target(name: "CChecksums", dependencies: ["CXXHash"]),

        // model
        .target(name: "FeatureModel", resources: [.embedInCode("Resources")]),
        .target(name: "Presentation", dependencies: ["FeatureModel"]),

        // system
        .target(
            name: "FileIO",
            dependencies: ["FeatureModel", "Platform", "CPlatform", "CChecksums", "CXXHash", "CNettle"]),
        .target(name: "Archives", dependencies: ["FeatureModel", "Platform", "FileIO", "CZlib", "CZstd"]),
        .target(name: "Concurrency", dependencies: ["FeatureModel", "Platform"]),

        // pictures
        .target(
            name: "Plotting",
            dependencies: ["FeatureModel", "Presentation", "FileIO", "Platform", "CCairo", "CFontconfig", "CPNG"],
            exclude: ["README.md"],
            resources: [.embedInCode("Resources")]),
        .target(name: "Terminal", dependencies: ["Platform", "Presentation"]),

        // store
        .target(name: "ClipSpool", dependencies: ["FeatureModel", "FileIO", "Platform"]),
        .target(
            name: "FeatureStorage",
            dependencies: [
                "FeatureModel", "Essentials", "FileIO", "Platform", "Concurrency", "CKernels", "ClipSpool", "CHDF5",
                "CDeflate",
            ]),

        // data in
        .target(name: "Manifests", dependencies: ["FeatureModel", "FileIO", "Platform", "Archives"]),
        .target(name: "DatasetFormats", dependencies: ["FeatureModel", "FileIO", "Platform", "Archives", "Manifests"]),
        .target(
            name: "Annotations",
            dependencies: ["FeatureModel", "Essentials", "Presentation", "FileIO", "Manifests", "CExpat"]),
        .target(name: "ArrayFiles", dependencies: ["FeatureModel", "FileIO", "Archives"]),
        .target(name: "ModelFiles", dependencies: ["FeatureModel", "Platform"]),
        .target(
            name: "ConfigurationFiles",
            dependencies: [
                "FeatureModel", "Essentials", "FileIO", "Platform", "Archives", "ArrayFiles", "ModelFiles", yams,
            ]),

        // audio
        .target(
            name: "AudioDecoding",
            dependencies: [
                "FeatureModel", "FileIO", "Platform", "Archives", "CKernels", "CPlatform", "Resampling", "CSndfile",
            ]),
        .target(name: "Resampling", dependencies: ["FeatureModel", "Numerics", "CKernels", "CSoxr"]),
        .target(
            name: "SignalProcessing",
            dependencies: [
                "FeatureModel", "Numerics", "Platform", "CKernels", "CPlatform",
                .target(name: "CFFTW", condition: .when(traits: ["FFTW"])),
            ]),
        .target(
            name: "ClipFeatures",
            dependencies: ["FeatureModel", "FileIO", "Concurrency", "AudioDecoding", "Resampling", "SignalProcessing"]),

        // engine
        .target(
            name: "DatasetExtraction",
            dependencies: [
                "FeatureModel", "Essentials", "Platform", "FileIO", "Archives", "Presentation", "Concurrency",
                "Manifests", "Annotations", "AudioDecoding", "Resampling", "SignalProcessing", "ClipFeatures",
                "ClipSpool", "FeatureStorage",
            ]),
        .target(
            name: "LiveAnalysis",
            dependencies: [
                "FeatureModel", "Essentials", "FileIO", "Platform", "Presentation", "Concurrency", "Manifests",
                "AudioDecoding", "SignalProcessing", "ClipFeatures", "ClipSpool", "FeatureStorage", "DatasetExtraction",
            ]),

        // reading
        .target(
            name: "DatasetInspection",
            dependencies: [
                "FeatureModel", "Essentials", "Platform", "FileIO", "Archives", "Presentation", "Concurrency",
                "CKernels", "Manifests", "AudioDecoding", "SignalProcessing", "ClipFeatures", "ClipSpool",
                "FeatureStorage",
            ]),
        .target(
            name: "FeatureExport",
            dependencies: [
                "FeatureModel", "Essentials", "FileIO", "Platform", "Archives", "Concurrency", "FeatureStorage",
            ]),
        .target(
            name: "Conformance",
            dependencies: [
                "FeatureModel", "FileIO", "Platform", "ArrayFiles", "Archives", "Concurrency", "AudioDecoding",
                "SignalProcessing",
            ]),

        // tools
        .target(
            name: "Messages",
            dependencies: [
                "FeatureModel", "Presentation", "FileIO", "Platform", "Archives", "Manifests", "Annotations",
                "AudioDecoding", "ArrayFiles", "ConfigurationFiles", "ModelFiles", "Conformance", "FeatureExport",
                "DatasetChecks",
                "DatasetExtraction", "LiveAnalysis",
            ]),
        .target(
            name: "DatasetChecks",
            dependencies: [
                "FeatureModel", "Essentials", "FileIO", "Platform", "Archives", "Presentation", "Concurrency",
                "Manifests", "AudioDecoding", "ClipFeatures", "DatasetExtraction", "DatasetInspection",
            ]),
        .target(
            name: "DatasetReports",
            dependencies: [
                "FeatureModel", "Essentials", "Platform", "FileIO", "Manifests", "Presentation", "Messages",
                "Concurrency", "AudioDecoding", "FeatureStorage", "DatasetInspection", "Plotting", mustache,
            ],
            resources: [.embedInCode("Resources")]),
        .target(name: "PageRequests", dependencies: ["FeatureModel"]),
        .target(name: "PageServer", dependencies: ["PageRequests", "Platform", "Concurrency"] + nio),
        .target(
            name: "DatasetBrowser",
            dependencies: [
                "FeatureModel", "Essentials", "Platform", "FileIO", "Archives", "Concurrency", "Manifests",
                "Annotations",
                "AudioDecoding", "FeatureStorage", "DatasetInspection", "Plotting", "Messages",
                "PageRequests",
            ],
            exclude: ["interface.md"],
            resources: [.embedInCode("Resources")]),

        // library
        .target(
            name: "VeeryInterface",
            dependencies: [
                "FeatureModel", "Essentials", "SignalProcessing", "Resampling", "Platform", "CPlatform", "CVeery",
            ]),
        .target(name: "CVeery"),

        // command
        .executableTarget(
            name: "veery",
            dependencies: [
                "FeatureModel", "Essentials", "Platform", "ConfigurationFiles", "ModelFiles", "Manifests",
                "DatasetFormats",
                "AudioDecoding", "SignalProcessing", "Presentation", "Messages", "Concurrency", "ClipFeatures",
                "ClipSpool", "FeatureStorage", "DatasetExtraction", "LiveAnalysis", "DatasetInspection",
                "DatasetChecks", "DatasetReports", "Plotting", "Terminal", "CProgram", "FileIO", "FeatureExport",
                "ArrayFiles", "Conformance", "Archives", "Annotations", "PageRequests", "PageServer", "DatasetBrowser",
                argumentParser,
            ],
            resources: [.embedInCode("Resources")]),
        .target(name: "CProgram", cSettings: icuTables),

        .target(
            name: "TestSupport", dependencies: ["FeatureModel"], path: "Tests/TestSupport"),
        .target(
            name: "ExtractionSupport",
            dependencies: [
                "FeatureModel", "AudioDecoding", "ConfigurationFiles", "FeatureStorage", "Concurrency", "Manifests",
                "DatasetExtraction", "TestSupport",
            ],
            path: "Tests/ExtractionSupport", swiftSettings: unoptimised),
        test("FileIO", ["Platform", "CChecksums"]),
        test("Archives", ["FileIO", "Platform", "CZlib", "CZstd"]),
        test("FeatureModel"),
        test("Presentation", ["FeatureModel"]),
        test("Concurrency"),
        test("PageServer", ["PageRequests", "Concurrency", "Platform"]),
        test("ConfigurationFiles", ["FeatureModel"]),
        test("Manifests", ["FeatureModel", "Messages"]),
        test("DatasetFormats", ["FeatureModel", "Manifests"]),
        test("Annotations", ["FeatureModel", "Manifests", "FileIO", "Messages"]),
        test("AudioDecoding", ["FeatureModel", "FileIO", "Platform", "Archives", "Messages", "CSndfile"]),
        test("Resampling", ["FeatureModel", "CKernels"]),
        test("SignalProcessing", ["FeatureModel", "Numerics", "CKernels"]),
        test("ClipFeatures", ["FeatureModel", "Messages", "DatasetInspection", "ExtractionSupport"]),
        test("ClipSpool", ["FeatureModel", "FileIO"]),
        test("FeatureStorage", ["FeatureModel", "FileIO", "CKernels"]),
        test("FeatureExport", ["FeatureModel", "FileIO", "FeatureStorage", "Concurrency"]),
        test("Plotting", ["FeatureModel", "Presentation"]),
        test("Terminal"),
        test("ArrayFiles", ["FeatureModel", "FileIO"]),
        test("Conformance", ["FeatureModel", "AudioDecoding", "SignalProcessing", "ArrayFiles"]),
        test(
            "DatasetExtraction",
            [
                "FeatureModel", "FeatureStorage", "Manifests", "Annotations", "SignalProcessing", "LiveAnalysis",
                "DatasetInspection", "Messages", "ExtractionSupport",
            ]),
        test(
            "Messages",
            [
                "FeatureModel", "Presentation", "FeatureStorage", "FileIO", "DatasetExtraction", "ConfigurationFiles",
                "ArrayFiles", "Conformance", "Manifests", "AudioDecoding", "LiveAnalysis", "Archives", "Annotations",
            ]),
        test("LiveAnalysis", ["Messages", "FeatureModel", "FeatureStorage", "DatasetInspection", "ExtractionSupport"]),
        test(
            "DatasetChecks",
            ["FeatureModel", "AudioDecoding", "DatasetExtraction", "Manifests", "Messages"]),
        test("DatasetInspection", ["FeatureModel", "FeatureStorage", "ExtractionSupport"]),
        test(
            "DatasetReports", ["FeatureModel", "DatasetInspection", "FeatureStorage", "Plotting", "ExtractionSupport"]),
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "FeatureModel", "Presentation", "Messages", "ConfigurationFiles", "FeatureStorage", "Terminal",
                "DatasetChecks", "TestSupport", "veery", argumentParser,
            ],
            swiftSettings: unoptimised),
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
                "FeatureModel", "FileIO", "Archives", "ConfigurationFiles", "Manifests", "Annotations",
                "DatasetFormats", "AudioDecoding", "ClipSpool", "FeatureStorage", "LiveAnalysis", "DatasetExtraction",
                "DatasetInspection", "Plotting", "Presentation", "Terminal", "ArrayFiles", "Messages",
            ],
            path: "Tests/Fuzz", exclude: ["README.md", "seeds.py"])
    ]
}
