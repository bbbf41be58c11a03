/** docs/protocol.md, made from the protocol's own tables, so that it cannot say anything else than they do. */
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

Made from the protocol's own tables by \`npm run reference\`. Version ${protocolVersion}.

One process, the gateway, does the work; commands, pages and programs ask it. They speak the same frames over two ways: the socket
\`gateway.sock\` in the home (one frame a line; whoever may open it is the owner) and WebSocket at \`/ws\` (one frame a message, text). What fits
into one request is there over plain HTTP, too: \`POST /api/rpc/<method>\`. \`@pincer/sdk/client\` is a typed client that does all of this page.`;

const frames = (source: ProtocolSource): string => `## Frames

Every frame is a JSON object.

| | | |
|---|---|---|
| request | \`{ "type": "req", "id", "method", "params"? }\` | \`id\` is yours, up to 128 characters, and not in use for another request that runs |
| answer | \`{ "type": "res", "id", "ok": true, "payload" }\` | answers come as they are ready, in any order |
| refusal | \`{ "type": "res", "id", "ok": false, "error" }\` | an \`id\` of \`""\` is about the connection, which then ends |
| event | \`{ "type": "event", "event", "payload", "seq", "stateVersion"?, "id"? }\` | \`seq\` rises by one with each event of the connection (0: about the connection itself); \`id\` names the request it belongs to |

An error has a \`code\` of the list below, a \`message\`, perhaps a \`hint\` (what to do next), a \`reason\` (a finer code) and a \`text\` (where its
words stand in the catalogue, for saying them in another language).

\`\`\`ts
${source.declaration("frames.ts", "export const FrameError", "export const ResponseFrame")}
\`\`\``;

const connecting = `## Connecting

1. Over WebSocket the gateway speaks first: \`connect.challenge\` with \`{ "challenge", "gatewayId" }\`.
2. The first request is \`connect\`, within 5 seconds: \`{ "protocol": ${protocolVersion}, "client": { "name", "version" }, "auth"? }\`.
3. The answer says who you are (\`caller\`), what there is (\`methods\`), which of them change something (\`effects\`), and the \`stateVersion\`.

\`\`\`text
← {"type":"event","event":"connect.challenge","payload":{"challenge":"9mY…","gatewayId":"g_…"},"seq":0}
→ {"type":"req","id":"1","method":"connect","params":{"protocol":${protocolVersion},"client":{"name":"mine","version":"1"},"auth":{"token":"pin_…"}}}
← {"type":"res","id":"1","ok":true,"payload":{"protocol":${protocolVersion},"caller":{"id":"token:…","name":"…","role":"developer"},…}}
\`\`\`

Ways in, one of which is enough:

| | |
|---|---|
| the socket of the home | its owner, by the file's permissions |
| a token | \`Authorization: Bearer …\` when the connection is opened, or \`auth.token\` in \`connect\`; never in an address |
| a signed token of your identity provider | like a token; see \`gateway.auth.jwt\` |
| a browser's session | the cookie that signing in at the page has set; pages of other places get nothing out of it |
| a device's key | \`auth.device\`: Ed25519 over the statement \`deviceStatement({ gatewayId, challenge, publicKey, wants })\` of the sdk; the owner lets a new device in with \`pincer access approve\` |

What was taken back ends its connections: at their next request, and within 15 seconds without one. A connection that closes aborts what still
runs for it, except runs: those go on, and \`agent.wait\` finds them again.`;

const effects = `## What is done once

A method with an effect takes an \`idempotencyKey\`. Asked again with the same key and the same parameters it is done once and answered alike;
with other parameters it is refused (\`IDEMPOTENCY_CONFLICT\`). Keys are everybody's own. With effect \`once\` the last 1000 are remembered for ten
minutes, as long as the gateway runs; with \`own\` the key is stored with what it made, for good. So whoever lost a connection before the answer
asks again under the same key, except for \`once\` when the gateway's \`startedAt\` has changed meanwhile.`;

const resuming = `## Going on after a break

Steps of a run are stored, and each has a number; words on their way are not. \`agent.wait\` with \`after\` tells every stored step above that
number as \`agent.step\`, then what is being said at this moment as \`agent.snapshot\`, then goes on with what happens:

\`\`\`text
→ {"type":"req","id":"7","method":"agent.wait","params":{"runId":"t_1","stream":true,"after":0}}
← {"type":"event","event":"agent.step","payload":{"runId":"t_1","seq":12,"entry":{…}},"seq":1,"id":"7"}
← {"type":"event","event":"agent.delta","payload":{"runId":"t_1","delta":"The ans"},"seq":2,"id":"7"}
   … the connection breaks; another one, connect …
→ {"type":"req","id":"2","method":"agent.wait","params":{"runId":"t_1","stream":true,"after":12}}
← {"type":"event","event":"agent.snapshot","payload":{"runId":"t_1","text":"The answer is","thinking":""},"seq":1,"id":"2"}
← {"type":"event","event":"agent.delta","payload":{"runId":"t_1","delta":" 42."},"seq":2,"id":"2"}
← {"type":"res","id":"2","ok":true,"payload":{…}}
\`\`\`

Forget the words you had when the connection broke: the snapshot has them, or a step does. The same request is how a second reader attaches to a
run that goes on. Events that were subscribed are not told again: where \`stateVersion\` has risen meanwhile, or \`seq\` skips one, ask again for
what you show.`;

const client = `## The client

\`@pincer/sdk/client\` is for pages and for Node, and needs nothing but a WebSocket. It connects again by itself, asks again what was not answered
(and makes the keys for it), subscribes again, and goes on with runs as above.

\`\`\`ts
import { createGatewayLink } from "@pincer/sdk/client";

const link = createGatewayLink({
  url: "ws://localhost:${defaultConfig.gateway.port}/ws",
  WebSocket,
  client: { name: "mine", version: "1" },
  auth: async () => ({ token }), // a page that is signed in leaves it out
  onState: (state) => console.log(state.type),
  onGap: () => showAllAgain(),
});
link.subscribe(["runs", "approvals"], ({ event, payload }) => console.log(event, payload));
const { runId } = await link.request("agent.run", { input: "Hello" });
const answer = await link.request("agent.wait", { runId, stream: true }, { onEvent: console.log });
\`\`\`

A request fails with a \`LinkError\` that has the \`code\`, \`hint\` and \`reason\` of the refusal, or \`CLOSED\`, or \`UNCERTAIN\` where the gateway was started
anew before it answered and nobody can tell whether it was done.`;

const events = (source: ProtocolSource): string => `## Events

\`events.subscribe\` brings events of these topics, as far as your role and reach allow; each raises \`stateVersion\`. \`gateway.stopping\` comes to
everybody who subscribed to anything.

\`\`\`ts
${source.declaration("events.ts", "export type GatewayEvent", "/** Null:")}
\`\`\`

While a request runs, events with its \`id\` may come: of \`agent.wait\` with \`stream\`

| event | payload, besides \`runId\` |
|---|---|
| \`agent.step\` | \`seq\`, \`entry\`: a step is stored |
| \`agent.snapshot\` | \`text\`, \`thinking\`: what is being said, whole |
| \`agent.delta\`, \`agent.thinking\` | \`delta\`: more of it |
| \`agent.block\` | \`text\`: a piece that stands by itself |
| \`agent.start_over\` | \`reason\`: forget what was being said |
| \`agent.tool_call\`, \`agent.tool_result\` | \`call\`; \`result\` |
| \`agent.approval\`, \`agent.approval_answered\` | \`approval\`; \`id\`, \`state\` |
| \`agent.completed\`, \`agent.failed\` | nothing: the answer follows |

To one connection alone: \`connect.challenge\`, \`gateway.slow\` (\`unreadBytes\`: read faster, or be cut off), and for a node \`node.invoke\` and
\`node.cancel\`.`;

const whenItComes: Record<ProtocolErrorCode, string> = {
  UNAUTHORIZED: "What was shown lets nobody in, or not any more.",
  AUTH_REQUIRED: "The first request was not connect, or it came too late.",
  FORBIDDEN: "Your role does not have the permission, or there are too many connections or requests.",
  TENANT_SCOPE_MISMATCH: "You are confined to some agents, and what you named is of another, or names none.",
  WORKSPACE_SCOPE_MISMATCH: "The same for spaces.",
  INVALID_REQUEST: "The frame or its parameters do not fit, or what they name is not there.",
  METHOD_NOT_FOUND: "There is no such method here.",
  IDEMPOTENCY_CONFLICT: "The key was used with other parameters.",
  SESSION_BUSY: "Somebody else is at work in the session; try again.",
  POLICY_DENIED: "The policy does not allow it.",
  MODEL_UNAVAILABLE: "No model could answer.",
  TOOL_EXEC_FAILED: "A tool failed.",
  INTERNAL_ERROR: "A mistake of the gateway's; its log says more.",
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
    'Each comes after a refusal with the id `""` that says it in words.',
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
    ["connections over the socket at once", "64", ""],
    ["connections at once", `${of.connections}`, "gateway.limits.connections"],
    [
      "connections at once from an address on which nobody has signed in",
      `${of.connectionsPerAddress}`,
      "gateway.limits.connectionsPerAddress",
    ],
    ["before connect is answered", "64 kB, within 5 s", ""],
    ["requests of a connection at once", "256", ""],
    [
      "requests a minute from an address that has not signed in",
      `${of.perAddress}`,
      "gateway.limits.perAddress",
    ],
    ["requests a minute of a caller", `${of.perUser}`, "gateway.limits.perUser"],
    ["requests and messages a minute in all", `${of.perTenant}`, "gateway.limits.perTenant"],
    [
      "wrong tokens, passwords and codes a minute from an address",
      `${of.signInTries}`,
      "gateway.limits.signInTries",
    ],
    ["left unread", "told at 1 MB, cut off at 8 MB", ""],
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
    `Requests must name this machine (\`gateway.allowedHosts\`) and come from no other place's page (\`gateway.allowedOrigins\`). Bodies are JSON with
\`Content-Type: application/json\`. Failures are \`{ "error": { "code", "message", "hint"? } }\`, but for \`/v1\`, which speaks as OpenAI does.`,
    "",
    "| | | needs |",
    "|---|---|---|",
    ...allRoutes().map(({ method, path, access }) => `| ${method} | \`${path}\` | ${needs(access)} |`),
    "| GET | `/ws` | upgrade to WebSocket |",
  ].join("\n");
}

function needs(access: HttpRoute["access"]): string {
  if (access.type === "permission") return `\`${access.point}\``;
  return access.type === "open" ? "nothing" : "a signature of its own";
}

const reachWords: Record<MethodScope, string> = {
  free: "anybody",
  agent: "must name an agent of theirs",
  session: "must name a session of theirs",
  run: "must name a run of theirs",
  tenant: "nobody who is confined",
};

const effectWords: Record<MethodEffect, string> = {
  read: "only reads",
  change: "once under its key",
  own: "once under its key, for good",
};

function methodList(source: ProtocolSource): string {
  const names = (Object.keys(methods) as MethodName[]).toSorted();
  const families = [...new Set(names.map(familyOf))];
  return [
    "## Methods",
    "",
    "*Needs* is the permission; those roles have it that are named. *Confined* is what callers may do who have some agents and not all.",
    "A parameter that a method does not take is refused: `unknown parameter X; it takes …`.",
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
