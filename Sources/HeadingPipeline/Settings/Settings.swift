/// Everything an operator can set, in the units of the pipeline, at its default until a config file says
/// otherwise. What each key means stands in `config/compass-mqtt.conf`.
package struct Settings: Hashable, Sendable {
    package var agent = Agent()
    package var magnetometer = Magnetometer()
    package var accelerometer = Sensor(rate: 50)
    package var gyroscope = Sensor(rate: 50)
    package var gps = Gps()
    package var heading = Heading()
    package var publish = Publish()
    package var units = Units()
    package var mqtt = Mqtt()
    package var homeAssistant = HomeAssistant()
    package var navigation = Guidance()
    package var commands = Commands()
    package var dashboard = Dashboard()

    package init() {}

    package struct Agent: Hashable, Sendable {
        /// `nil`: made from the machine id.
        package var id: String?
        /// `nil`: "Compass" and the id.
        package var name: String?
        package var stateDirectory = "/var/lib/compass-mqtt"
        package var logLevel = LogLevel.info
        /// The file to record all readings to; `nil`: none.
        package var recordFile: String?
        /// Of the recording's files together, in bytes.
        package var recordMaxSize = 100 * 1_000_000
    }

    package enum LogLevel: String, CaseIterable, Comparable, Sendable {
        case error, warning, info, debug
        package static func < (a: LogLevel, b: LogLevel) -> Bool {
            allCases.firstIndex(of: a) ?? 0 < allCases.firstIndex(of: b) ?? 0
        }
    }

    /// How one inertial or magnetic sensor is found, read and mounted.
    package struct Sensor: Hashable, Sendable {
        package var device = DeviceSelector.automatic
        package var mode = ReadingMode.automatic
        /// Name of the trigger for buffered reading; `nil`: the device's own, else any that exists.
        package var trigger: String?
        /// Readings a second.
        package var rate: Double
        /// Turns the sensor's frame into the body frame (forward, starboard, down).
        package var axes = Settings.partsUp
        /// `nil`: the kernel's.
        package var mountMatrix: Matrix3?
        package var staleAfter = Interval.seconds(3)
    }

    package struct Magnetometer: Hashable, Sendable {
        package var sensor = Sensor(rate: 20)
        /// The folder under which `sys/bus/iio/devices` and `dev` lie.
        package var iioRoot = "/"
        /// What is taken from a device that gives both a field and a heading of its own.
        package var output = CompassOutput.automatic
        /// Microtesla, sensor frame; subtracted.
        package var hardIron: Vector3?
        /// Sensor frame; multiplied after the hard iron is taken off.
        package var softIron: Matrix3?
        /// What a calibration given here leaves over, 1 sigma.
        package var calibrationResidual = FluxDensity.microtesla(1)
    }

    package enum CompassOutput: String, CaseIterable, Sendable { case automatic = "auto", field, heading }

    package enum DeviceSelector: Hashable, Sendable {
        case automatic, none
        case name(String)
        case label(String)
        /// The device's place on its bus, for example `1-001e` or `spi0.0`.
        case bus(String)
        case index(Int)
    }

    package enum ReadingMode: String, CaseIterable, Sendable { case automatic = "auto", buffer, polled }

    package struct Gps: Hashable, Sendable {
        package var isEnabled = true
        package var host = "127.0.0.1"
        package var port = 2947
        /// `nil`: any receiver.
        package var device: String?
        package var staleAfter = Interval.seconds(5)
        /// Below it the course is withheld.
        package var minimumCourseSpeed = Speed.metersPerSecond(0.5)
    }

    package struct Heading: Hashable, Sendable {
        package var reference = Reference.trueNorth
        /// Added to the heading: what is left between the sensor's axes and the keel.
        package var offset = Angle.zero
        /// How well the sensor's axes are known to lie along the keel, 1 sigma.
        package var alignmentUncertainty = Angle.degrees(1)
        /// Time constant of the smoothing; 0: none.
        package var smoothing = Interval.seconds(0.5)
        /// `nil`: from the magnetic model.
        package var declination: Angle?
        /// The tilt that must be reckoned with where no accelerometer tells it, 1 sigma.
        package var assumedTilt = Angle.degrees(5)
    }

    package enum Reference: String, CaseIterable, Sendable {
        case magnetic
        case trueNorth = "true"
    }

    package struct Guidance: Hashable, Sendable {
        /// So near a destination counts as reached.
        package var arrivalRadius = Length.meters(50)
    }

    package struct Commands: Hashable, Sendable {
        package var isEnabled = false
    }

    package struct Publish: Hashable, Sendable {
        /// `nil`: `compass/<id>`.
        package var baseTopic: String?
        /// At most so many messages a second on each topic.
        package var rate = 5.0
        package var deadband = Angle.degrees(0.5)
        package var speedDeadband = Speed.metersPerSecond(0.05)
        package var positionDeadband = Length.meters(2)
        package var fieldDeadband = FluxDensity.microtesla(0.5)
        package var heartbeat = Interval.seconds(60)
        /// For values; statuses are always sent with 1.
        package var qos = 0
    }

    package struct Units: Hashable, Sendable {
        package var speed = SpeedUnit.knots
        package var distance = DistanceUnit.nauticalMiles
    }

    package enum SpeedUnit: String, CaseIterable, Sendable {
        case knots = "kn"
        case metersPerSecond = "m/s"
        case kilometersPerHour = "km/h"
        case milesPerHour = "mph"
    }

    package enum DistanceUnit: String, CaseIterable, Sendable {
        case nauticalMiles = "nmi"
        case kilometers = "km"
        case meters = "m"
        case miles = "mi"
    }

    package struct Mqtt: Hashable, Sendable {
        package var host = "127.0.0.1"
        /// `nil`: 1883, with TLS 8883.
        package var port: Int?
        /// A unix socket instead of host and port.
        package var socket: String?
        package var version = MqttVersion.v5
        /// `nil`: made from the agent's id.
        package var clientId: String?
        package var username: String?
        package var passwordFile: String?
        package var keepalive = Interval.seconds(30)
        package var tls = Tls()
    }

    package enum MqttVersion: String, CaseIterable, Sendable {
        case v5 = "5"
        case v311 = "3.1.1"
    }

    package struct Tls: Hashable, Sendable {
        package var isEnabled = false
        /// PEM file; `nil`: the system's authorities.
        package var authorityFile: String?
        package var certificateFile: String?
        package var keyFile: String?
        /// The name the broker's certificate must bear; `nil`: `mqtt.host`.
        package var serverName: String?
        /// Accept any certificate. Only ever set by the operator.
        package var isInsecure = false
    }

    package struct HomeAssistant: Hashable, Sendable {
        package var isDiscoveryEnabled = true
        /// What Home Assistant's discovery topics begin with.
        package var prefix = "homeassistant"
    }

    /// The page of instruments that `dashboard` serves.
    package struct Dashboard: Hashable, Sendable {
        /// The address to listen on, in numbers.
        package var listen = "127.0.0.1"
        package var port = 8360
        /// Names under which browsers may ask for the page, besides addresses and the machine's own.
        package var hosts: [String] = []
        /// Addresses of the operator's own proxies, whose word on whom they speak for is believed.
        package var proxies: [String] = []
        /// What a viewer has to know; `nil`: in the file, else nothing.
        package var token: String?
        package var tokenFile: String?
        package var certificateFile: String?
        package var keyFile: String?
        /// Base topics of the vessels to show, `+` for any level.
        package var topics = ["compass/+"]
        /// Whether the page may send commands to the vessels.
        package var takesCommands = false
        /// Where the speedometer's scale ends, in the unit of `units.speed`.
        package var fullScale = 12.0
        /// A value of that age is shown as stale.
        package var staleAfter = Interval.seconds(90)
        package var mostViewers = 250
    }

    /// A board lying flat, parts up, its x arrow to the bow: `+x -y -z`.
    package static let partsUp = Matrix3.diagonal(Vector3(1, -1, -1))
}
