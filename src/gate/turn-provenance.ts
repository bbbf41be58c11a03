/**
 * What the model of a turn has been shown so far. It is read from storage, so a turn that resumes after a crash is
 * judged alike.
 */
import type { MessageEntry, Tool, ToolCallBlock } from "@pincer/sdk";
import type { Config } from "../config/schema.ts";
import type { Redactor } from "../infra/redactor.ts";
import type { TrustFacts } from "../policy/provenance/facts.ts";
import { createProvenance, type Provenance } from "../policy/provenance/provenance.ts";
import type { secretsIn } from "../policy/provenance/secrets-in.ts";
import { readSpans, type ReadSpans } from "../policy/provenance/read-spans.ts";
import type { TenantStores } from "../storage/storage.ts";

export interface TurnProvenanceParts {
  /** The messages before each turn, read once. */
  views: WeakMap<ProvenanceOf, Promise<View>>;
  secretsOf: typeof secretsIn;
  stores: Pick<TenantStores, "entries" | "turns" | "pairing">;
  config(): Config;
  redactor: Pick<Redactor, "text">;
}

export interface ProvenanceOf {
  turnId: string;
  sessionId: string;
  firstSeq: number | null;
  /** The prompt: our own instructions, and texts from others. */
  prompt(): { trusted: string; others: ReadSpans["others"] };
  isGroup: boolean;
  /** The most messages that a request may show. */
  maxMessages: number;
  tools: { find(name: string): Tool | undefined };
}

/** Old messages still count as read. */
const leastMessages = 400;

/** The state before `call`, whose own arguments do not count as somebody's words. Throws what the storage does. */
export async function turnProvenance(
  parts: TurnProvenanceParts,
  of: ProvenanceOf,
  call: Pick<ToolCallBlock, "id">,
): Promise<Provenance> {
  const { stores, secretsOf } = parts;
  const { turnId, prompt, isGroup, tools } = of;
  const [{ mark, said }, entries, facts] = await Promise.all([
    viewBefore(parts, of),
    stores.turns.entries(turnId),
    trustFacts(parts),
  ]);
  const { trusted, others } = prompt();
  const turn = entries.filter((entry): entry is MessageEntry => entry.type === "message");
  const calls = callsOf(turn).filter(({ id }) => id !== call.id);
  const asksWeb = ({ name }: ToolCallBlock) =>
    Object.values(tools.find(name)?.controls ?? {}).includes("url");
  return createProvenance({
    spans: readSpans({ prompt: trusted, others, mark, said, turn }),
    facts,
    asked: calls.filter(asksWeb).flatMap((each) => addressesOf(each, tools)),
    ownWords: [...callsOf(said), ...calls]
      .filter((each) => !asksWeb(each))
      .map(({ arguments: given }) => JSON.stringify(given)),
    left: [...leavingWith(callsOf(said), tools, true), ...leavingWith(calls, tools, false)],
    earlier: calls.map(({ name }) => name),
    secretsOf,
    isGroup,
  });
}

type View = Awaited<ReturnType<TenantStores["entries"]["view"]>>;

function viewBefore({ views, stores }: TurnProvenanceParts, of: ProvenanceOf): Promise<View> {
  const limit = Math.max(leastMessages, of.maxMessages);
  const reading = views.get(of) ?? stores.entries.view(of.sessionId, { before: of.firstSeq ?? 0, limit });
  views.set(of, reading);
  // A failed read is not cached.
  reading.catch(() => views.delete(of));
  return reading;
}

/** What these calls sent out. `isEarlier`: in earlier turns. */
const leavingWith = (calls: readonly ToolCallBlock[], tools: ProvenanceOf["tools"], isEarlier: boolean) =>
  calls.flatMap(({ name, arguments: given }) =>
    (tools.find(name)?.leaves ?? []).flatMap((argument) => {
      const text = given[argument];
      return typeof text === "string"
        ? [{ tool: name, argument, text, ...(isEarlier && { isEarlier: true as const }) }]
        : [];
    }),
  );

const callsOf = (entries: readonly MessageEntry[]): ToolCallBlock[] =>
  entries.flatMap(({ message }) =>
    message.role === "assistant" ? message.content.filter((block) => block.type === "toolCall") : [],
  );

function addressesOf({ name, arguments: given }: ToolCallBlock, tools: ProvenanceOf["tools"]): string[] {
  const controls = Object.entries(tools.find(name)?.controls ?? {});
  return controls.flatMap(([argument, kind]) => {
    const value = given[argument];
    return kind === "url" && typeof value === "string" ? [value] : [];
  });
}

async function trustFacts({ stores, config, redactor }: TurnProvenanceParts): Promise<TrustFacts> {
  const { owners, notify, contacts, session, tools } = config();
  const claimed = await stores.pairing.listOwners();
  return {
    contacts: { ...session.identityLinks, ...contacts },
    owners: [
      "cli:owner",
      ...owners,
      ...(notify.to === undefined ? [] : [notify.to]),
      ...claimed.map(({ channel, senderId }) => `${channel}:${senderId}`),
    ],
    trustedHosts: tools.web.trusted,
    holdsStoredSecret: (text) => redactor.text(text) !== text,
  };
}
