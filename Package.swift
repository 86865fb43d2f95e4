// swift-tools-version: 6.0
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .unsafeFlags(["-warnings-as-errors"]),
]

/// What goes into the binary: regular expressions, used nowhere here, would add more than a megabyte to it.
/// A section for each function, so that the linker can leave out and put in order (tools/build-release).
let lean =
    strict + [
        .unsafeFlags(["-Xfrontend", "-disable-implicit-string-processing-module-import"]),
        .unsafeFlags(["-Xfrontend", "-function-sections"], .when(configuration: .release)),
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
        .target(name: "CGuard", dependencies: ["CMosquitto"]),
        .systemLibrary(name: "CLinux"),
        .systemLibrary(name: "CJSON", pkgConfig: "libcjson", providers: [.apt(["libcjson-dev"])]),
        // Without pkgConfig, as nothing is linked with it: its library is loaded when a dashboard is started.
        .systemLibrary(name: "CMicroHTTPD", providers: [.apt(["libmicrohttpd-dev"])]),
        .target(name: "HeadingPipeline", dependencies: ["CJSON"], swiftSettings: lean),
        .executableTarget(
            name: "compass-mqtt",
            dependencies: ["HeadingPipeline", "CMosquitto", "CGuard", "CLinux", "CMicroHTTPD"],
            resources: [.embedInCode("Dashboard/Page")], swiftSettings: lean),
        .executableTarget(
            name: "accuracy", dependencies: ["HeadingPipeline"], path: "bench/accuracy",
            swiftSettings: lean),
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
