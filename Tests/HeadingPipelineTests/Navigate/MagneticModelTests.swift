import HeadingPipeline
import Testing

@Suite("Magnetic model")
struct MagneticModelTests {
    /// NOAA NCEI, WMM2025_TEST_VALUE_TABLE_FOR_REPORT: year, height km, latitude, longitude; X, Y, Z, H, F;
    /// inclination, declination; yearly change of X, Y, Z, H, F, inclination, declination.
    static let publishedTable: [[Double]] = [
        [
            2025.0, 0, 80, 0, 6521.6, 145.9, 54791.5, 6523.2, 55178.5, 83.21, 1.28, -8.3, 59.5, 31.1, -7.0,
            30.1, 0.01, 0.52,
        ],
        [
            2025.0, 100, -80, 240, 5907.6, 14780.3, -49540.7, 15917.1, 52035.0, -72.19, 68.21, 30.6, -8.0,
            89.2, 3.9, -83.8, 0.03, -0.11,
        ],
        [
            2027.5, 100, 0, 120, 37711.5, -148.7, -9969.8, 37711.8, 39007.4, -14.81, -0.23, 9.2, -21.0, 72.9,
            9.3, -9.7, 0.11, -0.03,
        ],
        [
            2027.5, 0, 80, 0, 6500.8, 294.5, 54869.4, 6507.5, 55253.9, 83.24, 2.59, -8.3, 59.5, 31.1, -5.6,
            30.3, 0.01, 0.53,
        ],
    ]

    @Test("gives the authors' test values", arguments: publishedTable)
    func publishedValues(row: [Double]) throws { try compare(row) }

    @Test("gives the authors' whole table", .needsSharedData)
    func publishedFile() throws {
        for row in try whitespaceRows("wmm/WMM2025_TEST_VALUE_TABLE_FOR_REPORT.txt") {
            try compare(Array(row[0..<11]) + Array(row[12...]))
        }
    }

    /// Half a unit of the last digit, as printed: nT to 0.1, degrees to 0.01.
    private func compare(_ row: [Double]) throws {
        let e = try elements(year: row[0], height: row[1], latitude: row[2], longitude: row[3])
        let change = e.yearlyChange
        let field = [e.north, e.east, e.down, e.horizontal, e.total].map(\.nanotesla)
        let rates = [change.north, change.east, change.down, change.horizontal, change.total].map(\.nanotesla)
        for (value, expected) in zip(field + rates, row[4...8] + row[11...15]) {
            #expect(abs(value - expected) <= 0.05 + 1e-6)
        }
        let angles = [e.inclination, e.declination, change.inclination, change.declination].map(\.degrees)
        for (value, expected) in zip(angles, row[9...10] + row[16...17]) {
            #expect(abs(value - expected) <= 0.005 + 1e-6)
        }
    }

    @Test("gives the authors' hundred test values", .needsSharedData)
    func publishedTestValues() throws {
        for row in try whitespaceRows("wmm/WMM2025_TEST_VALUES.txt") {
            let e = try elements(year: row[0], height: row[1], latitude: row[2], longitude: row[3])
            let change = e.yearlyChange
            let angles = [e.declination, e.inclination].map(\.degrees)
            let field = [e.horizontal, e.north, e.east, e.down, e.total].map(\.nanotesla)
            let turns = [change.declination, change.inclination].map(\.degrees)
            let rates = [change.horizontal, change.north, change.east, change.down, change.total]
            let tolerances: [Double] =
                [0.005, 0.005] + Array(repeating: 1e-3, count: 5) + [0.5e-6, 0.5e-6]
                + Array(repeating: 1e-3, count: 5)
            for (index, value) in (angles + field + turns + rates.map(\.nanotesla)).enumerated() {
                #expect(abs(value - row[4 + index]) <= tolerances[index] + 1e-6, "\(row) \(index)")
            }
        }
    }

    @Test(
        "agrees with GeographicLib everywhere, poles and date line too", .needsSharedData)
    func grid() throws {
        for row in try SharedData.rows("wmm/grid.csv") {
            let numbers = row.map { Double($0) ?? .nan }
            let e = try elements(
                year: numbers[2], height: numbers[5], latitude: numbers[3], longitude: numbers[4])
            let change = e.yearlyChange
            let field = [e.horizontal, e.north, e.east, e.down, e.total].map(\.nanotesla)
            let rates = [change.horizontal, change.north, change.east, change.down, change.total]
            for (value, expected) in zip(field + rates.map(\.nanotesla), numbers[8...12] + numbers[15...19]) {
                #expect(abs(value - expected) <= 1e-4, "\(row[0])")
            }
            let tolerance = numbers[8] < 2000 ? 1e-4 : 1e-6
            let angles = [e.declination, e.inclination]
            for (angle, expected) in zip(angles, numbers[6...7]) {
                let difference = Angle.shortest(from: .degrees(expected), to: angle)
                #expect(abs(difference.degrees) <= tolerance, "\(row[0])")
            }
            #expect(e.zone.rawValue == (row[21] == "ok" ? "normal" : row[21]))
            #expect(
                abs(e.declinationUncertainty.degrees - min(numbers[22], 180)) <= 2e-6 + numbers[22] * 1e-6)
        }
    }

    @Test(
        "gives east-positive declinations on 2026-12-01 at sea level",
        arguments: [(47.6, -122.34, 14.854), (-33.9, 18.4, -26.802), (-33.85, 151.25, 12.836)])
    func harbours(latitude: Double, longitude: Double, declination: Double) throws {
        let year = UTCTime(year: 2026, month: 12, day: 1).decimalYear
        let e = try elements(year: year, height: 0, latitude: latitude, longitude: longitude)
        #expect(abs(e.declination.degrees - declination) <= 0.0005)
    }

    @Test("takes the height in its unit: 100 m is not 100 km")
    func height() throws {
        let year = UTCTime(year: 2026, month: 12, day: 1).decimalYear
        let low = try elements(year: year, height: 0.1, latitude: 74.7, longitude: -94.9)
        let high = try elements(year: year, height: 100, latitude: 74.7, longitude: -94.9)
        #expect(abs(low.declination.degrees - -14.67) <= 0.005)
        #expect(abs(high.declination.degrees - -13.31) <= 0.005)
    }

    @Test("is finite at the poles, whatever the longitude", arguments: [90.0, -90.0], [0.0, 137, -180, 360])
    func poles(latitude: Double, longitude: Double) throws {
        let e = try elements(year: 2027.5, height: 0, latitude: latitude, longitude: longitude)
        let nearby = try elements(
            year: 2027.5, height: 0, latitude: latitude * (1 - 1e-9), longitude: longitude)
        #expect((e.north - nearby.north).magnitude < .nanotesla(0.01))
        #expect((e.east - nearby.east).magnitude < .nanotesla(0.01))
        #expect(e.declination.isFinite && e.yearlyChange.declination.isFinite)
    }

    @Test("its yearly change is the difference of two years")
    func secularVariation() throws {
        let before = try elements(year: 2027, height: 0, latitude: 50.3, longitude: -4.2)
        let after = try elements(year: 2028, height: 0, latitude: 50.3, longitude: -4.2)
        let middle = try elements(year: 2027.5, height: 0, latitude: 50.3, longitude: -4.2).yearlyChange
        #expect((after.north - before.north - middle.north).magnitude < .nanotesla(1e-6))
        #expect((after.declination - before.declination - middle.declination).magnitude < .degrees(1e-5))
        #expect((after.total - before.total - middle.total).magnitude < .nanotesla(0.01))
    }

    @Test("outside its years it is still computed, and less certain the further away")
    func expired() throws {
        let sigmas = try [2024.0, 2025, 2029.999, 2030.1, 2034, 2044].map {
            let e = try elements(year: $0, height: 0, latitude: 50.3, longitude: -4.2)
            #expect(e.declination.isFinite)
            return e.declinationUncertainty
        }
        #expect(sigmas[0] > sigmas[1])
        #expect(sigmas[2] < sigmas[3] && sigmas[3] < sigmas[4] && sigmas[4] < sigmas[5])
    }

    /// sqrt(0.26² + (5417/20000)²) = sqrt(0.0676 + 0.073360) = 0.375446.
    @Test(
        "states the uncertainty of its authors' error model",
        arguments: [(20000.0, 0.375446), (2000, 2.720951), (5417, 1.033247)])
    func uncertainty(nanotesla: Double, degrees: Double) {
        let sigma = MagneticElements.declinationUncertainty(horizontal: .nanotesla(nanotesla))
        #expect(abs(sigma.degrees - degrees) < 2e-6)
    }

    private func elements(
        year: Double, height: Double, latitude: Double, longitude: Double
    ) throws -> MagneticElements {
        let position = try #require(
            GeoPosition(latitude: .degrees(latitude), longitude: .degrees(longitude)))
        return MagneticModel.wmm2025.elements(
            at: position, height: .kilometers(height), decimalYear: year)
    }
}

@Suite("Coefficients of the magnetic model")
struct WMM2025CoefficientsTests {
    @Test("are those of the published file, in its order", .needsSharedData)
    func publishedFile() throws {
        let published = try SharedData.text("wmm/WMM2025.COF").split(whereSeparator: \.isNewline)
            .dropFirst().map { $0.split(separator: " ").compactMap { Double($0) } }.filter { $0.count == 6 }
        #expect(published.count == 90)
        #expect(WMM2025Coefficients.rows == published.flatMap { $0 })
    }

    @Test("run through every degree and order to 12")
    func order() {
        var expected: [[Double]] = []
        for n in 1...12 { for m in 0...n { expected.append([Double(n), Double(m)]) } }
        let starts = stride(from: 0, to: WMM2025Coefficients.rows.count, by: WMM2025Coefficients.rowLength)
        #expect(starts.map { Array(WMM2025Coefficients.rows[$0...$0 + 1]) } == expected)
    }
}

@Suite("Decimal year")
struct DecimalYearTests {
    @Test(
        "counts the elapsed part of the year, leap years too",
        arguments: [
            ("2028-12-31T00:00:00Z", 2028.997267760), ("2026-11-30T12:00:00Z", 2026.913698630),
            ("2028-02-29T00:00:00Z", 2028.161202186), ("2030-01-01T00:00:00Z", 2030),
        ])
    func examples(text: String, year: Double) throws {
        let time = try #require(UTCTime(rfc3339: text))
        #expect(abs(time.decimalYear - year) < 1e-9)
    }

    @Test("agrees with the reference table", .needsSharedData)
    func table() throws {
        for row in try SharedData.rows("wmm/dates.csv") {
            let time = try #require(UTCTime(rfc3339: row[0]))
            #expect(abs(time.decimalYear - (Double(row[1]) ?? .nan)) < 1e-9, "\(row[0])")
            #expect(MagneticModel.wmm2025.validity.contains(time.decimalYear) == (row[3] == "1"))
        }
    }
}

/// The rows of numbers in one of the authors' tables; `NaN` becomes a NaN.
private func whitespaceRows(_ path: String) throws -> [[Double]] {
    try SharedData.text(path).split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("#") }.map {
        $0.split(separator: " ").map { Double($0) ?? .nan }
    }
}
