/**
 * One call of a hook: authenticated, counted, read, and on disk before it is acknowledged. From outside, a hook that
 * does not exist looks like a wrong signature. The content is labelled as a stranger's words, no matter who signed it.
 */
import { createHash, randomBytes } from "node:crypto";
import { formatSessionKey, parseSessionKey, type Destination } from "@pincer/sdk";
import type { Config } from "../../config/schema.ts";
import type { Clock } from "../../infra/clock.ts";
import type { Redactor } from "../../infra/redactor.ts";
import { systemMessage } from "../../routing/system-message.ts";
import type { InboxRow, InboxStore } from "../../storage/inbox/inbox.ts";
import type { SignInTries } from "../doors/sign-in-tries.ts";
import { HttpFailure, type HttpCall, type HttpReply } from "../http/http-route.ts";
import { createTokenBuckets, type Taken, type TokenBuckets } from "../limits/token-buckets.ts";
import { checkSignature, signatureWindowMs, type Proof, type SignatureKind } from "./check-signature.ts";
import { createFirstDeliveries } from "./first-deliveries.ts";
import { readHookBody, readHookBytes } from "./read-body.ts";
import { renderTemplate, type HookInput } from "./render-template.ts";

export type Hook = Config["hooks"][string];

export interface HookParts {
  /** As the config has them now. */
  hooks(): Config["hooks"];
  /** Of those that there are; the default one for undefined, undefined for one that is not there. */
  agentOf(agentId: string | undefined): string | undefined;
  /** The value behind a reference, read anew each time. Throws. */
  resolveSecret(reference: string): Promise<string>;
  /** How often somebody may show something wrong. */
  tries: SignInTries;
  inbox: Pick<InboxStore, "accept">;
  /** Called once for each new row, after it is on the disk. */
  received(row: InboxRow): void;
  /** Where the owner's words say that an answer goes; null where nobody is to be written to. */
  placeNamed(place: string, agentId: string): Promise<Destination | null>;
  /** Where the answers of a session are usually read; null where nobody knows. */
  placeOf(sessionKey: string, agentId: string): Promise<Destination | null>;
  tenantId: string;
  workspaceId: string;
  redactor: Pick<Redactor, "text">;
  clock: Pick<Clock, "now" | "monotonic">;
  log: { warn(message: string): void };
}

const usualPerMinute = 60;
/** Of a secret. */
const unguessableLength = 24;
/** Calls of GitHub carry no time: as long as this is remembered, the same bytes are the same call. */
const githubKeepMs = 24 * 3600 * 1000;

export function createHookReceiver(parts: HookParts): (call: HttpCall, reply: HttpReply) => Promise<void> {
  const { clock, tries } = parts;
  const first = createFirstDeliveries({ clock });
  const perMinute = new Map<string, TokenBuckets>();

  function takeOne(name: string): Taken {
    const most = () => parts.hooks()[name]?.maxPerMinute ?? usualPerMinute;
    const buckets = perMinute.get(name) ?? createTokenBuckets({ clock, perMinute: most, mostKeys: 1 });
    perMinute.set(name, buckets);
    return buckets.take("");
  }

  return async function receive(call, reply) {
    const may = tries.look(call.address);
    const name = call.parameters["name"] ?? "";
    const bytes = await readHookBytes(call);
    const hooks = parts.hooks();
    const hook = Object.hasOwn(hooks, name) ? hooks[name] : undefined;
    const { proof, isGuessable } = await prove(parts, { name, hook, bytes }, call);
    // Failures of others do not count here: a caller who knows the secret is not locked out by them.
    if (!may.ok && (!proof || isGuessable)) throw tooMany(may);
    if (!hook || !proof) {
      tries.wrong(call.address);
      throw refused();
    }
    const taken = takeOne(name);
    if (!taken.ok) throw tooMany(taken);
    const { value, text } = readHookBody(bytes, call.headers);
    const { statement } = proof;
    const named = deliveryOf(hook, call, proof);
    const delivery = statement === null ? named : first.nameOf(`${name} ${statement}`, named, keepMs(hook));
    const input = { body: value, text, headers: call.headers };
    reply.json(202, await store(parts, { name, hook, delivery }, input));
  };
}

const kindOf = ({ signature = "hmac" }: Hook): SignatureKind => signature;

const keepMs = (hook: Hook): number => (kindOf(hook) === "github" ? githubKeepMs : 2 * signatureWindowMs);

/** Whatever is wrong with the hook itself is the owner's business, and looks to the caller like a wrong signature. */
async function prove(
  { resolveSecret, clock, log }: HookParts,
  { name, hook, bytes }: { name: string; hook: Hook | undefined; bytes: Buffer },
  { headers }: Pick<HttpCall, "headers">,
): Promise<{ proof: Proof | undefined; isGuessable: boolean }> {
  const kind = hook ? kindOf(hook) : "hmac";
  const secret = await Promise.resolve(hook && resolveSecret(hook.secret)).catch((error: unknown) => {
    log.warn(`hook ${name}: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  });
  if (hook && secret === "") log.warn(`hook ${name}: its secret is empty, so nobody can call it`);
  const proof = checkSignature(kind, secret, { headers, body: bytes, now: clock.now() });
  return { proof, isGuessable: (secret?.length ?? 0) < unguessableLength };
}

/** What the caller calls it; else what was signed; where neither tells two calls apart, each is one of its own. */
function deliveryOf(hook: Hook, { headers }: Pick<HttpCall, "headers">, { statement }: Proof): string {
  const names = [
    kindOf(hook) === "github" ? headers["x-github-delivery"] : headers["x-pincer-delivery"],
    headers["idempotency-key"],
  ];
  const named = names.find((name) => typeof name === "string" && name !== "");
  if (named !== undefined) return `named ${String(named)}`;
  return statement === null ? `alone ${randomBytes(16).toString("hex")}` : `signed ${statement}`;
}

interface Taking {
  name: string;
  hook: Hook;
  delivery: string;
}

/** Resolves when it is on the disk. */
async function store(
  parts: HookParts,
  { name, hook, delivery }: Taking,
  input: HookInput,
): Promise<{ duplicate: boolean; runId?: string }> {
  const { tenantId, workspaceId, redactor } = parts;
  const { sessionKey, destination } = await placeFor(parts, name, hook);
  const { words, outside } = renderTemplate(hook.template ?? usualTemplate(name), input);
  const { type, row } = await parts.inbox.accept(
    systemMessage({
      tenantId,
      workspaceId,
      id: `hook:${digest(name, delivery)}`,
      from: `hook:${name}`,
      sessionKey,
      destination,
      text: redactor.text(words.toWellFormed()),
      outside: redactor.text(outside.toWellFormed()),
      now: parts.clock.now(),
    }),
  );
  if (type === "stored") parts.received(row);
  return { duplicate: type === "duplicate", ...(row.turnId === null ? {} : { runId: row.turnId }) };
}

const usualTemplate = (name: string): string => `The webhook ${name} was called. What came with it: {{body}}`;

/** Throws HttpFailure 500 where the config names what is not there; the log tells the owner. */
async function placeFor(
  parts: HookParts,
  name: string,
  hook: Hook,
): Promise<{ sessionKey: string; destination: Destination | null }> {
  const { tenantId, workspaceId, log } = parts;
  const misled = (what: string): HttpFailure => {
    log.warn(`hook ${name}: ${what}`);
    return new HttpFailure(500, "INTERNAL_ERROR", "This hook is misconfigured; see the gateway's log.");
  };
  const agentId = parts.agentOf(hook.agentId);
  if (agentId === undefined) throw misled(`there is no agent ${hook.agentId}`);
  const scope = { tenantId, workspaceId, agentId };
  const isWake = hook.action === "wake";
  const own = isWake
    ? ({ type: "main" } as const)
    : ({ type: "direct", channel: "hook", peer: name } as const);
  const parsed =
    hook.sessionKey === undefined
      ? ({ ok: true, scope: { ...scope, conversation: own } } as const)
      : parseSessionKey(hook.sessionKey, scope);
  if (!parsed.ok) throw misled(`its sessionKey cannot be used: ${parsed.reason}`);
  const isOurs = parsed.scope.tenantId === tenantId && parsed.scope.workspaceId === workspaceId;
  if (!isOurs || parsed.scope.agentId !== agentId) throw misled("its sessionKey is of another agent");
  const sessionKey = formatSessionKey(parsed.scope);
  if (hook.deliver !== undefined) {
    const destination = await parts.placeNamed(hook.deliver, agentId);
    if (!destination) throw misled(`deliver names no place: ${hook.deliver}`);
    return { sessionKey, destination };
  }
  return { sessionKey, destination: isWake ? await parts.placeOf(sessionKey, agentId) : null };
}

const refused = () =>
  new HttpFailure(401, "UNAUTHORIZED", "There is no such hook, or its signature is wrong.", {
    hint: "docs/guides/webhooks.md says how a call is signed.",
  });

const tooMany = ({ retryAfterSeconds }: Extract<Taken, { ok: false }>) =>
  new HttpFailure(429, "RATE_LIMITED", "Too many calls; try again later.", {
    headers: { "retry-after": String(retryAfterSeconds) },
  });

const digest = (...texts: string[]): string =>
  createHash("sha256").update(JSON.stringify(texts)).digest("hex").slice(0, 40);
