/** Generates docs/protocol.md from the protocol's own tables, so that the page always matches them. */
import {
  closeCodes,
  largestFrameBytes,
  methods,
  protocolErrorCodes,
  protocolVersion,
  type MethodEffect,
  type MethodName,
  type MethodScope,
  type ProtocolErrorCode,
} from "@pincer/sdk";
import { meaningOfClose } from "../packages/sdk/src/protocol/close-codes.ts";
import { configShape, type Config } from "../src/config/schema.ts";
import type { HttpRoute } from "../src/gateway/http/http-route.ts";
import { allRoutes } from "../src/gateway/http/testing/all-routes.ts";
import { permissionOf } from "../src/policy/method-access.ts";
import { holds, roles } from "../src/policy/permission-points.ts";
import { defaultsOf } from "./default-config-file.ts";
import { readProtocolSource, type ProtocolSource } from "./protocol-source.ts";

/** From the schema itself: the file of defaults may be about to be written anew. */
const defaultConfig = defaultsOf(configShape) as Config;

export function protocolReference(): string {
  const source = readProtocolSource();
  return `${[
    opening,
    frames(source),
    connecting,
    effects,
    resuming,
    client,
    events(source),
    errors(),
    closes(),
    limits(),
    routes(),
    methodList(source),
  ].join("\n\n")}\n`;
}

const opening = `# Protocol

Generated from the protocol's own tables by \`npm run reference\`. Version ${protocolVersion}.

One process, the gateway, does the work; commands, pages and programs are its clients. They exchange the same frames over two
transports: the socket \`gateway.sock\` in the home (one frame per line; everybody who may open it is the owner) and WebSocket at \`/ws\`
(one frame per text message). Methods without streams are also available over plain HTTP: \`POST /api/rpc/<method>\`.
\`@pincer/sdk/client\` is a typed client that implements this page.`;

const frames = (source: ProtocolSource): string => `## Frames

Every frame is a JSON object.

| | | |
|---|---|---|
| request | \`{ "type": "req", "id", "method", "params"? }\` | you choose \`id\`: up to 128 characters, not in use by another running request |
| answer | \`{ "type": "res", "id", "ok": true, "payload" }\` | answers arrive as they are ready, in any order |
| refusal | \`{ "type": "res", "id", "ok": false, "error" }\` | an \`id\` of \`""\` means the connection itself, which then ends |
| event | \`{ "type": "event", "event", "payload", "seq", "stateVersion"?, "id"? }\` | \`seq\` rises by one with each event of the connection (0: about the connection itself); \`id\` is the request that it belongs to |

An error has a \`code\` from the list below and a \`message\`. It may have a \`hint\` (what to do next), a \`reason\` (a more specific code) and
a \`text\` (the key of the message in the catalogue of texts, to show it in another language).

\`\`\`ts
${source.declaration("frames.ts", "export const FrameError", "export const ResponseFrame")}
\`\`\``;

const connecting = `## Connecting

1. Over WebSocket the gateway sends the first frame: \`connect.challenge\` with \`{ "challenge", "gatewayId" }\`.
2. The first request is \`connect\`, within 5 seconds: \`{ "protocol": ${protocolVersion}, "client": { "name", "version" }, "auth"? }\`.
3. The answer contains who you are (\`caller\`), the available \`methods\`, which of them change something (\`effects\`), and the \`stateVersion\`.

\`\`\`text
← {"type":"event","event":"connect.challenge","payload":{"challenge":"9mY…","gatewayId":"g_…"},"seq":0}
→ {"type":"req","id":"1","method":"connect","params":{"protocol":${protocolVersion},"client":{"name":"mine","version":"1"},"auth":{"token":"pin_…"}}}
← {"type":"res","id":"1","ok":true,"payload":{"protocol":${protocolVersion},"caller":{"id":"token:…","name":"…","role":"developer"},…}}
\`\`\`

One of these is enough to authenticate:

| | |
|---|---|
| the socket of the home | the owner, by the file's permissions |
| a token | \`Authorization: Bearer …\` when you open the connection, or \`auth.token\` in \`connect\`; never in a URL |
| a signed token of your identity provider | like a token; see \`gateway.auth.jwt\` |
| a browser's session | the cookie of the signed-in page; pages of other origins cannot use it |
| a device's key | \`auth.device\`: Ed25519 over the statement \`deviceStatement({ gatewayId, challenge, publicKey, wants })\` of the sdk; the owner approves a new device with \`pincer access approve\` |

Revoking access ends its connections: at their next request, and within 15 seconds without one. When a connection closes, its requests are
aborted, except for runs: those continue, and \`agent.wait\` finds them again.`;

const effects = `## Idempotency

A method with an effect takes an \`idempotencyKey\`. Requests with the same key and the same parameters are executed once and get the same
answer; with other parameters they are refused (\`IDEMPOTENCY_CONFLICT\`). Each caller has its own keys. With effect \`once\` the gateway
remembers the last 1000 keys for ten minutes, while it runs; with \`own\` the key is stored with its result, for good. How the answer to a
question is read (\`stream\`, \`language\`) is not compared then. So a client that lost the connection before the answer
repeats the request with the same key, except with \`once\` if the gateway's \`startedAt\` has changed.`;

const resuming = `## Resuming after a disconnect

The steps of a run are stored and numbered; streamed text is not. \`agent.wait\` with \`after\` sends every stored step with a higher number as
\`agent.step\`, then the current text as \`agent.snapshot\`, and then continues with live events:

\`\`\`text
→ {"type":"req","id":"7","method":"agent.wait","params":{"runId":"t_1","stream":true,"after":0}}
← {"type":"event","event":"agent.step","payload":{"runId":"t_1","seq":12,"entry":{…}},"seq":1,"id":"7"}
← {"type":"event","event":"agent.delta","payload":{"runId":"t_1","delta":"The ans"},"seq":2,"id":"7"}
   … the connection breaks; open another one, connect …
→ {"type":"req","id":"2","method":"agent.wait","params":{"runId":"t_1","stream":true,"after":12}}
← {"type":"event","event":"agent.snapshot","payload":{"runId":"t_1","text":"The answer is","thinking":""},"seq":1,"id":"2"}
← {"type":"event","event":"agent.delta","payload":{"runId":"t_1","delta":" 42."},"seq":2,"id":"2"}
← {"type":"res","id":"2","ok":true,"payload":{…}}
\`\`\`

Discard the streamed text that you had when the connection broke: the snapshot or a step contains it. A second reader attaches to a running run
with the same request. Subscribed events are not repeated: if \`stateVersion\` has risen meanwhile, or \`seq\` has a gap, reload what you show.`;

const client = `## The client

\`@pincer/sdk/client\` works in pages and in Node, and needs only a WebSocket. It reconnects automatically, repeats unanswered requests (with
generated keys), subscribes again, and resumes runs as above.

\`\`\`ts
import { createGatewayLink } from "@pincer/sdk/client";

const link = createGatewayLink({
  url: "ws://localhost:${defaultConfig.gateway.port}/ws",
  WebSocket,
  client: { name: "mine", version: "1" },
  auth: async () => ({ token }), // not needed in a signed-in page
  onState: (state) => console.log(state.type),
  onGap: () => showAllAgain(),
});
link.subscribe(["runs", "approvals"], ({ event, payload }) => console.log(event, payload));
const { runId } = await link.request("agent.run", { input: "Hello" });
const answer = await link.request("agent.wait", { runId, stream: true }, { onEvent: console.log });
\`\`\`

A request fails with a \`LinkError\` that has the \`code\`, \`hint\` and \`reason\` of the refusal. The code is \`CLOSED\` if the link was closed,
and \`UNCERTAIN\` if the gateway restarted before it answered, so that the outcome is unknown.`;

const events = (source: ProtocolSource): string => `## Events

\`events.subscribe\` subscribes to events of these topics, as far as your role and scope allow; each event raises \`stateVersion\`. Every
subscriber of any topic gets \`gateway.stopping\`.

\`\`\`ts
${source.declaration("events.ts", "export type GatewayEvent", "/** Null:")}
\`\`\`

While a request runs, events with its \`id\` may arrive. For \`agent.wait\` with \`stream\`:

| event | payload, besides \`runId\` |
|---|---|
| \`agent.step\` | \`seq\`, \`entry\`: a step was stored |
| \`agent.snapshot\` | \`text\`, \`thinking\`: the whole current text |
| \`agent.delta\`, \`agent.thinking\` | \`delta\`: text to append |
| \`agent.block\` | \`text\`: a complete block |
| \`agent.start_over\` | \`reason\`: discard the current text |
| \`agent.tool_call\`, \`agent.tool_result\` | \`call\`; \`result\` |
| \`agent.approval\`, \`agent.approval_answered\` | \`approval\`; \`id\`, \`state\` |
| \`agent.completed\`, \`agent.failed\` | nothing: the answer follows |

Sent to a single connection: \`connect.challenge\`, \`gateway.slow\` (\`unreadBytes\`: read faster, or the connection is closed), and to a node
\`node.invoke\` and \`node.cancel\`.`;

const whenItComes: Record<ProtocolErrorCode, string> = {
  UNAUTHORIZED: "The credentials are not valid, or no longer valid.",
  AUTH_REQUIRED: "The first request was not connect, or it came too late.",
  FORBIDDEN: "Your role does not have the permission, or there are too many connections.",
  TENANT_SCOPE_MISMATCH:
    "You have access to some agents only, and the request is about another agent, or names none.",
  WORKSPACE_SCOPE_MISMATCH: "The same for spaces.",
  INVALID_REQUEST: "The frame or its parameters are not valid, or name something that does not exist.",
  METHOD_NOT_FOUND: "There is no such method.",
  IDEMPOTENCY_CONFLICT: "The key was used with other parameters.",
  RATE_LIMITED: "Too many requests, tries or uploads; try again later. Over HTTP also: too many connections.",
  SESSION_BUSY: "Another request uses the session; try again.",
  POLICY_DENIED: "The policy does not allow it.",
  MODEL_UNAVAILABLE: "No model could answer.",
  TOOL_EXEC_FAILED: "A tool failed.",
  INTERNAL_ERROR: "Internal error in the gateway; see its log.",
};

const errors = (): string =>
  [
    "## Errors",
    "",
    "| code | when |",
    "|---|---|",
    ...protocolErrorCodes.map((code) => `| \`${code}\` | ${whenItComes[code]} |`),
  ].join("\n");

const closes = (): string =>
  [
    "## Close codes",
    "",
    'Each follows a refusal with the id `""` that explains it.',
    "",
    "| code | |",
    "|---|---|",
    ...Object.values(closeCodes).map((code) => `| ${code} | ${meaningOfClose(code)} |`),
  ].join("\n");

function limits(): string {
  const of = defaultConfig.gateway.limits;
  const rows = [
    ["a frame over WebSocket", `${of.frameBytes} bytes`, "gateway.limits.frameBytes"],
    ["a line over the socket", `${largestFrameBytes} bytes`, ""],
    ["a body over HTTP", `${of.bodyBytes} bytes, within 30 s`, "gateway.limits.bodyBytes"],
    ["concurrent connections over the socket", "64", ""],
    ["concurrent connections", `${of.connections}`, "gateway.limits.connections"],
    [
      "concurrent connections from an address without a sign-in",
      `${of.connectionsPerAddress}`,
      "gateway.limits.connectionsPerAddress",
    ],
    ["data before connect is answered", "64 kB, within 5 s", ""],
    ["concurrent requests of a connection", "256", ""],
    [
      "requests per minute from an address that has not signed in",
      `${of.perAddress}`,
      "gateway.limits.perAddress",
    ],
    ["requests per minute of a caller", `${of.perUser}`, "gateway.limits.perUser"],
    ["requests and messages per minute in total", `${of.perTenant}`, "gateway.limits.perTenant"],
    [
      "wrong tokens, passwords and codes per minute from an address",
      `${of.signInTries}`,
      "gateway.limits.signInTries",
    ],
    ["unread data of a connection", "warning at 1 MB, closed at 8 MB", ""],
  ];
  return [
    "## Limits",
    "",
    "| what | how much | key |",
    "|---|---|---|",
    ...rows.map(([what, most, key]) => `| ${what} | ${most} | ${key ? `\`${key}\`` : ""} |`),
  ].join("\n");
}

function routes(): string {
  return [
    "## HTTP",
    "",
    `Requests must use a known host name (\`gateway.allowedHosts\`) and must not come from a page of another origin (\`gateway.allowedOrigins\`).
Bodies are JSON with \`Content-Type: application/json\`. Errors are \`{ "error": { "code", "message", "hint"? } }\`, except under \`/v1\`, which
uses OpenAI's format.`,
    "",
    "| | | needs |",
    "|---|---|---|",
    ...allRoutes().map(({ method, path, access }) => `| ${method} | \`${path}\` | ${needs(access)} |`),
    "| GET | `/ws` | upgrade to WebSocket |",
  ].join("\n");
}

function needs(access: HttpRoute["access"]): string {
  if (access.type === "permission") return `\`${access.point}\``;
  return access.type === "open" ? "nothing" : "its own signature";
}

const reachWords: Record<MethodScope, string> = {
  free: "allowed",
  agent: "must name one of their agents",
  session: "must name one of their sessions",
  run: "must name one of their runs",
  tenant: "not allowed",
};

const effectWords: Record<MethodEffect, string> = {
  read: "reads only",
  change: "once per key",
  own: "once per key, for good",
};

function methodList(source: ProtocolSource): string {
  const names = (Object.keys(methods) as MethodName[]).toSorted();
  const families = [...new Set(names.map(familyOf))];
  return [
    "## Methods",
    "",
    "*Needs* names the permission and the roles that have it. *Confined* says what callers may do who have access to some agents only.",
    "An unknown parameter is refused: `unknown parameter X; it takes …`.",
    ...families.flatMap((family) => [
      "",
      `### ${family}`,
      ...names.filter((name) => familyOf(name) === family).flatMap((name) => describeMethod(name, source)),
    ]),
  ].join("\n");
}

const familyOf = (name: string): string => name.split(".")[0] ?? name;

function describeMethod(name: MethodName, { contracts, results }: ProtocolSource): string[] {
  const { params, effect } = methods[name];
  const point = permissionOf(name);
  const facts =
    name === "connect"
      ? "Needs nothing."
      : `Needs \`${point ?? "-"}\` (${roles.filter((role) => holds(role, point)).join(", ")}). Confined: ${reachWords[methods[name].scope]}. Effect: ${effectWords[effect]}.`;
  const shape = params as Shape;
  const fields = Object.entries(shape.properties ?? {}).map(
    ([field, value]) => `- \`${field}\`${shape.required?.includes(field) ? "" : "?"}: ${kindOf(value)}`,
  );
  const contract = contracts.get(name);
  const result = results.get(name) ?? { type: "unknown", note: "" };
  return [
    "",
    `#### \`${name}\``,
    "",
    ...(contract ? [contract, ""] : []),
    facts,
    ...(fields.length > 0 ? ["", ...fields] : []),
    "",
    `Answers \`${result.type}\`.${result.note && ` ${result.note}`}`,
  ];
}

interface Shape {
  type?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Shape[];
  items?: Shape;
  properties?: Record<string, Shape>;
  required?: string[];
  patternProperties?: Record<string, Shape>;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  maxItems?: number;
}

function kindOf(shape: Shape): string {
  if (shape.enum) return shape.enum.map((value) => `\`${JSON.stringify(value)}\``).join(", ");
  if (shape.const !== undefined) return `\`${JSON.stringify(shape.const)}\``;
  if (shape.anyOf) return shape.anyOf.map(kindOf).join(" or ");
  if (shape.properties) {
    const inner = Object.entries(shape.properties).map(
      ([name, value]) => `\`${name}\`${shape.required?.includes(name) ? "" : "?"} ${kindOf(value)}`,
    );
    return `an object of ${inner.join("; ")}`;
  }
  switch (shape.type) {
    case "string":
      return `text${shape.maxLength === undefined ? "" : ` up to ${shape.maxLength}`}`;
    case "integer":
    case "number":
      return `a number${shape.minimum === undefined ? "" : ` from ${shape.minimum}`}${shape.maximum === undefined ? "" : ` to ${shape.maximum}`}`;
    case "boolean":
      return "true or false";
    case "array":
      return `a list${shape.maxItems === undefined ? "" : ` of up to ${shape.maxItems}`}: ${shape.items ? kindOf(shape.items) : "anything"}`;
    case "object":
      return "an object";
    case "null":
      return "`null`";
    default:
      return "anything";
  }
}
