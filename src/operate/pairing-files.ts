/**
 * Imports and exports pairing as files. `<channel>-allowFrom.json` and `<channel>-<account>-allowFrom.json` are lists
 * of ids, `<channel>-pairing.json` has the waiting requests; `gateway.json` holds all of it under `pairing`. A dash or
 * anything unusual in a name is escaped as `%2D` and the like, so that names survive unchanged.
 */
import type { AllowedView, MethodParams, PairingView } from "@pincer/sdk";
import { basename } from "node:path";
import { failure } from "../infra/failure.ts";

export type PairingForm = "files" | "allow" | "gateway";

type Imported = MethodParams<"pairing.import">;
export interface ReadPairings extends Pick<Imported, "allowed" | "pending"> {
  /** Entries that are no id, such as `*`. */
  skipped: string[];
}

const defaultAccount = "default";

/** Throws `usage/bad-argument` for a file that is none of these. */
export function readPairingFile(
  path: string,
  text: string,
  given: { channel?: string | undefined; account?: string | undefined },
): ReadPairings {
  const content = parse(path, text);
  const read: ReadPairings = { allowed: [], pending: [], skipped: [] };
  const name = basename(path);
  const allow = (channel: string, accountId: string | null, list: unknown) =>
    takeIds(read, channel, accountId, list);
  const wait = (channel: string, list: unknown) => takeWaiting(read, channel, given.account, list);

  const pairing = fieldOf(content, "pairing");
  const stem = /^(.+)-(pairing|allowFrom)\.json$/.exec(name);
  const list = listIn(content, "allowFrom");
  if (stem?.[2] === "pairing")
    wait(given.channel ?? decode(stem[1] ?? ""), listIn(content, "requests") ?? []);
  else if (stem && list) {
    const place = placeOf(stem[1] ?? "", given.channel);
    allow(place.channel, given.account ?? place.accountId, list);
  } else if (typeof pairing === "object" && pairing !== null) {
    for (const [channel, own] of Object.entries(pairing)) {
      allow(channel, null, fieldOf(own, "allowFrom") ?? []);
      for (const [account, ids] of Object.entries(fieldOf(own, "accounts") ?? {}))
        allow(channel, account, ids);
      wait(channel, fieldOf(own, "pending") ?? []);
    }
  } else if (given.channel !== undefined && list) allow(given.channel, given.account ?? null, list);
  else
    throw failure(
      "usage/bad-argument",
      "pairing.import.strange",
      { file: path },
      { hint: "pairing.import.strange.hint" },
    );
  return read;
}

/** The files by name, as texts. */
export function writePairingFiles(
  { allowed, pending }: { allowed: AllowedView[]; pending: PairingView[] },
  form: PairingForm,
): Map<string, string> {
  const contents =
    form === "gateway"
      ? new Map([["gateway.json", asGateway(allowed, pending)]])
      : asFiles(allowed, form === "allow" ? [] : pending);
  return new Map([...contents].map(([name, content]) => [name, `${JSON.stringify(content, null, 2)}\n`]));
}

function asFiles(allowed: AllowedView[], pending: PairingView[]): Map<string, unknown[]> {
  const files = new Map<string, unknown[]>();
  const put = (name: string, item: unknown) => files.set(name, [...(files.get(name) ?? []), item]);
  for (const { channel, accountId, senderId } of allowed) {
    const account = accountId === null ? "" : `-${encode(accountId)}`;
    put(`${encode(channel)}${account}-allowFrom.json`, senderId);
  }
  for (const request of pending) put(`${encode(request.channel)}-pairing.json`, waiting(request));
  return files;
}

function asGateway(allowed: AllowedView[], pending: PairingView[]): unknown {
  const channels = [...new Set([...allowed, ...pending].map(({ channel }) => channel))].sort();
  const pairing = channels.map((channel) => {
    const here = allowed.filter((each) => each.channel === channel);
    const accounts = Object.groupBy(
      here.filter(({ accountId }) => accountId !== null),
      ({ accountId }) => accountId ?? "",
    );
    const idsOf = (senders: AllowedView[] = []) => senders.map(({ senderId }) => senderId);
    return [
      channel,
      {
        allowFrom: idsOf(here.filter(({ accountId }) => accountId === null)),
        accounts: Object.fromEntries(Object.entries(accounts).map(([account, own]) => [account, idsOf(own)])),
        pending: pending.filter((each) => each.channel === channel).map(waiting),
      },
    ];
  });
  return { pairing: Object.fromEntries(pairing) };
}

const waiting = ({ senderId, accountId, code, createdAt, lastSeenAt, meta }: PairingView) => ({
  id: senderId,
  code: code.replaceAll("-", ""),
  createdAt,
  lastSeenAt,
  meta: { ...meta, accountId },
});

function takeIds(read: ReadPairings, channel: string, accountId: string | null, list: unknown): void {
  for (const entry of Array.isArray(list) ? list : []) {
    const text = typeof entry === "number" ? String(entry) : typeof entry === "string" ? entry.trim() : "";
    const senderId = text.startsWith(`${channel}:`) ? text.slice(channel.length + 1) : text;
    if (senderId === "" || senderId === "*") read.skipped.push(String(entry));
    else read.allowed.push({ channel, accountId, senderId });
  }
}

function takeWaiting(read: ReadPairings, channel: string, account: string | undefined, list: unknown): void {
  for (const entry of Array.isArray(list) ? list : []) {
    const { id, code } = (entry ?? {}) as { id?: unknown; code?: unknown };
    const { accountId, ...meta } = textsOf(fieldOf(entry, "meta"));
    if (!isName(id) || !isName(code)) read.skipped.push(JSON.stringify(entry));
    else
      read.pending.push({
        channel,
        accountId: account ?? accountId ?? defaultAccount,
        senderId: String(id),
        code: String(code),
        meta,
      });
  }
}

/** With a channel given, the rest of the name is the account; else the channel ends at the first dash. */
function placeOf(stem: string, channel: string | undefined): { channel: string; accountId: string | null } {
  if (channel !== undefined) {
    const account = stem.startsWith(`${encode(channel)}-`) ? stem.slice(encode(channel).length + 1) : "";
    return { channel, accountId: account ? decode(account) : null };
  }
  const dash = stem.indexOf("-");
  if (dash < 0) return { channel: decode(stem), accountId: null };
  return { channel: decode(stem.slice(0, dash)), accountId: decode(stem.slice(dash + 1)) };
}

/** The content itself, or what it has under this name. */
function listIn(content: unknown, name: string): unknown[] | undefined {
  if (Array.isArray(content)) return content;
  const list = fieldOf(content, name);
  return Array.isArray(list) ? list : undefined;
}

const fieldOf = (value: unknown, name: string): object | undefined =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? ((value as Record<string, unknown>)[name] as object)
    : undefined;

const textsOf = (meta: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries((meta ?? {}) as object).flatMap(([name, value]) =>
      isName(value) ? [[name, String(value)]] : [],
    ),
  );

const isName = (value: unknown): value is string | number =>
  (typeof value === "string" && value.trim() !== "") || typeof value === "number";

function parse(file: string, text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    const { message: reason } = error as Error;
    throw failure("usage/bad-argument", "pairing.import.not-json", { file, reason }, { cause: error });
  }
}

const encode = (text: string) =>
  encodeURIComponent(text.toWellFormed()).replaceAll(/[-.]/g, (mark) => (mark === "-" ? "%2D" : "%2E"));

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // written by somebody who does not encode
  }
}
