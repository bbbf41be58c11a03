/** The faults of the fake server. Each applies to the calls that it names, until it is ended or a number of times. */
import type { ServerResponse } from "node:http";

export type Fault =
  /** Another program polls with the same token. */
  | { type: "conflict" }
  /** Another program has set a webhook. */
  | { type: "webhook-conflict" }
  | { type: "rate-limited"; retryAfter: number }
  /** The Bot API itself says that it could not. */
  | { type: "server-error"; status: 500 | 502 | 503 }
  /** A page of whatever stands before the Bot API; `after` it was really done. */
  | { type: "html-page"; status: number; after?: boolean }
  /** The request is taken, and nothing comes back. */
  | { type: "half-open" }
  /** The head comes, the body never. */
  | { type: "stalled-body" }
  /** A letter now and then, and never the end. */
  | { type: "slow-body" }
  /** It is done, and the connection ends before the answer. */
  | { type: "lost-answer" }
  /** The connection ends before anything is done. */
  | { type: "reset" }
  | { type: "reset-in-body" }
  | { type: "truncated-json" }
  /** More than anybody wants to read. */
  | { type: "giant"; bytes: number }
  | { type: "not-the-shape"; result: unknown }
  | { type: "revoked" }
  | { type: "blocked" }
  | { type: "chat-not-found" }
  | { type: "bad-entities" }
  | { type: "edited-away" }
  | { type: "redirect" }
  | { type: "bad-request"; description: string }
  /** Answers at once, also where there is nothing. */
  | { type: "no-long-poll" }
  /** Brings each update a second time, under the same number. */
  | { type: "doubled-updates" }
  /** The latest first. */
  | { type: "reversed-updates" }
  /** Brings what was confirmed before. */
  | { type: "forgotten-offset" }
  /** Brings things between that are no updates. */
  | { type: "junk-updates" }
  /** Never brings anything, and says that all is well. */
  | { type: "deaf" };

export interface FaultSwitch {
  end(): void;
  /** How often it was met. */
  met(): number;
}

export interface Faults {
  /** `method` alone is met by it; all of them without. */
  begin(fault: Fault, on?: { method?: string | undefined; times?: number }): FaultSwitch;
  /** The one to apply to this call, which counts as met. */
  meet(method: string): Fault | undefined;
}

export function createFaults(): Faults {
  const active: Array<{ fault: Fault; method: string | undefined; left: number; met: number }> = [];
  return {
    begin(fault, { method, times = Number.POSITIVE_INFINITY } = {}) {
      const entry = { fault, method, left: times, met: 0 };
      active.push(entry);
      return {
        end: () => void (entry.left = 0),
        met: () => entry.met,
      };
    },
    meet(method) {
      const entry = active.find((each) => each.left > 0 && (each.method ?? method) === method);
      if (!entry) return undefined;
      entry.left -= 1;
      entry.met += 1;
      return entry.fault;
    },
  };
}

type Answer = (status: number, body: object) => void;

const refusals: Partial<Record<Fault["type"], [number, string]>> = {
  conflict: [
    409,
    "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
  ],
  "webhook-conflict": [
    409,
    "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
  ],
  revoked: [401, "Unauthorized"],
  blocked: [403, "Forbidden: bot was blocked by the user"],
  "chat-not-found": [400, "Bad Request: chat not found"],
  "bad-entities": [400, "Bad Request: can't parse entities: Unsupported start tag at byte offset 0"],
  "edited-away": [400, "Bad Request: message to edit not found"],
};

/** True where the fault is the whole answer; the method then never runs, unless `isDone` says that it has. */
export function misbehave(
  fault: Fault,
  response: ServerResponse,
  answer: Answer,
  result: () => unknown,
): boolean {
  const refusal = refusals[fault.type];
  if (refusal) {
    answer(refusal[0], { ok: false, error_code: refusal[0], description: refusal[1] });
    return true;
  }
  switch (fault.type) {
    case "rate-limited":
      answer(429, {
        ok: false,
        error_code: 429,
        description: `Too Many Requests: retry after ${fault.retryAfter}`,
        parameters: { retry_after: fault.retryAfter },
      });
      return true;
    case "server-error":
      answer(fault.status, { ok: false, error_code: fault.status, description: "Internal Server Error" });
      return true;
    case "html-page":
      if (fault.after) result();
      response.writeHead(fault.status, { "content-type": "text/html" });
      response.end("<html><head><title>Bad Gateway</title></head><body>nginx</body></html>");
      return true;
    case "half-open":
      return true;
    case "stalled-body":
      response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
      response.write('{"ok":true,');
      return true;
    case "slow-body":
      trickle(response);
      return true;
    case "lost-answer":
      result();
      response.socket?.destroy();
      return true;
    case "reset":
      response.socket?.resetAndDestroy();
      return true;
    case "reset-in-body":
      response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
      response.write('{"ok":true,', () => response.socket?.resetAndDestroy());
      return true;
    case "truncated-json":
      response.writeHead(200, { "content-type": "application/json" });
      response.end('{"ok":true,"result":[{"upda');
      return true;
    case "giant":
      response.writeHead(200, { "content-type": "application/json" });
      response.end(`{"ok":true,"result":["${"x".repeat(fault.bytes)}"]}`);
      return true;
    case "not-the-shape":
      answer(200, { ok: true, result: fault.result });
      return true;
    case "redirect":
      response.writeHead(302, { location: "http://127.0.0.1:9/" });
      response.end();
      return true;
    case "bad-request":
      answer(400, { ok: false, error_code: 400, description: `Bad Request: ${fault.description}` });
      return true;
    default:
      return false;
  }
}

function trickle(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "application/json" });
  const timer = setInterval(() => response.write(" "), 20);
  response.on("close", () => clearInterval(timer));
}
