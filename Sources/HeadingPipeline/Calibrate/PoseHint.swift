/// What a person is told to do next, so that the field comes from a side of the sensor from which it has not come
/// yet.
package struct PoseHint: Hashable, Sendable {
    package var text: String

    /// `direction` in the sensor's frame; the field there comes out of the sensor.
    package init(missing direction: Vector3, inclination: Angle?) {
        text = "point the sensor's \(Self.axes(direction)) \(Self.along(inclination))"
    }

    /// `+x`, or `+x -z edge`, or `+x +y -z corner`: the axes that the direction leans to.
    private static func axes(_ direction: Vector3) -> String {
        let components = [("x", direction.x), ("y", direction.y), ("z", direction.z)]
        let largest = components.map(\.1.magnitude).max() ?? 0
        let named = components.filter { $0.1.magnitude > largest * 0.5 }
            .map { ($0.1 < 0 ? "-" : "+") + $0.0 }
        return named.joined(separator: " ") + ["side", "side", "edge", "corner"][named.count].prefixedByBlank
    }

    private static func along(_ inclination: Angle?) -> String {
        guard let inclination else { return "north, steeply down (up in the south)" }
        let steepness = Int(inclination.degrees.magnitude.rounded())
        if steepness < 10 { return "north" }
        return "north and \(steepness)° \(inclination > .zero ? "down" : "up")"
    }
}

extension String {
    fileprivate var prefixedByBlank: String { " " + self }
}
