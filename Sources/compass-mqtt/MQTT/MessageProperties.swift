import CMosquitto
import HeadingPipeline

/// MQTT 5 properties of a message, made once and sent many times.
final class MessageProperties {
    private(set) var list: OpaquePointer?

    init(expiry: Interval) {
        let seconds = UInt32(clamping: expiry.nanoseconds / 1_000_000_000)
        mosquitto_property_add_int32(&list, Int32(MQTT_PROP_MESSAGE_EXPIRY_INTERVAL.rawValue), seconds)
    }

    deinit { mosquitto_property_free_all(&list) }
}
