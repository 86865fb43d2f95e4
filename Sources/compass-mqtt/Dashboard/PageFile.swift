/// A file of the page, part of the binary (the files stand in Page/).
struct PageFile {
    let type: String
    let bytes: [UInt8]

    var response: HTTPResponse { .page(bytes, type: type) }

    static let index = PageFile(type: html, bytes: PackageResources.index_html)

    static func named(_ path: String) -> PageFile? {
        switch path {
        case "/style.css": PageFile(type: "text/css; charset=utf-8", bytes: PackageResources.style_css)
        // Asked for where a document cannot name its icon.
        case "/icon.svg", "/favicon.ico": PageFile(type: "image/svg+xml", bytes: PackageResources.icon_svg)
        case "/app.webmanifest":
            PageFile(type: "application/manifest+json", bytes: PackageResources.app_webmanifest)
        default: script(path).map { PageFile(type: "text/javascript; charset=utf-8", bytes: $0) }
        }
    }

    private static func script(_ path: String) -> [UInt8]? {
        switch path {
        case "/main.js": PackageResources.main_js
        case "/angles.js": PackageResources.angles_js
        case "/quantities.js": PackageResources.quantities_js
        case "/vessel.js": PackageResources.vessel_js
        case "/stream.js": PackageResources.stream_js
        case "/svg.js": PackageResources.svg_js
        case "/dial.js": PackageResources.dial_js
        case "/steering.js": PackageResources.steering_js
        case "/gauge.js": PackageResources.gauge_js
        case "/goal.js": PackageResources.goal_js
        case "/attitude.js": PackageResources.attitude_js
        case "/strip.js": PackageResources.strip_js
        case "/plot.js": PackageResources.plot_js
        case "/panel.js": PackageResources.panel_js
        case "/words.js": PackageResources.words_js
        case "/choices.js": PackageResources.choices_js
        case "/login.js": PackageResources.login_js
        default: nil
        }
    }

    enum LoginNotice: String {
        case first = ""
        case wrong = "That is not the token."
        case lockedOut = "Too many wrong tokens. Wait a minute."
    }

    static func login(_ notice: LoginNotice) -> [UInt8] {
        let page = PackageResources.login_html
        let place = Array("NOTICE".utf8)
        guard let start = page.indices.first(where: { page[$0...].starts(with: place) }) else { return page }
        return page[..<start] + Array(notice.rawValue.utf8) + page[(start + place.count)...]
    }

    private static let html = "text/html; charset=utf-8"
}
