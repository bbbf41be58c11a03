/**
 * What speaks against a call: where it comes from, whom it reaches, and what may leave with it. Decided by origin,
 * source and grant alone. The rules of docs/guides/gate.md, in its order, each in the file that it names.
 */
import type { ControlKind } from "@pincer/sdk";
import type { CallContext, ShownText } from "./call-context.ts";
import { controlled, textsIn, type CallFacts } from "./call-facts.ts";
import type { Finding } from "../policy/finding.ts";
import { isMessenger, recipientsOf, type OpenPoint, type TakenValue } from "./grants/covers.ts";
import type { Grant } from "./grants/grant.ts";
import { textsOfSource } from "./grants/read-taken.ts";
import { findValue } from "./find-value.ts";
import { isSamePlace } from "./grants/places.ts";
import { answerTool, type TurnGrants } from "./grants/turn-grants.ts";
import { accountOf } from "./labels/entry-label.ts";
import { allAddresses } from "./leaving/guard-reply.ts";
import { judgeLeaving } from "./leaving/judge-leaving.ts";

export interface JudgeParts {
  grants: TurnGrants;
  /** The owner's own places. */
  owners: readonly string[];
  /** Rule 3: an address that is only read. Undefined: it may be. */
  judgeAddress(
    context: CallContext,
    address: { call: CallFacts; argument: string; value: string },
  ): Finding | undefined;
  /** Whether an address may stand where a screen asks for it by itself. */
  mayShow(context: CallContext, address: string): boolean;
  /** Rules 6 and 7: a file that steers, or that runs by itself. */
  judgeWrite(context: CallContext, call: CallFacts): Promise<Finding | undefined>;
  /** Whether the owner's config says for whom the tool is: an account behind it may be others', too. */
  isGiven(tool: string): boolean;
  /** Whether a text contains one of our stored secrets. */
  holdsStoredSecret(text: string): boolean;
  /** Whether the owner has confirmed in this task what a message that may hold a paste asks for. */
  isConfirmed(): Promise<boolean>;
  /** Whether the owner was shown this very call on a card of this conversation and said yes. */
  wasApproved(call: Pick<CallFacts, "tool" | "arguments">): Promise<boolean>;
  /** Private sources that the owner's words name as they are: `file:notes.md`. */
  named: readonly string[];
  /** What tainted turns changed in these files of the workdir without the owner having seen it, as a diff; empty if nothing. */
  unseenChange(paths: readonly string[]): Promise<string>;
}

export interface Judged {
  findings: Finding[];
  /** The grant that covers the call, for `/why`. */
  grant?: Grant | undefined;
  /** What the owner must be shown besides the call itself. */
  shownBelow?: string | undefined;
  /** Arguments that are made anew before it runs. */
  anew?: MadeAnew | undefined;
}

/** What the acting model must not word or choose. Where it cannot be made, the owner is asked `instead`. */
export interface MadeAnew {
  typed: readonly string[];
  /** Worded by a writer, from these texts. */
  worded: { arguments: readonly string[]; texts: readonly ShownText[] };
  /** Taken by a reader from the source that the grant names. */
  taken: ReadonlyArray<TakenValue & { kind: ControlKind; texts: readonly string[] }>;
  instead: readonly Finding[];
}

/** Throws what looking up grants and changes throws. */
export async function judgeCall(call: CallFacts, context: CallContext, parts: JudgeParts): Promise<Judged> {
  const secret = storedSecret(call, parts);
  if (secret) return { findings: [secret] };
  const audience = context.isGroup && onlyLooks(call) ? await judgeAudience(call, context, parts) : undefined;
  if (audience) return only(audience);
  const written = call.effect === "read" ? undefined : await parts.judgeWrite(context, call);
  if (written || call.effect === "write") return only(written);
  if (call.effect === "read") return only(judgeRead(call, context, parts));
  if (!isEffect(call)) return { findings: [] };
  if (isToOwner(call, parts.owners) || reachesNobody(call)) return only(judgeShown(call, context, parts));

  const coverage = await parts.grants.coverage(call, context);
  if (coverage.type === "open") {
    // A yes to the recipient is none to what the text may tell: the card says both.
    const leaving = judgeLeaving(call, context, nothing);
    const isTelling = leaving.type === "asks" || leaving.type === "worded";
    const sources = isTelling ? [sourcesFinding(privateSources(context))] : [];
    return { findings: [openFinding(call, coverage.why, context), ...sources] };
  }
  const { grant, taken } = coverage;
  const told = judgeLeaving(call, context, grant);
  // The owner has read exactly this and said yes to it.
  const isShown = (told.type === "asks" || told.type === "worded") && (await parts.wasApproved(call));
  const leaving = isShown ? ({ type: "free" } as const) : told;
  const chosen = taken.map((point) => openFinding(call, { type: "value", ...point }, context));
  if (leaving.type === "asks") return { findings: [sourcesFinding(leaving.sources), ...chosen], grant };
  const unseen = told.type === "seen" ? undefined : await unseenIn(call, context, parts);
  if (unseen) return { ...unseen, grant };
  const mayBePasted = grant.by === "planner" && context.said.some(({ pasted }) => pasted === "possible");
  if (mayBePasted && !(await parts.isConfirmed())) return { findings: [pasteFinding(grant)], grant };
  const worded = leaving.type === "worded" ? leaving : { arguments: [], texts: [] };
  if (worded.arguments.length === 0 && taken.length === 0) return { findings: [], grant };
  const others = privateSources(context).filter((source) => !grant.sources.includes(source));
  const anew: MadeAnew = {
    typed: context.typed,
    worded,
    taken: taken.map((each) => ({
      ...each,
      kind: call.controls[each.argument] ?? "value",
      texts: textsOfSource(each.source, context),
    })),
    instead: [...(leaving.type === "worded" ? [sourcesFinding(others)] : []), ...chosen],
  };
  return { findings: [], grant, anew };
}

/** A file that leaves must not have been changed behind the owner's back, although the owner names it. */
async function unseenIn(
  { leaves, arguments: given }: CallFacts,
  { label, isOwners }: CallContext,
  { unseenChange }: JudgeParts,
): Promise<Judged | undefined> {
  const paths = label.sources.flatMap((source) => (source.startsWith("file:") ? [source.slice(5)] : []));
  const isTelling = leaves.some((name) => textsIn(given[name]).length > 0);
  const diff = isOwners && isTelling && paths.length > 0 ? await unseenChange(paths) : "";
  if (diff === "") return undefined;
  const names = paths.filter((path) => diff.includes(path));
  const values = { paths: names.join(", ") };
  return {
    findings: [{ verdict: "ask", check: "unseen", code: "unseen-change", values }],
    shownBelow: diff,
  };
}

const nothing: Grant = {
  by: "card",
  id: "",
  tool: "",
  quote: "",
  recipients: [],
  hosts: [],
  args: {},
  sources: [],
};

/** The name of the check for what a message that may hold a paste asks for. */
export const pasteCheck = "paste";

const pasteFinding = ({ quote }: Grant): Finding => ({
  verdict: "ask",
  check: pasteCheck,
  code: "maybe-pasted",
  values: { quote },
});

const privateSources = ({ label }: Pick<CallContext, "label">): readonly string[] => label.sources;

const only = (finding: Finding | undefined): Judged => ({ findings: finding ? [finding] : [] });

/** Programs run behind the wall, and what they change can be undone: whatever reaches others has another control. */
const isEffect = ({ controls, leaves }: CallFacts): boolean =>
  leaves.length > 0 || Object.values(controls).some((kind) => kind !== "path" && kind !== "program");

/** Screens ask for the addresses of a text by themselves. */
function judgeShown(
  { leaves, arguments: given }: CallFacts,
  context: CallContext,
  { mayShow }: JudgeParts,
): Finding | undefined {
  const argument = leaves.find((name) =>
    textsIn(given[name]).some((text) => allAddresses(text).some((address) => !mayShow(context, address))),
  );
  if (argument === undefined) return undefined;
  return { verdict: "deny", check: "url", code: "address-shown", values: { argument } };
}

/** A messenger whose call names nobody, where nobody is spoken with. */
const reachesNobody = (call: CallFacts): boolean => isMessenger(call) && recipientsOf(call).length === 0;

function isToOwner(call: CallFacts, owners: readonly string[]): boolean {
  const recipients = recipientsOf(call);
  if (call.isOwnConversation === true && recipients.length <= 1) return true;
  return (
    recipients.length > 0 &&
    recipients.every(({ value }) => owners.some((owner) => isSamePlace(owner, value)))
  );
}

function judgeRead(call: CallFacts, context: CallContext, { judgeAddress }: JudgeParts): Finding | undefined {
  for (const address of addressesOf(call)) {
    const finding = judgeAddress(context, { call, ...address });
    if (finding) return finding;
  }
  return undefined;
}

/** Those that steer it, and those in what leaves with it: a search service would ask for an address in a query. Pure. */
export function addressesOf(call: CallFacts): Array<{ argument: string; value: string }> {
  const others = call.leaves.filter((name) => call.controls[name] !== "url");
  return [
    ...controlled(call, "url"),
    ...others.flatMap((argument) =>
      textsIn(call.arguments[argument])
        .flatMap((text) => text.match(/\bhttps?:\/\/[^\s<>"'`]+/giu) ?? [])
        .map((value) => ({ argument, value })),
    ),
  ];
}

/** It changes nothing but what can be undone: what it shows is all that others could hear of it. */
const onlyLooks = (call: CallFacts): boolean =>
  call.effect === "read" || (call.effect === "act" && !isEffect(call));

/** In a group others read the answer: private things are looked at there where the owner's words ask for them. */
async function judgeAudience(
  call: CallFacts,
  context: CallContext,
  { named, grants, isGiven }: JudgeParts,
): Promise<Finding | undefined> {
  const sources = !context.isOwners && isGiven(call.tool) ? [] : sourcesLookedAt(call);
  const isMissing = (known: readonly string[]) => sources.some((source) => !known.includes(source));
  if (!isMissing(named)) return undefined;
  const asked = (await grants.planned(answerTool.name)).flatMap((grant) => grant.sources);
  if (!isMissing([...named, ...asked])) return undefined;
  return { verdict: "ask", check: "audience", code: "group-reads-along", values: { tool: call.tool } };
}

/** As labels and grants name them. An account behind a tool is the owner's, like their files. */
function sourcesLookedAt(call: CallFacts): string[] {
  const { tool, looksAt } = call;
  switch (looksAt) {
    case "file": {
      const files = controlled(call, "path").map(({ value }) => `file:${value.replace(/^\.\//u, "")}`);
      return files.length > 0 ? files : ["workdir"];
    }
    case "program":
      return ["workdir"];
    case "memory":
    case "session":
      return [looksAt];
    case "tool":
      return [`tool:${accountOf(tool)}`];
    default:
      return [];
  }
}

function storedSecret(
  { leaves, controls, effect, arguments: given }: CallFacts,
  { holdsStoredSecret }: JudgeParts,
): Finding | undefined {
  const steering = effect === "read" ? [] : Object.keys(controls);
  const argument = [...new Set([...leaves, ...steering])].find(
    (name) =>
      controls[name] !== "path" &&
      controls[name] !== "program" &&
      textsIn(given[name]).some(holdsStoredSecret),
  );
  if (argument === undefined) return undefined;
  return { verdict: "deny", check: "secret", code: "stored-secret", values: { argument } };
}

function openFinding({ tool }: CallFacts, why: OpenPoint, context: Pick<CallContext, "shown">): Finding {
  switch (why.type) {
    case "tool":
      return { verdict: "ask", check: "grant", code: "not-asked-for", values: { tool } };
    case "count":
      return {
        verdict: "ask",
        check: "grant",
        code: "more-than-asked",
        values: { tool, count: String(why.count) },
      };
    case "recipient":
      return about("recipient", "other-recipient", why, context);
    case "host":
      return about("url", "other-host", why, context);
    case "value":
      return about("value", "other-value", why, context);
  }
}

const about = (
  check: string,
  code: Finding["code"],
  { argument, value }: { argument: string; value: string },
  { shown }: Pick<CallContext, "shown">,
): Finding => ({
  verdict: "ask",
  check,
  code,
  values: { argument, value },
  cause: { argument, value, ...findValue(shown, value) },
});

const sourcesFinding = (sources: readonly string[]): Finding => ({
  verdict: "ask",
  check: "sources",
  code: "private-sources",
  values: { sources: sources.join(", ") },
});
