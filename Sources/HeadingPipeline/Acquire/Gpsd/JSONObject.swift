import CJSON

/// A JSON object in cJSON's tree, read field by field. A field of the wrong type counts as absent. The tree
/// belongs to whoever parsed it; an object must not outlive it.
struct JSONObject {
    private let node: UnsafePointer<cJSON>

    private init(_ node: UnsafePointer<cJSON>) { self.node = node }

    /// Parses the objects that stand one after another in `text` and frees each tree after `take`.
    /// Returns whether all of `text` was made of objects.
    static func forEach(in text: UnsafeRawBufferPointer, _ take: (JSONObject) -> Void) -> Bool {
        guard var start = text.baseAddress?.assumingMemoryBound(to: CChar.self) else { return false }
        let end = start + text.count
        while start < end {
            var stop: UnsafePointer<CChar>?
            let tree = cJSON_ParseWithLengthOpts(start, end - start, &stop, 0)
            defer { cJSON_Delete(tree) }
            guard let tree, let stop, cJSON_IsObject(tree) != 0 else { return false }
            take(JSONObject(tree))
            start = skipBlanks(from: stop, to: end)
        }
        return true
    }

    private static func skipBlanks(
        from start: UnsafePointer<CChar>, to end: UnsafePointer<CChar>
    ) -> UnsafePointer<CChar> {
        var position = start
        while position < end, position.pointee == 0x20 || position.pointee == 0x09 { position += 1 }
        return position
    }

    private func field(_ name: StaticString) -> UnsafePointer<cJSON>? {
        name.withUTF8Buffer { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                UnsafePointer(cJSON_GetObjectItemCaseSensitive(node, $0.baseAddress))
            }
        }
    }

    /// A finite number.
    func number(_ name: StaticString) -> Double? {
        guard let field = field(name), cJSON_IsNumber(field) != 0, field.pointee.valuedouble.isFinite
        else { return nil }
        return field.pointee.valuedouble
    }

    func string(_ name: StaticString) -> String? {
        guard let field = field(name), cJSON_IsString(field) != 0, let text = field.pointee.valuestring
        else { return nil }
        return String(cString: text)
    }

    func flag(_ name: StaticString) -> Bool? {
        guard let field = field(name), cJSON_IsBool(field) != 0 else { return nil }
        return cJSON_IsTrue(field) != 0
    }

    /// Whether there is such a field that is not null.
    func has(_ name: StaticString) -> Bool { field(name).map { cJSON_IsNull($0) == 0 } ?? false }

    /// Which of two members of one name counts, nobody knows.
    var namesOneTwice: Bool {
        var names: Set<String> = []
        var next = node.pointee.child
        while let member = next {
            if let name = member.pointee.string, !names.insert(String(cString: name)).inserted { return true }
            next = member.pointee.next
        }
        return false
    }

    /// The field is there, and `null`.
    func isNull(_ name: StaticString) -> Bool {
        field(name).map { cJSON_IsNull($0) != 0 } ?? false
    }

    func hasObject(_ name: StaticString) -> Bool {
        field(name).map { cJSON_IsObject($0) != 0 } ?? false
    }

    /// The objects in an array; `nil` where there is no such array.
    func objects(_ name: StaticString) -> [JSONObject]? {
        guard let array = field(name), cJSON_IsArray(array) != 0 else { return nil }
        var objects: [JSONObject] = []
        var next = array.pointee.child
        while let element = next {
            if cJSON_IsObject(element) != 0 { objects.append(JSONObject(element)) }
            next = element.pointee.next
        }
        return objects
    }
}
