/// What the simulated vessel is and where it begins.
package struct SimulationScenario: Hashable, Sendable {
    package var field: SimulatedField
    /// Open water off Plymouth.
    package var start = GeoPosition(clampedLatitude: .degrees(50.3), longitude: .degrees(-4.2))
    package var seed: UInt64 = 1
    package var hasNoise = true
    /// `nil`: she has none.
    package var magnetometer: Sensor? = Sensor(rate: 20)
    package var accelerometer: Sensor? = Sensor(rate: 50)
    package var gyroscope: Sensor? = Sensor(rate: 50)
    package var hasReceiver = true
    /// What iron on board makes of the field in the magnetometer's frame: it is turned and stretched ...
    package var softIron = Matrix3.identity
    /// ... and this is added, in microtesla.
    package var hardIron = Vector3.zero
    /// Radians a second, body frame.
    package var gyroscopeBias = Vector3(0.002, -0.001, 0.0015)

    package struct Sensor: Hashable, Sendable {
        /// Readings a second.
        package var rate: Double
        /// Turns the sensor's frame into the body frame.
        package var mounting: Matrix3

        package init(rate: Double, mounting: Matrix3 = Settings.partsUp) {
            self.rate = rate
            self.mounting = mounting
        }
    }

    package init(field: SimulatedField) { self.field = field }
}

/// The Earth's field in which the simulated vessel moves: the same everywhere.
package struct SimulatedField: Hashable, Sendable {
    package var horizontal: FluxDensity
    package var down: FluxDensity
    /// Positive east.
    package var declination: Angle

    package init(horizontal: FluxDensity, down: FluxDensity, declination: Angle) {
        self.horizontal = horizontal
        self.down = down
        self.declination = declination
    }
}
