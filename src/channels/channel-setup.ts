/**
 * Sets up an account of a channel: the keys that its connector needs, a test of them, and their place in the config.
 */
import type { Channel, ChannelKeyView, ChannelKindView, ChannelTestView, SetUpResult } from "@pincer/sdk";
import { Check, Clone, Default, Errors } from "typebox/value";
import { isOwnersChannelKey } from "../config/owner-keys.ts";
import type { Secrets } from "../config/secrets.ts";
import { configShape } from "../config/schema.ts";
import { isLiteralSecret } from "../config/secret-keys.ts";
import { defaultAccountId, hostKeys } from "./accounts.ts";
import { TimeLimitError, withinTime } from "./within-time.ts";
import type { Clock } from "../infra/clock.ts";
import { failure } from "../infra/failure.ts";
import type { Redactor } from "../infra/redactor.ts";
import type { Say } from "../infra/texts.ts";

export type ChannelKeys = Readonly<Record<string, unknown>>;

/** Placeholder for the one-time code in a link. */
export const codeMark = "CODE";
const testTimeoutMs = 15_000;

/** Pure. */
export function describeKind(channel: Channel, say: Say): ChannelKindView {
  const required = new Set<string>(channel.config.required ?? []);
  const keys = Object.entries(channel.config.properties).map(([name, schema]): ChannelKeyView => {
    const shape = schema as KeyShape;
    return {
      name,
      description: shape.description ?? "",
      required: required.has(name) && shape.default === undefined,
      secret: shape.secret === true || isLiteralSecret(configShape, ["channels", channel.id, name], "x"),
      type: typeOf(shape),
      ...(shape.enum && { choices: shape.enum.map(String) }),
      ...(shape.default === undefined ? {} : { usual: shape.default }),
      ...(isOwnersChannelKey(name) && { forOwner: true }),
    };
  });
  const { setUp } = channel;
  return {
    channel: channel.id,
    name: channel.name ?? channel.id,
    keys,
    steps: setUp?.steps[say("channels.language") === "zh" ? "zh" : "en"] ?? [],
    canTest: setUp?.test !== undefined,
  };
}

interface KeyShape {
  type?: string;
  description?: string;
  default?: unknown;
  enum?: unknown[];
  secret?: boolean;
}

function typeOf({ type }: KeyShape): ChannelKeyView["type"] {
  if (type === "boolean") return "yes-no";
  if (type === "integer" || type === "number") return "number";
  return type === "array" ? "list" : "text";
}

/** Throws `usage/bad-argument` for a key that neither the connector nor the host reads, or a value that does not fit. */
export async function readKeys(
  channel: Channel,
  given: ChannelKeys,
  secrets: Pick<Secrets, "resolve">,
): Promise<unknown> {
  const known = new Set([...Object.keys(channel.config.properties), ...hostKeys]);
  const stranger = Object.keys(given).find((key) => !known.has(key));
  if (stranger !== undefined) {
    const facts = { channel: channel.id, key: stranger, known: [...known].join(", ") };
    throw failure("usage/bad-argument", "channels.bad-key", facts, { hint: "channels.bad-key.hint" });
  }
  const config = await ownConfig(channel, given, secrets);
  const bad = badKey(channel, config);
  if (!bad) return config;
  const { key, about } = bad;
  if (bad.keyword === "pattern" && about !== undefined)
    throw failure(
      "usage/bad-argument",
      "channels.bad-form",
      { key, about },
      { hint: "channels.bad-key.hint" },
    );
  const reason = `${key} ${bad.message}`.trim();
  throw failure(
    "usage/bad-argument",
    "channels.bad-keys",
    { channel: channel.id, reason },
    { hint: "channels.bad-key.hint" },
  );
}

/** A key whose value has the wrong form; undefined where there is none. */
export async function misshapenKey(
  channel: Channel,
  given: ChannelKeys,
  secrets: Pick<Secrets, "resolve">,
): Promise<{ key: string; about: string } | undefined> {
  const { key = "", about = "", keyword } = badKey(channel, await ownConfig(channel, given, secrets)) ?? {};
  return keyword === "pattern" ? { key, about } : undefined;
}

/** What the connector reads of these keys, secrets resolved and defaults added. */
async function ownConfig(
  channel: Channel,
  given: ChannelKeys,
  secrets: Pick<Secrets, "resolve">,
): Promise<unknown> {
  const own = Object.entries(given).filter(([key]) => Object.hasOwn(channel.config.properties, key));
  const resolved = await Promise.all(
    own.map(async ([key, value]) => [key, await resolve(value, secrets)] as const),
  );
  return Default(channel.config, Clone(Object.fromEntries(resolved)));
}

/** The path and the rule, never the value: it may be a secret. */
function badKey(
  channel: Channel,
  config: unknown,
): { key: string; keyword: string; message: string; about: string | undefined } | undefined {
  if (Check(channel.config, config)) return undefined;
  const [first] = Errors(channel.config, config);
  const key = first?.instancePath.replace(/^\//, "") ?? "";
  const { description: about } = (channel.config.properties[key] ?? {}) as KeyShape;
  return { key, keyword: first?.keyword ?? "", message: first?.message ?? "", about };
}

const resolve = async (value: unknown, secrets: Pick<Secrets, "resolve">): Promise<unknown> =>
  typeof value === "string" && value.startsWith("secret:") ? secrets.resolve(value) : value;

/** Never throws: an error of the connector is a failed test. */
export async function testKeys(
  channel: Channel,
  config: unknown,
  {
    clock,
    redactor,
    say,
    signal = new AbortController().signal,
  }: { clock: Clock; redactor: Pick<Redactor, "text">; say: Say; signal?: AbortSignal | undefined },
): Promise<ChannelTestView> {
  const { setUp } = channel;
  const test = setUp?.test;
  if (!test) return { ok: true, name: null, tested: false, claimLink: null };
  const found = await withinTime({ clock, ms: testTimeoutMs, stop: signal }, (stop) =>
    test.call(setUp, config, { fetch: globalThis.fetch, signal: stop }),
  ).catch((error: unknown): SetUpResult => ({ ok: false, problem: problemOf(error, say) }));
  if (!found.ok) {
    const { problem, key } = found;
    return { ok: false, problem: redactor.text(problem), ...(key !== undefined && { key }) };
  }
  return { ok: true, name: found.name, tested: true, claimLink: setUp.claimLink?.(found, codeMark) ?? null };
}

const problemOf = (error: unknown, say: Say): string =>
  error instanceof TimeLimitError
    ? say("channels.test-timeout", { seconds: testTimeoutMs / 1000 })
    : error instanceof Error
      ? error.message
      : String(error);

/** What the config file says about a channel. */
export interface PresentChannel {
  isThere: boolean;
  accounts: string[];
}

/**
 * Where the keys of an account belong. When a second account is added to an unnamed one, the first gets a name and
 * stays as it is. Pure.
 */
export function placesOf(
  channel: string,
  accountId: string,
  { isThere, accounts }: PresentChannel,
): { path: string[]; also: string[][] } {
  const isNamed = accounts.length > 0 || accountId !== defaultAccountId;
  if (!isNamed) return { path: ["channels", channel], also: [] };
  const all = ["channels", channel, "accounts"];
  const also = isThere && accounts.length === 0 ? [[...all, defaultAccountId]] : [];
  return { path: [...all, accountId], also };
}

/** Pure. */
export const hasAccount = ({ isThere, accounts }: PresentChannel, accountId: string): boolean =>
  accounts.length > 0 ? accounts.includes(accountId) : isThere && accountId === defaultAccountId;
