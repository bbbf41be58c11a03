/** A broker with a world of its own: names resolve as told, and what is dialled is written down instead of being reached. */
import { Duplex } from "node:stream";
import { systemClock } from "../../../infra/clock.ts";
import type { Connection } from "../checked-dial.ts";
import { createEgress } from "../create-egress.ts";
import type { Egress, EgressRules } from "../egress.ts";

export interface RecordedEgress {
  egress: Egress;
  /** `address:port`, in order. */
  dialled: string[];
  /** Names that somebody was asked for. */
  lookedUp: string[];
}

const answer = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";

export function recordedEgress(
  names: Record<string, readonly string[]> = {},
  rules: Partial<EgressRules> = {},
): RecordedEgress {
  const dialled: string[] = [];
  const lookedUp: string[] = [];
  const egress = createEgress({
    rules: { allow: [], deny: [], allowPrivate: [], ...rules },
    limits: { maxBytes: 10_000, timeoutMs: 20_000, maxRedirects: 5 },
    clock: systemClock,
    async lookup(host) {
      lookedUp.push(host);
      const found = names[host];
      if (!found) throw new Error("no such name");
      return found;
    },
    connect({ address, port }) {
      dialled.push(`${address}:${port}`);
      return answering(address, answer);
    },
  });
  return { egress, dialled, lookedUp };
}

/** A connection that stands at once and answers the first thing it hears. */
export function answering(remoteAddress: string, text: string): Connection {
  const stream = new Duplex({
    read() {},
    write(_chunk, _encoding, done) {
      stream.push(text);
      stream.push(null);
      done();
    },
  });
  queueMicrotask(() => stream.emit("connect"));
  return Object.assign(stream, { remoteAddress });
}
