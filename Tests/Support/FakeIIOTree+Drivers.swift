/// The attributes of real drivers, as Linux 6.1 shows them with the chips at rest; the numbers are transcribed.
public enum DriverAttributes {
    /// hmc5843: x, y and z are not in the order of their indices, and the scale is 100 times too small.
    public static let hmc5883l =
        field("hmc5883l", 189, 109, -491, type: "be:s16/16>>0", indices: [0, 2, 1]).merging([
            "in_magn_scale": "0.000009174", "in_magn_sampling_frequency": "15.000000",
            "sampling_frequency_available": "0.750000 1.500000 3.0 7.500000 15.0 30.0 75.0",
            "in_mount_matrix": "1, 0, 0; 0, 1, 0; 0, 0, 1",
        ]) { $1 }

    /// ak8975: one scale for each axis.
    public static let ak8975 = field("ak8975", 58, 30, -171, type: "le:s16/16>>0").merging([
        "in_magn_x_scale": "0.003000", "in_magn_y_scale": "0.003187", "in_magn_z_scale": "0.002812",
        "in_mount_matrix": "1, 0, 0; 0, 1, 0; 0, 0, 1",
    ]) { $1 }

    /// bmc150_magn: 32 bits for each axis.
    public static let bmc150Magn = field("bmc150_magn", 279, 156, -720, type: "le:s32/32>>0").merging([
        "in_magn_scale": "0.000625", "in_magn_sampling_frequency": "10",
        "sampling_frequency_available": "2 6 8 10 15 20 25 30",
    ]) { $1 }

    /// st_magn's LSM303DLH: y and z exchanged, counts a gauss for a scale.
    public static let lsm303dlh = field("lsm303dlh_magn", 183, -428, 105, type: "be:s16/16>>0").merging([
        "in_magn_x_scale": "0.001100", "in_magn_y_scale": "0.001100", "in_magn_z_scale": "0.000980",
        "mount_matrix": "1, 0, 0; 0, 1, 0; 0, 0, 1", "sampling_frequency": "1",
        "sampling_frequency_available": "1 2 3 8 15 30 75",
    ]) { $1 }

    /// mmc35240: no buffer at all.
    public static let mmc35240 = [
        "name": "mmc35240", "in_magn_x_raw": "172", "in_magn_y_raw": "100", "in_magn_z_raw": "-448",
        "in_magn_scale": "0.001000", "in_magn_sampling_frequency": "1.500000",
        "sampling_frequency_available": "1.5 13 25 50",
    ]

    /// hid-sensor-magn-3d: field and heading, no timestamp, a trigger of its own.
    public static let magn3d = field("magn_3d", 173, 100, -450, type: "le:s16/32>>0").merging([
        "in_magn_scale": "0.001000000", "in_magn_offset": "0", "in_magn_sampling_frequency": "10.000000",
        "in_rot_from_north_magnetic_tilt_comp_raw": "3000", "in_rot_scale": "1.000000000",
        "in_rot_offset": "0", "in_rot_sampling_frequency": "10.000000",
        "trigger/current_trigger": "magn_3d-dev0",
        "scan_elements/in_rot_from_north_magnetic_tilt_comp_en": "0",
        "scan_elements/in_rot_from_north_magnetic_tilt_comp_index": "3",
        "scan_elements/in_rot_from_north_magnetic_tilt_comp_type": "le:s32/32>>0",
        "scan_elements/in_rot_from_north_true_tilt_comp_en": "0",
        "scan_elements/in_rot_from_north_true_tilt_comp_index": "4",
        "scan_elements/in_rot_from_north_true_tilt_comp_type": "le:s32/32>>0",
    ]) { $1 }.filter { !$0.key.contains("timestamp") }

    /// inv_mpu6050: accelerometer and gyroscope in one; its `in_accel_matrix` is no mount matrix.
    public static let mpu6050 = [
        "name": "mpu6050", "in_accel_x_raw": "0", "in_accel_y_raw": "0", "in_accel_z_raw": "16384",
        "in_accel_scale": "0.000598", "in_accel_matrix": "0, 0, 0; 0, 0, 0; 0, 0, 0",
        "in_accel_mount_matrix": "1, 0, 0; 0, 1, 0; 0, 0, 1", "in_anglvel_x_raw": "0",
        "in_anglvel_y_raw": "0", "in_anglvel_z_raw": "0", "in_anglvel_scale": "0.001064724",
        "in_anglvel_mount_matrix": "1, 0, 0; 0, 1, 0; 0, 0, 1", "sampling_frequency": "50",
        "sampling_frequency_available": "10 20 50 100 200 500",
    ]

    /// st_accel's part of an LSM303DLHC: 12 bits above 4 others.
    public static let lsm303dlhcAccel = buffered(
        "in_accel", [0, 1, 2], type: "le:s12/16>>4"
    ).merging([
        "name": "lsm303dlhc_accel", "in_accel_x_raw": "0", "in_accel_y_raw": "0", "in_accel_z_raw": "1000",
        "in_accel_x_scale": "0.009806", "in_accel_y_scale": "0.009806", "in_accel_z_scale": "0.009806",
        "mount_matrix": "1, 0, 0; 0, 1, 0; 0, 0, 1", "sampling_frequency": "1",
        "sampling_frequency_available": "1 10 25 50 100 200 400 1600",
    ]) { $1 }

    /// A magnetometer with a buffer; scale and the rest are the caller's.
    public static func field(
        _ name: String, _ x: Int, _ y: Int, _ z: Int, type: String, indices: [Int] = [0, 1, 2]
    ) -> [String: String] {
        buffered("in_magn", indices, type: type).merging([
            "name": name, "in_magn_x_raw": "\(x)", "in_magn_y_raw": "\(y)", "in_magn_z_raw": "\(z)",
        ]) { $1 }
    }

    private static func buffered(_ kind: String, _ indices: [Int], type: String) -> [String: String] {
        var attributes = [
            "current_timestamp_clock": "realtime", "trigger/current_trigger": "", "buffer/enable": "0",
            "buffer/length": "2", "scan_elements/in_timestamp_en": "0",
            "scan_elements/in_timestamp_index": "3", "scan_elements/in_timestamp_type": "le:s64/64>>0",
        ]
        for (axis, index) in zip(["x", "y", "z"], indices) {
            let name = "scan_elements/\(kind)_\(axis)_"
            attributes[name + "en"] = "0"
            attributes[name + "index"] = "\(index)"
            attributes[name + "type"] = type
        }
        return attributes
    }
}
