import CMosquitto

/// What the broker says it can do, in the properties of an MQTT 5 CONNACK (section 3.2.2.3); what it does not
/// say, and with MQTT 3.1.1, is without limit.
struct BrokerLimits: Hashable {
    var bestQos = 2
    var retainsMessages = true
    /// In bytes, header included.
    var longestPacket = 268_435_455

    init() {}

    init(_ properties: OpaquePointer?) {
        var qos: UInt8 = 0
        if mosquitto_property_read_byte(properties, Int32(MQTT_PROP_MAXIMUM_QOS.rawValue), &qos, false) != nil
        {
            bestQos = Int(qos)
        }
        var retains: UInt8 = 0
        if mosquitto_property_read_byte(
            properties, Int32(MQTT_PROP_RETAIN_AVAILABLE.rawValue), &retains, false) != nil
        {
            retainsMessages = retains != 0
        }
        var size: UInt32 = 0
        if mosquitto_property_read_int32(
            properties, Int32(MQTT_PROP_MAXIMUM_PACKET_SIZE.rawValue), &size, false) != nil
        {
            longestPacket = Int(size)
        }
    }
}
