/// One thing that an IIO device measures and the agent can use: which attributes hold it and what they mean.
package struct IIOChannel: Hashable, Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        case magneticField = "in_magn"
        case acceleration = "in_accel"
        case angularVelocity = "in_anglvel"
        case magneticHeading = "in_rot_from_north_magnetic_tilt_comp"
    }

    package var kind: Kind
    /// The chip's axes x, y, z in this order, or the heading alone.
    package var inputs: [Input]
    package var conversion: ChannelConversion
    package var mountMatrix: Matrix3?
    package var frequency: SamplingFrequency?

    package struct Input: Hashable, Sendable {
        /// Without a suffix: `in_magn_x`.
        package var name: String
        /// `nil` where the buffer does not have it.
        package var scan: ScanElement?
        package var rawAttribute: String { name + "_raw" }
    }

    package var isBufferable: Bool { inputs.allSatisfy { $0.scan != nil } }
}

extension IIOChannel.Kind {
    package var source: Source {
        switch self {
        case .magneticField, .magneticHeading: .magnetometer
        case .acceleration: .accelerometer
        case .angularVelocity: .gyroscope
        }
    }

    package var description: String {
        switch self {
        case .magneticField: "magnetic field"
        case .acceleration: "acceleration"
        case .angularVelocity: "angular velocity"
        case .magneticHeading: "tilt-compensated heading"
        }
    }

    var inputNames: [String] {
        self == .magneticHeading ? [rawValue] : ["x", "y", "z"].map { rawValue + "_" + $0 }
    }

    /// What attributes that all inputs share begin with.
    var sharedName: String { self == .magneticHeading ? "in_rot" : rawValue }

    /// The kernel's units are gauss, m/s² and rad/s; for `in_rot` its documents name none, and its drivers give
    /// degrees.
    var pipelineUnitsPerKernelUnit: Double { self == .magneticField ? 100 : 1 }
}
