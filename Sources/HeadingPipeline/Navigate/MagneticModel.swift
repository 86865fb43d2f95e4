/// The Earth's main magnetic field as a series of spherical harmonics: the World Magnetic Model.
///
/// After "The US/UK World Magnetic Model for 2025-2030: Technical Report" (NOAA NCEI and BGS), section 1.2.
package struct MagneticModel: Sendable {
    package let name: String
    /// The decimal years for which the authors vouch.
    package let validity: ClosedRange<Double>
    private let coefficients: [HarmonicCoefficient]

    package static let wmm2025 = MagneticModel(
        name: "WMM2025", validity: 2025...2030, coefficients: WMM2025Coefficients.rows)

    /// `coefficients` in rows of n, m, g, h and the yearly changes of g and h, by degree and order.
    private init(name: String, validity: ClosedRange<Double>, coefficients rows: [Double]) {
        self.name = name
        self.validity = validity
        coefficients = stride(from: 0, to: rows.count, by: WMM2025Coefficients.rowLength).map {
            HarmonicCoefficient(g: rows[$0 + 2], h: rows[$0 + 3], gRate: rows[$0 + 4], hRate: rows[$0 + 5])
        }
    }

    /// The field at a place and a time. `height` is above the WGS84 ellipsoid. Every year is computed; outside
    /// ``validity`` the uncertainty of the declination grows.
    package func elements(at position: GeoPosition, height: Length, decimalYear: Double) -> MagneticElements {
        let place = GeocentricPlace(position, height: height)
        var sum = HarmonicSum(yearsSinceEpoch: decimalYear - validity.lowerBound)
        sum.addZonalTerms(coefficients, at: place)
        sum.addTesseralTerms(coefficients, at: place)
        return MagneticElements(
            field: place.intoGeodeticFrame(sum.field),
            yearlyChange: place.intoGeodeticFrame(sum.yearlyChange),
            yearsOutsideValidity: yearsOutsideValidity(decimalYear))
    }

    /// 0 inside, and up to the end itself.
    package func yearsOutsideValidity(_ decimalYear: Double) -> Double {
        max(0, validity.lowerBound - decimalYear, decimalYear - validity.upperBound)
    }
}
