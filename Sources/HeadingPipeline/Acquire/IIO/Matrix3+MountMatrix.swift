extension Matrix3 {
    /// Reads the kernel's mount matrix, `1, 0, 0; 0, 1, 0; 0, 0, 1`, which turns a vector of the chip into the
    /// frame of the board it sits on; `nil` for anything but nine finite numbers.
    package init?(mountMatrix text: String) {
        let rows = text.split(separator: ";", omittingEmptySubsequences: false).map { Vector3(matrixRow: $0) }
        guard rows.count == 3, let x = rows[0], let y = rows[1], let z = rows[2] else { return nil }
        self.init(x, y, z)
    }
}

extension Vector3 {
    fileprivate init?(matrixRow text: Substring) {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { cell in
            Double(String(cell.filter { !$0.isWhitespace })).flatMap { $0.isFinite ? $0 : nil }
        }
        guard numbers.count == 3, let x = numbers[0], let y = numbers[1], let z = numbers[2] else {
            return nil
        }
        self.init(x, y, z)
    }
}
