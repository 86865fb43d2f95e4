import Glibc

/// Reads the description of a device's channels out of its folder, and notes what is odd about it.
struct ChannelReader {
    let folder: AttributeFolder
    let deviceName: String
    let entries: Set<String>
    private let scanFolder: AttributeFolder
    private let scanEntries: Set<String>
    /// What the operator should know.
    private(set) var warnings: [String] = []

    init(_ folder: AttributeFolder, deviceName: String) {
        self.folder = folder
        self.deviceName = deviceName
        entries = Set(folder.entries)
        scanFolder = folder.folder("scan_elements")
        scanEntries = Set(scanFolder.entries)
    }

    /// `nil` where the device does not measure it, or does not say how.
    mutating func channel(_ kind: IIOChannel.Kind) -> IIOChannel? {
        let names = kind.inputNames
        guard names.allSatisfy({ entries.contains($0 + "_raw") }) else { return nil }
        do throws(Unreadable) {
            let conversions =
                kind == .magneticHeading
                ? [(names[0], try headingConversion())] : try axisConversions(kind)
            return IIOChannel(
                kind: kind,
                inputs: conversions.map { IIOChannel.Input(name: $0.0, scan: scanElement($0.0)) },
                conversion: conversion(kind, conversions.map(\.1)), mountMatrix: mountMatrix(kind),
                frequency: frequency(kind))
        } catch {
            warnings.append("\(error.attribute) cannot be read: no \(kind.description)")
            return nil
        }
    }

    /// The buffer's channel for the time, if it has one.
    func timestamp() -> ScanElement? { scanElement(ScanElement.timestampName) }

    /// All that the buffer has.
    func scanElements() -> [ScanElement] {
        scanEntries.filter { $0.hasSuffix("_en") }.compactMap { scanElement(String($0.dropLast(3))) }
    }

    private struct Unreadable: Error { var attribute: String }

    private func conversion(_ kind: IIOChannel.Kind, _ axes: [AxisConversion]) -> ChannelConversion {
        axes.count == 3 ? .vector(kind.source, x: axes[0], y: axes[1], z: axes[2]) : .heading(axes[0])
    }

    // MARK: Scale and offset

    /// For x, y and z of the chip: the driver's name for it, and how its counts are converted.
    private mutating func axisConversions(
        _ kind: IIOChannel.Kind
    ) throws(Unreadable) -> [(String, AxisConversion)] {
        var scales: [Double] = []
        for name in kind.inputNames { scales.append(try scale(of: name, kind)) }
        let quirk = SensorQuirk.of(deviceName, kind)
        let fault = quirk?.fault.flatMap { $0.isPresent(scales[0]) ? $0 : nil }
        if let fault { warnings.append("\(deviceName): \(fault.reason); put right") }
        var conversions: [(String, AxisConversion)] = []
        for (axis, scale) in zip(fault?.axes ?? SensorQuirk.Axis.allCases, scales) {
            let name = kind.rawValue + "_" + axis.rawValue
            let factor = (fault?.scale(scale) ?? scale) * kind.pipelineUnitsPerKernelUnit
            let offset = try shared("offset", of: name, kind) ?? 0
            let limits = quirk?.limits ?? scanElement(name)?.type.range
            conversions.append((name, AxisConversion(offset: offset, factor: factor, limits: limits)))
        }
        return conversions
    }

    private mutating func scale(of input: String, _ kind: IIOChannel.Kind) throws(Unreadable) -> Double {
        if let scale = try shared("scale", of: input, kind), scale != 0 { return scale }
        let warning = "\(deviceName) gives no \(kind.sharedName)_scale: 1 is taken"
        if !warnings.contains(warning) { warnings.append(warning) }
        return 1
    }

    /// An axis's own attribute wins over the one that all axes share, and that over the device's.
    private func shared(
        _ suffix: String, of input: String, _ kind: IIOChannel.Kind
    ) throws(Unreadable) -> Double? {
        let names = [input, kind.sharedName, "in"].map { $0 + "_" + suffix } + [suffix]
        guard let name = names.first(where: entries.contains) else { return nil }
        guard let number = folder.number(name) else { throw Unreadable(attribute: name) }
        return number
    }

    /// The HID driver's `in_rot_scale` is 1 whatever the unit: it looks the heading up in a table of sensors that
    /// does not have it. The device's report descriptor has the truth.
    private mutating func headingConversion() throws(Unreadable) -> AxisConversion {
        let kind = IIOChannel.Kind.magneticHeading
        let offset = try shared("offset", of: kind.rawValue, kind) ?? 0
        if let field = reportDescriptor()?.input(HIDReportDescriptor.compensatedMagneticNorth) {
            let unit = field.unit == HIDReportDescriptor.radians ? 180 / Double.pi : 1
            return AxisConversion(offset: offset, factor: unit * pow(10, Double(field.unitExponent)))
        }
        let scale = try scale(of: kind.rawValue, kind)
        guard deviceName == "magn_3d", scale == 1 else {
            return AxisConversion(offset: offset, factor: scale)
        }
        warnings.append("\(deviceName) does not tell the unit of its heading: 0.01° is taken")
        return AxisConversion(offset: offset, factor: 0.01)
    }

    /// It lies in the folder of the HID device, some levels above the IIO device's.
    private func reportDescriptor() -> HIDReportDescriptor? {
        var ancestor = folder.resolved.parent
        for _ in 0..<4 {
            guard let here = ancestor else { return nil }
            if let bytes = here.bytes("report_descriptor") { return HIDReportDescriptor(bytes) }
            ancestor = here.parent
        }
        return nil
    }

    // MARK: The rest

    private func scanElement(_ input: String) -> ScanElement? {
        guard scanEntries.contains(input + "_en"),
            let index = scanFolder.text(input + "_index").flatMap({ Int($0) }), index >= 0,
            let type = scanFolder.text(input + "_type").flatMap({ ScanType($0) })
        else { return nil }
        return ScanElement(name: input, index: index, type: type)
    }

    private mutating func mountMatrix(_ kind: IIOChannel.Kind) -> Matrix3? {
        guard kind != .magneticHeading else { return nil }
        for name in [kind.rawValue + "_mount_matrix", "in_mount_matrix", "mount_matrix"] {
            guard entries.contains(name), let text = folder.text(name) else { continue }
            if let matrix = Matrix3(mountMatrix: text), matrix.isRotation(tolerance: 0.01) { return matrix }
            warnings.append("\(deviceName): \(name) is no rotation (\(text)): not used")
        }
        return nil
    }

    private func frequency(_ kind: IIOChannel.Kind) -> SamplingFrequency? {
        let prefixes = [kind.sharedName + "_", kind.inputNames[0] + "_", "in_", ""]
        let names = prefixes.map { $0 + "sampling_frequency" }
        guard let name = names.first(where: entries.contains) else { return nil }
        let list = ([name] + names).map { $0 + "_available" }.first(where: entries.contains)
        return SamplingFrequency(
            attribute: name, current: folder.number(name), available: list.flatMap(folder.text))
    }
}
