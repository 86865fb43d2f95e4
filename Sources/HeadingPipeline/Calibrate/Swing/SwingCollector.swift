/// Gathers, fix by fix while a vessel swings through all headings under way, what the compass says and where she
/// goes; and makes the deviation table of it.
package struct SwingCollector: Sendable {
    /// One fix: all directions magnetic.
    package struct Sample: Hashable, Sendable {
        /// As the compass says, before any deviation table.
        package var compass: Angle
        /// Over ground.
        package var course: Angle
        package var speed: Speed

        package init(compass: Angle, course: Angle, speed: Speed) {
            self.compass = compass
            self.course = course
            self.speed = speed
        }
    }

    /// Below it a receiver's course, and the vessel's leeway, say too little.
    package static let leastSpeed = Speed.knots(2.5)
    /// An hour at a fix a second.
    private static let mostSamples = 3600

    package private(set) var samples: [Sample] = []
    package private(set) var tooSlow = 0
    package private(set) var sectors = HeadingSectors()

    package init() {}

    package mutating func take(_ sample: Sample) {
        guard sample.speed >= Self.leastSpeed else {
            tooSlow += 1
            return
        }
        guard samples.count < Self.mostSamples else { return }
        samples.append(sample)
        sectors.add(sample.compass)
    }

    package func result() -> SwingResult { SwingResult(self) }
}

/// Twelve sectors of 30°, and how often the heading was in each.
package struct HeadingSectors: Hashable, Sendable {
    package static let count = 12
    /// So many fixes make a sector known.
    package static let enough = 5
    package private(set) var visits = [Int](repeating: 0, count: HeadingSectors.count)

    package init() {}

    package static func index(_ heading: Angle) -> Int {
        min(count - 1, Int(heading.foldedPositive / .fullTurn * Double(count)))
    }

    package mutating func add(_ heading: Angle) { visits[Self.index(heading)] += 1 }

    package var known: Int { visits.count { $0 >= Self.enough } }

    /// The middle of a sector that is not known yet.
    package var missing: Angle? {
        visits.firstIndex { $0 < Self.enough }.map { .degrees(Double($0) * 30 + 15) }
    }
}
