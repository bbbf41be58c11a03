/**
 * Which conversation of which agent a message belongs to, and its text forms. Three spellings name the same scope:
 *
 *   short   agent:helper:telegram:dm:42          leaves tenant and space to the reader; this is the stored session key
 *   path    tenant:t/workspace:w/agent:helper/dm:telegram:42
 *   named   holiday plans                        a free string: a conversation of the default agent
 *
 * Parts are percent-escaped where they hold `:` `/` `%`, white space or control characters, so that the number of parts decides
 * how a key is read. The one exception is a part that is just `thread`: it is escaped too, being also the mark of the suffix.
 */
import { PincerError } from "./errors.ts";

export type Conversation =
  | { type: "main" }
  | { type: "named"; name: string }
  /** An account is given only together with its channel. */
  | { type: "direct"; channel?: string; accountId?: string; peer: string }
  | { type: "group"; channel: string; accountId?: string; kind: "group" | "room"; group: string }
  /** Of a turn that a call of another turn runs. */
  | { type: "child"; kind: ChildKind; turn: string; call: string };

/** What a child is for. */
export type ChildKind = "scout";

export interface SessionScope {
  tenantId: string;
  workspaceId: string;
  agentId: string;
  conversation: Conversation;
  threadId?: string;
}

/** What a spelling leaves out. */
export type ScopeDefaults = Pick<SessionScope, "tenantId" | "workspaceId" | "agentId">;

export type ParsedSessionKey = { ok: true; scope: SessionScope } | { ok: false; reason: string };

export const defaultScope: ScopeDefaults = {
  tenantId: "t_default",
  workspaceId: "w_default",
  agentId: "main",
};

const longestKey = 512;

/**
 * Reads any of the three spellings; never throws. What begins with `agent:` or `tenant:` must be a whole key of that spelling:
 * a mistyped key is refused, not taken for a name. A bare `main` is the default agent's main conversation.
 */
export function parseSessionKey(text: string, defaults?: Partial<ScopeDefaults>): ParsedSessionKey {
  if (defaults) return readKey(text, defaults);
  const known = parsedKeys.get(text);
  if (known) return known;
  const parsed = frozen(readKey(text, {}));
  if (parsedKeys.size >= mostParsed) parsedKeys.clear();
  if (text.length <= longestKey) parsedKeys.set(text, parsed);
  return parsed;
}

/** A turn reads its key again and again. What stands here is never changed. */
const parsedKeys = new Map<string, ParsedSessionKey>();
const mostParsed = 500;

function frozen(parsed: ParsedSessionKey): ParsedSessionKey {
  if (parsed.ok) {
    Object.freeze(parsed.scope.conversation);
    Object.freeze(parsed.scope);
  }
  return Object.freeze(parsed);
}

function readKey(text: string, defaults: Partial<ScopeDefaults>): ParsedSessionKey {
  const key = text.trim();
  const reason = flawOfText(key);
  if (reason) return { ok: false, reason };

  const parsed = readSpelling(key, { ...defaultScope, ...defaults });
  if (!parsed.ok) return parsed;
  const flaw = flawOfScope(parsed.scope) ?? flawOfLength(write(parsed.scope, "short"));
  return flaw ? { ok: false, reason: flaw } : parsed;
}

/**
 * Writes a scope. `short` is the canonical key. `named` is undefined unless the free string alone would be read back as this
 * scope. Throws `session/bad-key` when a part is empty or not valid Unicode, the agent id is none, or the text exceeds 512 characters.
 */
export function formatSessionKey(scope: SessionScope, spelling?: "short" | "path"): string;
export function formatSessionKey(
  scope: SessionScope,
  spelling: "named",
  defaults?: Partial<ScopeDefaults>,
): string | undefined;
export function formatSessionKey(
  scope: SessionScope,
  spelling: "short" | "path" | "named" = "short",
  defaults: Partial<ScopeDefaults> = {},
): string | undefined {
  const text = write(scope, spelling === "path" ? "path" : "short");
  const flaw = flawOfScope(scope) ?? flawOfLength(text);
  if (flaw) {
    throw new PincerError("session/bad-key", `This conversation cannot have a session key: ${flaw}.`, {
      hint: "Give every part of the session's scope a short, non-empty name.",
    });
  }
  return spelling === "named" ? writeNamed(scope, { ...defaultScope, ...defaults }) : text;
}

/** Whether both mean the same conversation, however they were spelled. */
export function sameScope(one: SessionScope, other: SessionScope): boolean {
  return write(one, "path") === write(other, "path");
}

/** An agent id as it is stored: lower case, letters, digits, `_` and `-`, at most 64. Undefined when the text is no agent id. */
export function normaliseAgentId(text: string): string | undefined {
  const id = text.trim().toLowerCase();
  return /^[a-z0-9][a-z0-9_-]{0,63}$/.test(id) ? id : undefined;
}

function readSpelling(key: string, defaults: ScopeDefaults): ParsedSessionKey {
  if (key.startsWith("agent:")) return readShort(key, defaults);
  if (key.startsWith("tenant:")) return readPath(key);
  const name = key.normalize("NFC");
  return {
    ok: true,
    scope: { ...defaults, conversation: name === "main" ? { type: "main" } : { type: "named", name } },
  };
}

function readShort(key: string, defaults: ScopeDefaults): ParsedSessionKey {
  const [, agent = "", ...parts] = key.split(":");
  const { body, thread } = cutThread(parts);
  if (isChild(body)) return readParts({ ...defaults, agentId: agent }, body, thread);
  // The short spelling puts the kind before the id; the path spelling begins with it.
  const last = body.pop();
  const kind = body.length > 1 ? body.pop() : undefined;
  const kindFirst = [kind, ...body, last].filter((part) => part !== undefined);
  return readParts({ ...defaults, agentId: agent }, kindFirst, thread);
}

/** A channel of that name would have the kind of its peer there. */
const isChild = ([kind, turn = "", ...rest]: readonly string[]): boolean =>
  kind === "scout" && turnId.test(turn) && rest.length === 1;

const turnId = /^r_[0-9a-z]{1,64}$/;

function readPath(key: string): ParsedSessionKey {
  const match = /^tenant:([^:/]+)\/workspace:([^:/]+)\/agent:([^:/]+)\/([^/]+)$/.exec(key);
  if (!match)
    return { ok: false, reason: "a path key is tenant:<id>/workspace:<id>/agent:<id>/<conversation>" };
  const [, tenant = "", workspace = "", agent = "", tail = ""] = match;
  const tenantId = unescape(tenant);
  const workspaceId = unescape(workspace);
  if (tenantId === undefined || workspaceId === undefined) return { ok: false, reason: badEscape };
  const { body, thread } = cutThread(tail.split(":"));
  return readParts({ tenantId, workspaceId, agentId: agent }, body, thread);
}

const badEscape = "it holds a % that does not begin a valid escape";

function cutThread(parts: string[]): { body: string[]; thread: string | undefined } {
  if (parts.at(-2) !== "thread") return { body: parts, thread: undefined };
  return { body: parts.slice(0, -2), thread: parts.at(-1) };
}

/** `parts` begin with the kind of conversation, whichever spelling they come from. */
function readParts(owner: ScopeDefaults, parts: string[], thread: string | undefined): ParsedSessionKey {
  const agentId = normaliseAgentId(owner.agentId);
  if (!agentId) return { ok: false, reason: `"${owner.agentId}" is no agent id` };
  const [kind, ...rest] = parts;
  const values = rest.map(unescape);
  const threadId = thread === undefined ? undefined : unescape(thread);
  if (values.includes(undefined) || (thread !== undefined && threadId === undefined)) {
    return { ok: false, reason: badEscape };
  }
  const conversation = readConversation(
    kind,
    values.filter((value) => value !== undefined),
  );
  if (!conversation) return { ok: false, reason: "what follows the agent is no conversation" };
  return {
    ok: true,
    scope: { ...owner, agentId, conversation, ...(threadId !== undefined && { threadId }) },
  };
}

function readConversation(kind: string | undefined, values: string[]): Conversation | undefined {
  const id = values.at(-1);
  if (kind === "main") return values.length === 0 ? { type: "main" } : undefined;
  if (id === undefined || values.length > 3) return undefined;
  if (kind === "named") return values.length === 1 ? { type: "named", name: id.normalize("NFC") } : undefined;

  if (kind === "scout") {
    const [turn = ""] = values;
    return values.length === 2 && turnId.test(turn) ? { type: "child", kind, turn, call: id } : undefined;
  }
  const [channel, accountId] = values.slice(0, -1);
  const account = accountId === undefined ? {} : { accountId };
  if (kind === "dm" || kind === "direct") {
    return { type: "direct", ...(channel !== undefined && { channel }), ...account, peer: id };
  }
  if ((kind === "group" || kind === "room") && channel !== undefined) {
    return { type: "group", channel, ...account, kind, group: id };
  }
  return undefined;
}

function write(scope: SessionScope, spelling: "short" | "path"): string {
  const [kind, ...values] = partsOf(scope.conversation);
  const thread = scope.threadId === undefined ? [] : ["thread", escape(scope.threadId)];
  if (scope.conversation.type === "child" && spelling === "short")
    return ["agent", scope.agentId, kind, ...values, ...thread].join(":");
  if (spelling === "path") {
    const owner = `tenant:${escape(scope.tenantId)}/workspace:${escape(scope.workspaceId)}/agent:${scope.agentId}`;
    return `${owner}/${[kind, ...values, ...thread].join(":")}`;
  }
  const body = [...values.slice(0, -1), kind, ...values.slice(-1)];
  return ["agent", scope.agentId, ...body, ...thread].join(":");
}

/** The kind, then its escaped parts. */
function partsOf(conversation: Conversation): string[] {
  switch (conversation.type) {
    case "main":
      return ["main"];
    case "named":
      return ["named", escape(conversation.name.normalize("NFC"))];
    case "direct":
      return [
        "dm",
        ...[conversation.channel, conversation.accountId].filter(isGiven).map(escape),
        escape(conversation.peer),
      ];
    case "group": {
      const place = [conversation.channel, conversation.accountId].filter(isGiven).map(escape);
      return [conversation.kind, ...place, escape(conversation.group)];
    }
    case "child":
      return [conversation.kind, conversation.turn, escape(conversation.call)];
  }
}

function writeNamed(scope: SessionScope, defaults: ScopeDefaults): string | undefined {
  const { conversation } = scope;
  if (conversation.type !== "main" && conversation.type !== "named") return undefined;
  const text = conversation.type === "main" ? "main" : conversation.name.normalize("NFC");
  const read = parseSessionKey(text, {
    ...defaults,
    tenantId: scope.tenantId,
    workspaceId: scope.workspaceId,
  });
  return read.ok && sameScope(read.scope, scope) ? text : undefined;
}

function escape(part: string): string {
  if (part === "thread") return "%74hread";
  return part
    .toWellFormed()
    .replace(/[%:/\s\p{Cc}]/gu, (character) =>
      Array.from(
        new TextEncoder().encode(character),
        (byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`,
      ).join(""),
    );
}

function unescape(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    // Malformed escapes are an ordinary finding here; the caller says so.
    return undefined;
  }
}

const isGiven = (part: string | undefined): part is string => part !== undefined;

function flawOfText(key: string): string | undefined {
  if (key === "") return "it is empty";
  if (/\p{Cc}/u.test(key)) return "it holds control characters";
  if (!key.isWellFormed()) return "it is not valid Unicode";
  return flawOfLength(key);
}

function flawOfLength(key: string): string | undefined {
  return key.length > longestKey ? `it is longer than ${longestKey} characters` : undefined;
}

function flawOfScope(scope: SessionScope): string | undefined {
  const { type: _, ...parts } = scope.conversation;
  const texts = [scope.tenantId, scope.workspaceId, scope.threadId, ...Object.values(parts)].filter(isGiven);
  if (texts.some((text) => text === "")) return "a part of it is empty";
  if (!texts.every((text) => text.isWellFormed())) return "a part of it is not valid Unicode";
  if (scope.conversation.type === "child" && !turnId.test(scope.conversation.turn))
    return "a child belongs to no turn";
  if (normaliseAgentId(scope.agentId) !== scope.agentId) return `"${scope.agentId}" is no agent id`;
  if (
    scope.conversation.type === "direct" &&
    scope.conversation.accountId !== undefined &&
    scope.conversation.channel === undefined
  ) {
    return "an account is given without its channel";
  }
  return undefined;
}
