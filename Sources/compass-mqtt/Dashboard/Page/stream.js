// The dashboard's stream of events: opens it, notices when it dies, and opens it again.

// The server gives a sign every 5 s.
const silenceLimit = 12000;
const longestWait = 10000;

export class Stream {
  /** `take` gets (kind, data) for each event; `tell` gets true when the stream stands and false when it is lost. */
  constructor(take, tell) {
    this.take = take;
    this.tell = tell;
    this.failures = 0;
    setInterval(() => this.checkPulse(), 1000);
    // A phone that wakes up has a dead stream and does not know it.
    document.addEventListener("visibilitychange", () => document.hidden || this.checkPulse());
  }

  /** Follows a vessel; null: the one that the server chooses. */
  follow(base) {
    this.base = base;
    this.open();
  }

  /** Asks for this vessel also when the stream is opened again. */
  keep(base) {
    this.base = base;
  }

  open() {
    clearTimeout(this.retry);
    this.source?.close();
    const query = this.base === null ? "" : `?vessel=${encodeURIComponent(this.base)}`;
    const source = new EventSource(`events${query}`);
    this.source = source;
    this.heardAt = performance.now();
    for (const kind of ["message", "welcome", "broker", "vessels", "vessel", "sign"]) {
      source.addEventListener(kind, (event) => {
        this.heardAt = performance.now();
        this.failures = 0;
        if (kind === "welcome") this.tell(true);
        this.take(kind, JSON.parse(event.data));
      });
    }
    source.onerror = () => this.lose();
  }

  checkPulse() {
    if (this.source && performance.now() - this.heardAt > silenceLimit) this.lose();
  }

  lose() {
    if (!this.source) return;
    this.source.close();
    this.source = null;
    this.tell(false);
    const wait = Math.min(longestWait, 500 * 2 ** this.failures);
    this.failures += 1;
    this.retry = setTimeout(() => this.returnOrLogIn(), wait);
  }

  /** An event source does not tell why it was refused. */
  async returnOrLogIn() {
    try {
      const answer = await fetch("/", { method: "HEAD", cache: "no-store" });
      if (answer.status === 401) location.reload();
    } catch {
      // Not there: the stream will find that out, too.
    }
    this.open();
  }
}
