/** A collector that speaks OTLP over HTTP, for tests. */
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export interface CollectedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  status: { code: number };
  attributes: Record<string, unknown>;
}

export interface Collector {
  endpoint: string;
  spans: CollectedSpan[];
  bodies: string[];
  headers: IncomingHttpHeaders[];
  /** What the next requests are answered with; 200 in the end. */
  answers: number[];
  /** Resolves when this many spans have arrived. */
  until(count: number): Promise<void>;
  close(): Promise<void>;
}

export async function startCollector(): Promise<Collector> {
  const waiting = new Set<() => void>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const status = collector.answers.shift() ?? 200;
      collector.headers.push(request.headers);
      if (status === 200) {
        const body = Buffer.concat(chunks).toString();
        collector.bodies.push(body);
        collector.spans.push(...spansIn(body));
      }
      response.writeHead(status, { "content-type": "application/json" }).end("{}");
      for (const look of waiting) look();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const collector: Collector = {
    endpoint: `http://127.0.0.1:${port}/v1/traces`,
    spans: [],
    bodies: [],
    headers: [],
    answers: [],
    until: (count) =>
      new Promise((resolve) => {
        const look = () => {
          if (collector.spans.length < count) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return collector;
}

interface Sent {
  resourceSpans: Array<{
    scopeSpans: Array<{
      spans: Array<
        Omit<CollectedSpan, "attributes"> & {
          attributes: Array<{ key: string; value: Record<string, unknown> }>;
        }
      >;
    }>;
  }>;
}

const spansIn = (body: string): CollectedSpan[] =>
  (JSON.parse(body) as Sent).resourceSpans.flatMap(({ scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(({ attributes, ...span }) => ({
        ...span,
        attributes: Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]])),
      })),
    ),
  );
