extension ValueFormat<Vector3> {
    /// Three numbers, with blanks or commas between them.
    static func vector(_ range: ClosedRange<Double>, _ unit: String) -> Self {
        let element = ValueFormat<Double>.number(range, unit)
        return ValueFormat(
            "three numbers, each " + element.allowed,
            read: { (text) throws(ValueFault) in
                let numbers = try NumberList.numbers(text, element)
                guard numbers.count == 3 else {
                    throw ValueFault("has \(numbers.count) numbers, not three")
                }
                return Vector3(numbers[0], numbers[1], numbers[2])
            },
            write: { NumberList.text($0) })
    }
}

extension ValueFormat<Matrix3> {
    /// Which sensor axis points forward, which to starboard, which down: `+x -y -z`.
    static let axes = ValueFormat(
        "x, y and z in the order forward, starboard, down, each with + or -, a turn and not a mirror image",
        read: { (text) throws(ValueFault) in
            let words = text.split(whereSeparator: { $0 == " " || $0 == "\t" }).map(String.init)
            guard words.count == 3 else { throw ValueFault("has \(words.count) axes, not three") }
            let matrix = Matrix3(
                try SensorAxis.direction(words[0]), try SensorAxis.direction(words[1]),
                try SensorAxis.direction(words[2]))
            guard matrix.determinant != 0 else { throw ValueFault("names an axis twice") }
            guard matrix.determinant > 0 else { throw ValueFault(mirrors) }
            return matrix
        },
        write: { matrix in
            [matrix.rowX, matrix.rowY, matrix.rowZ].map(SensorAxis.name).joined(separator: " ")
        })

    /// A matrix as the kernel's `mount_matrix` shows it: turns, does not stretch.
    static let rotation = rows("a rotation: nine numbers in rows of three, with ; between the rows") {
        matrix in
        let error = matrix * matrix.transposed + Matrix3.identity * -1
        let worst =
            [error.rowX, error.rowY, error.rowZ].flatMap { [abs($0.x), abs($0.y), abs($0.z)] }.max() ?? 0
        if worst > rotationTolerance {
            return "is no rotation: its rows are off length 1 or a right angle by \(percent(worst))"
        }
        return matrix.determinant < 0 ? mirrors : nil
    }

    /// Stretches and shears, so that what the sensor saw as an ellipsoid becomes a sphere.
    static let softIron = rows("nine numbers in rows of three, with ; between the rows, determinant over 0") {
        matrix in
        let volume = matrix.rowX.length * matrix.rowY.length * matrix.rowZ.length
        if !(abs(matrix.determinant) > volume * 1e-6) { return "cannot be inverted (determinant 0)" }
        return matrix.determinant < 0 ? mirrors : nil
    }

    private static let mirrors = "mirrors (determinant -1): an axis has the wrong sign, or two are exchanged"

    /// Kernel matrices with two decimals, such as 0.71 for the half of a right angle, pass.
    private static let rotationTolerance = 0.02

    private static func percent(_ ratio: Double) -> String {
        PlainDecimal.text((ratio * 1000).rounded() / 10) + " %"
    }

    private static func rows(_ allowed: String, fault: @escaping @Sendable (Matrix3) -> String?) -> Self {
        let element = ValueFormat<Double>.number(-1000...1000, "")
        return ValueFormat(
            allowed,
            read: { (text) throws(ValueFault) in
                let matrix = try NumberList.matrix(text, element)
                if let reason = fault(matrix) { throw ValueFault(reason) }
                return matrix
            },
            write: { matrix in
                [matrix.rowX, matrix.rowY, matrix.rowZ].map(NumberList.text).joined(separator: "; ")
            })
    }
}

private enum NumberList {
    static func numbers(_ text: String, _ element: ValueFormat<Double>) throws(ValueFault) -> [Double] {
        var numbers: [Double] = []
        for word in text.split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == "," }) {
            do throws(ValueFault) { numbers.append(try element.read(String(word))) } catch {
                throw ValueFault("has " + VisibleText.quoted(String(word)) + " in it, which " + error.reason)
            }
        }
        return numbers
    }

    static func matrix(_ text: String, _ element: ValueFormat<Double>) throws(ValueFault) -> Matrix3 {
        var rows: [Vector3] = []
        for row in text.split(separator: ";", omittingEmptySubsequences: false) {
            let numbers = try numbers(String(row), element)
            guard numbers.count == 3 else {
                throw ValueFault("has \(numbers.count) numbers in row \(rows.count + 1), not three")
            }
            rows.append(Vector3(numbers[0], numbers[1], numbers[2]))
        }
        guard rows.count == 3 else { throw ValueFault("has \(rows.count) rows, not three") }
        return Matrix3(rows[0], rows[1], rows[2])
    }

    static func text(_ vector: Vector3) -> String {
        [vector.x, vector.y, vector.z].map(PlainDecimal.text).joined(separator: " ")
    }
}

private enum SensorAxis {
    static func direction(_ word: String) throws(ValueFault) -> Vector3 {
        let sign = word.hasPrefix("-") ? -1.0 : 1.0
        let letter = word.hasPrefix("-") || word.hasPrefix("+") ? String(word.dropFirst()) : word
        switch letter {
        case "x": return Vector3(sign, 0, 0)
        case "y": return Vector3(0, sign, 0)
        case "z": return Vector3(0, 0, sign)
        default: throw ValueFault("has " + VisibleText.quoted(word) + " in it, which is no axis")
        }
    }

    static func name(_ direction: Vector3) -> String {
        let sign = direction.x + direction.y + direction.z < 0 ? "-" : "+"
        return sign + (direction.x != 0 ? "x" : direction.y != 0 ? "y" : "z")
    }
}
