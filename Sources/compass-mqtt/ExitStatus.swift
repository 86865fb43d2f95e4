/// What the program ends with.
enum ExitStatus: Int32 {
    case done = 0
    case failed = 1
    case usage = 2
}
