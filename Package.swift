// swift-tools-version: 6.0
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .unsafeFlags(["-warnings-as-errors"]),
]

let package = Package(
    name: "compass-mqtt",
    products: [
        .library(name: "HeadingPipeline", targets: ["HeadingPipeline"]),
        .executable(name: "compass-mqtt", targets: ["compass-mqtt"]),
    ],
    targets: [
        .systemLibrary(
            name: "CMosquitto", pkgConfig: "libmosquitto", providers: [.apt(["libmosquitto-dev"])]),
        .systemLibrary(name: "CLinux"),
        .systemLibrary(name: "CJSON", pkgConfig: "libcjson", providers: [.apt(["libcjson-dev"])]),
        .target(name: "HeadingPipeline", dependencies: ["CJSON"], swiftSettings: strict),
        .executableTarget(
            name: "compass-mqtt", dependencies: ["HeadingPipeline", "CMosquitto", "CLinux"],
            swiftSettings: strict),
        .executableTarget(
            name: "accuracy", dependencies: ["HeadingPipeline"], path: "bench/accuracy",
            swiftSettings: strict),
        .target(name: "TestSupport", path: "Tests/Support", swiftSettings: strict),
        .testTarget(
            name: "HeadingPipelineTests", dependencies: ["HeadingPipeline", "TestSupport"],
            exclude: ["Fixtures"], swiftSettings: strict),
        .testTarget(
            name: "AgentTests", dependencies: ["compass-mqtt", "HeadingPipeline", "TestSupport"],
            swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
