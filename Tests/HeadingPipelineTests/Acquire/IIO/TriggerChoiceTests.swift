import HeadingPipeline
import TestSupport
import Testing

@Suite("Choice of a trigger")
struct TriggerChoiceTests {
    private let tree: FakeIIOTree

    init() throws {
        tree = try FakeIIOTree()
        try tree.add(2, at: "i2c-1/1-001e", DriverAttributes.bmc150Magn)
    }

    private func choice(current: String? = nil, wanted: String? = nil) throws -> String {
        let root = IIORoot(tree.root)
        let device = try #require(root.devices().first)
        switch TriggerChoice(for: device, among: root.triggers(), current: current, wanted: wanted) {
        case .use(let trigger): return trigger.name
        case .missing(let reason): return reason
        }
    }

    @Test("the operator's, the device's, its own, a timer, none")
    func order() throws {
        #expect(try choice() == TriggerChoice.hint)
        try tree.addTrigger(0, ["name": "sysfstrig0", "trigger_now": ""])
        // It stands still unless a program fires it.
        #expect(try choice() == TriggerChoice.hint)
        try tree.addTrigger(1, ["name": "hr1", "sampling_frequency": "100"])
        #expect(try choice() == "hr1")
        try tree.addTrigger(2, ["name": "bmc150_magn-dev2"])
        #expect(try choice() == "bmc150_magn-dev2")
        #expect(try choice(current: "sysfstrig0") == "sysfstrig0")
        #expect(try choice(current: "sysfstrig0", wanted: "hr1") == "hr1")
    }

    @Test("one that is not there is not replaced by another")
    func notThere() throws {
        try tree.addTrigger(1, ["name": "hr1", "sampling_frequency": "100"])
        #expect(try choice(wanted: "hr9") == "no trigger hr9, there are hr1")
    }

    @Test("another device's own is left to it")
    func foreign() throws {
        try tree.addTrigger(2, ["name": "bmc150_magn-dev3"])
        #expect(try choice() == TriggerChoice.hint)
    }
}
