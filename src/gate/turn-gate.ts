/**
 * Supplies what judges the calls of a turn: its context from storage, the owner's grants, approvals and limits. One
 * object for each turn that runs or is looked at.
 */
import { isDeepStrictEqual } from "node:util";
import type {
  AssistantMessage,
  GrantedTurnView,
  Label,
  ReadAnswer,
  ReadRequest,
  TextProvenance,
  Tool,
  ToolCallBlock,
} from "@pincer/sdk";
import type { Config } from "../config/schema.ts";
import type { Redactor } from "../infra/redactor.ts";
import type { Decision } from "../policy/decision.ts";
import type { EffectRate } from "../policy/effect-rate.ts";
import type { TenantStores } from "../storage/storage.ts";
import type { SessionRecord } from "../storage/stores.ts";
import type { TurnRecord } from "../storage/turns/turns.ts";
import type { Approvals } from "./approvals/create-approvals.ts";
import type { CallApprovals } from "./call-approvals.ts";
import type { CallContext } from "./call-context.ts";
import type { CallFacts } from "./call-facts.ts";
import type { CallPlace, Remade } from "./gated-tools.ts";
import { grantedIn } from "./grants/granted.ts";
import { planInput } from "./grants/plan-input.ts";
import { contactsOf } from "./grants/places.ts";
import { plannerWords } from "./grants/planner-words.ts";
import type { Plan } from "./grants/planner.ts";
import { markedGrants, standingGrant } from "./grants/standing.ts";
import { createTurnGrants } from "./grants/turn-grants.ts";
import { addressesOf, judgeCall, pasteCheck } from "./judge-call.ts";
import { checkAddress, checkScout, weighAddress, type SpendBits } from "./leaving/check-address.ts";
import { unknownLabel } from "./labels/file-labels.ts";
import { guardReply, holdsAddress } from "./leaving/guard-reply.ts";
import { mayShow, scoutTool } from "./leaving/judge-address.ts";
import { judgeWrite } from "./steering/judge-write.ts";
import { placesIn, type PlaceFiles } from "./steering/workdir-places.ts";
import { isGiven } from "../policy/tool-visibility.ts";
import type { ResolveRecipient } from "./weigh-call.ts";
import { readContext, type JudgedTurn, type ReadContextParts } from "./read-context.ts";

/** A request to a model without tools: the planner's and the writer's. */
export type AskWithoutTools = (
  ask: { systemPrompt: string; messages: Array<{ role: "user"; content: [{ type: "text"; text: string }] }> },
  signal: AbortSignal,
) => Promise<AssistantMessage>;

/** The turn, and what its requests show. */
export interface OpenTurn extends JudgedTurn {
  run: TurnRecord;
  session: SessionRecord;
  /** The tools that the model is shown. */
  shownTools(): readonly Tool[];
  /** Whether a scout can read the web instead. */
  hasScout(): boolean;
  /** Files of the workdir that a text names as they are. */
  filesNamed(text: string): Promise<readonly string[]>;
  /** Those that a word of a text is the name of, but for the ending: the planner says whether they are meant. */
  filesByWord(text: string): Promise<readonly string[]>;
  /** Of a file of the workdir; undefined where no labels are stored. Throws where it cannot be read. */
  labelOfFile(path: string): Promise<Label | undefined>;
  /** Of the workdir; undefined for a child that has none. */
  files: PlaceFiles | undefined;
  /** When the message came, where the owner is, for the planner. */
  now: string;
  /** Undefined where there is no model. */
  ask: AskWithoutTools | undefined;
  /** Reads a document with a model that has no tools. */
  read(request: ReadRequest, signal: AbortSignal): Promise<ReadAnswer>;
  /** Aborts with the turn. */
  signal?: AbortSignal | undefined;
}

export type TurnJudge = Pick<
  CallPlace,
  | "judge"
  | "pay"
  | "granted"
  | "contextLabel"
  | "provenanceOf"
  | "makeAnew"
  | "approvals"
  | "breaker"
  | "decided"
> & {
  /** The context of an answer that ends the turn. Throws what the storage does. */
  contextNow(): Promise<CallContext>;
  /** What an answer is shown as: no address is left to follow that could tell its host something. Never throws. */
  guard(text: string): Promise<string>;
};

export interface TurnGate {
  /** Everything that the calls of one turn are judged by. */
  open(turn: OpenTurn): TurnJudge;
  /** What was granted in a turn that ends; undefined where nothing had to be. Throws what the storage does. */
  grantedIn(turn: Pick<TurnRecord, "turnId" | "queuedAt">): Promise<GrantedTurnView | undefined>;
  /** Resolves when all notes are stored. Never throws. */
  settled(): Promise<void>;
}

export interface TurnGateParts {
  stores: ReadContextParts["stores"] & {
    entries: Pick<TenantStores["entries"], "append">;
    pairing: Pick<TenantStores["pairing"], "listOwners">;
    approvals: Pick<TenantStores["approvals"], "list" | "grants">;
    gate: Pick<TenantStores["gate"], "plan" | "keepPlan" | "noteUse" | "listPlans">;
  };
  config(): Config;
  redactor: Pick<Redactor, "text" | "values">;
  approvals: Pick<Approvals, "consult" | "grants" | "spend">;
  rate: EffectRate;
  /** How many files a turn has deleted so far. Never throws. */
  deletedBy(turnId: string): Promise<number>;
  /** What tainted turns changed in these files without the owner having seen it, as a diff; left out where that is not kept. */
  unseenChange?: ((workdir: string, paths: readonly string[]) => Promise<string>) | undefined;
  /** `off` disables the judging of calls (benchmarks only). */
  provenance?: "on" | "off" | undefined;
  /** Counts what addresses tell their hosts, by agent and day. */
  spendBits(agentId: string, bits: number): Promise<boolean>;
  /** Called for every call that is denied or needs approval. Must not throw. */
  decided?: ((verdict: Decision["verdict"]) => void) | undefined;
  onError(error: unknown): void;
}

export function createTurnGate(parts: TurnGateParts): TurnGate {
  const { stores, rate, approvals, config } = parts;
  const views: Parameters<typeof readContext>[0]["views"] = new WeakMap();
  const noting = new Set<Promise<void>>();
  /** Turns of this process whose calls needed a grant: the others cost no look into the storage. */
  const planned = new Set<string>();

  async function note(
    { run, session }: OpenTurn,
    call: ToolCallBlock,
    { verdict, reason, reasons, rule, cause }: Decision,
  ): Promise<void> {
    parts.decided?.(verdict);
    const data = {
      tool: call.name,
      callId: call.id,
      turnId: run.turnId,
      verdict,
      reason,
      reasons,
      ...rule,
      ...(cause && { cause }),
    };
    const event = { type: "event" as const, name: "gate", data: parts.redactor.values(data) };
    const writing = stores.entries.append(session.sessionId, [event]).then(() => {}, parts.onError);
    noting.add(writing);
    await writing;
    noting.delete(writing);
  }

  /** Whether the owner said yes in this turn to what a message that may hold a paste asks for. */
  async function isConfirmed(turnId: string): Promise<boolean> {
    const answered = await stores.approvals.list({ turnId, limit: 50, states: ["approved", "spent"] });
    return answered.some(({ rule }) => rule === `provenance: ${pasteCheck}`);
  }

  async function wasApproved(
    sessionKey: string,
    { tool, arguments: given }: Pick<CallFacts, "tool" | "arguments">,
  ): Promise<boolean> {
    const shown = await stores.approvals.list({ sessionKey, limit: 50, states: ["approved", "spent"] });
    return shown.some(
      ({ subject }) => subject.tool === tool && isDeepStrictEqual(subject.call.arguments, given),
    );
  }

  async function ownersPlaces(): Promise<string[]> {
    const { owners, notify } = config();
    const claimed = await stores.pairing.listOwners();
    return [
      "cli:owner",
      ...owners,
      ...(notify.to === undefined ? [] : [notify.to]),
      ...claimed.map(({ channel, senderId }) => `${channel}:${senderId}`),
    ];
  }

  /** Kept before it counts; the first one wins, whoever asks at the same time. */
  async function planOf(turn: OpenTurn, context: CallContext): Promise<Plan> {
    // What the owner adds while the turn runs is read too.
    const part = context.said.length > 1 ? `plan of ${context.said.length}` : "";
    planned.add(turn.turnId);
    const kept = (await stores.gate.plan(turn.turnId, part)) as Plan | undefined;
    if (kept) return kept;
    const made = await makePlan(turn, context);
    return (await stores.gate.keepPlan(turn.turnId, made, part)) as Plan;
  }

  async function makePlan(turn: OpenTurn, context: CallContext): Promise<Plan> {
    const { mode } = config().policy.planner;
    if (mode === "off" || !turn.ask) return { type: "failed", reason: "there is no planner" };
    const { words: message, pasted } = plannerWords(context.said);
    if (!context.isOwners || message.trim() === "")
      return { type: "failed", reason: "nobody typed anything" };
    const { planGrants } = await import("./grants/planner.ts");
    const input = planInput({
      words: { message, pasted: Object.fromEntries(pasted.map(({ mark, text }) => [mark, text])) },
      context,
      earlier: context.earlierWords,
      contacts: contactsOf(config()),
      tools: turn.shownTools(),
      files: [...new Set([...(await turn.filesNamed(message)), ...(await turn.filesByWord(message))])],
      now: turn.now,
    });
    const { timeoutMs } = config().policy.planner;
    const time = AbortSignal.timeout(timeoutMs);
    const signal = turn.signal ? AbortSignal.any([turn.signal, time]) : time;
    return planGrants({ ask: turn.ask }, input, signal).catch((error: unknown) => {
      turn.signal?.throwIfAborted();
      return { type: "failed", reason: error instanceof Error ? error.message : String(error) };
    });
  }

  function open(turn: OpenTurn): TurnJudge {
    const { run } = turn;
    const contextBefore = (call: Pick<ToolCallBlock, "id">) => readContext({ stores, views }, turn, call);
    const contextNow = () => contextBefore({ id: "" });
    const grants = async () => {
      const held = await approvals.grants(run);
      return new Map(held.map(({ key, id }) => [key, { id }]));
    };
    const standing = async () => {
      if (!turn.isOwners) return [];
      const held = await stores.approvals.grants({ agentId: run.agentId });
      return held.flatMap((row) => standingGrant(row) ?? []);
    };
    /** Files that the words name, as sources; not those that hold anything besides, which the words do not name. */
    const filesToTell = async ({ typed }: CallContext): Promise<string[]> => {
      const paths = await turn.filesNamed(typed.join("\n"));
      const named = paths.map((path) => `file:${path}`);
      const labels = await Promise.all(paths.map((path) => turn.labelOfFile(path).catch(() => unknownLabel)));
      return named.filter((_, at) => labels[at]?.sources.every((source) => named.includes(source)) ?? true);
    };
    const judge = async (call: ToolCallBlock, facts: CallFacts, recipient: ResolveRecipient) => {
      const read = await contextBefore(call);
      // A grant is used up by whom a call reached, whatever the call named them.
      const context = { ...read, earlier: await Promise.all(read.earlier.map(resolved(recipient))) };
      const marks = turn.isOwners ? markedGrants(context.typed, contactsOf(config())) : [];
      const named = context.isGroup ? await filesToTell(context) : [];
      const isTyped = !context.said.some(({ pasted }) => pasted === "possible");
      const grants = createTurnGrants({
        standing,
        marks,
        plan: () => planOf(turn, context),
        isConfirmed: async () => isTyped || isConfirmed(run.turnId),
      });
      return judgeCall(facts, context, {
        grants,
        owners: await ownersPlaces(),
        judgeAddress: (at, address) => {
          const weighed = weighAddress(at, address, rulesFor(at));
          return weighed.type === "found" ? weighed.finding : undefined;
        },
        mayShow: (at, address) => mayShow(at, address, config().tools.web.trusted),
        judgeWrite: async (at, write) =>
          turn.files && judgeWrite(at, write, { ...placesIn(turn.files), planned: grants.planned }),
        isConfirmed: () => isConfirmed(run.turnId),
        wasApproved: (shown) => wasApproved(run.sessionKey, shown),
        isGiven: (name) => isGiven(turn.tools.find(name), config().tools.visibility),
        holdsStoredSecret: (text) => parts.redactor.text(text) !== text,
        named,
        unseenChange: async (paths) =>
          (turn.files && (await parts.unseenChange?.(turn.files.root, paths))) ?? "",
      });
    };
    const rulesFor = ({ earlierCalls }: CallContext) => ({
      trusted: config().tools.web.trusted,
      hasScout: turn.hasScout(),
      calls: earlierCalls,
    });
    const pay = async (call: ToolCallBlock, facts: CallFacts) => {
      if (facts.effect !== "read") return undefined;
      const context = await contextBefore(call);
      const spend: SpendBits = (bits) => parts.spendBits(run.agentId, bits);
      if (facts.tool === scoutTool) return checkScout(context, spend);
      for (const address of addressesOf(facts)) {
        const found = await checkAddress(context, { call: facts, ...address }, rulesFor(context), spend);
        if (found) return found;
      }
      return undefined;
    };
    const asking: CallApprovals = {
      grants,
      async ask(question, signal, round) {
        const together = round ? await round.join(question) : [question];
        return approvals.consult({ ...question, turn: run }, signal, together);
      },
      spend: approvals.spend,
    };
    return {
      ...(parts.provenance !== "off" && { judge, pay }),
      async granted(call, grant) {
        planned.add(turn.turnId);
        await stores.gate.noteUse(turn.turnId, call.id, grant);
      },
      contextLabel: async (call): Promise<Label> => (await contextBefore(call)).label,
      provenanceOf: async (call, text): Promise<TextProvenance> => whoseText(await contextBefore(call), text),
      async makeAnew({ id, name }, anew, recipient, signal) {
        const part = `words of ${id}`;
        const kept = (await stores.gate.plan(turn.turnId, part)) as Remade | undefined;
        if (kept) return kept;
        const { makeAnew } = await import("./make-anew.ts");
        const made = await makeAnew(turn, { ...anew, tool: name, recipient }, signal);
        return (await stores.gate.keepPlan(turn.turnId, made, part)) as Remade;
      },
      approvals: asking,
      async breaker(tool) {
        // Counting deleted files walks through the workdir.
        if (tool.effect === "read") return undefined;
        const deleted = rate.deleted(await parts.deletedBy(run.turnId));
        if (!deleted.ok) return deleted.reason;
        const isMessage = tool.effect === "act" && Object.values(tool.controls).includes("recipient");
        if (!isMessage) return undefined;
        const sent = rate.take(run.agentId, "message");
        return sent.ok ? undefined : sent.reason;
      },
      decided: (call, decision) => note(turn, call, decision),
      contextNow,
      async guard(text) {
        // Without an address in it, nothing needs a look at where anything comes from.
        if (!holdsAddress(text)) return text;
        const known = await contextNow().catch(() => undefined);
        const isFree = (address: string) =>
          known !== undefined && mayShow(known, address, config().tools.web.trusted);
        return guardReply(text, isFree);
      },
    };
  }

  return {
    open,
    async grantedIn(turn) {
      if (!planned.delete(turn.turnId)) return undefined;
      return grantedIn({ stores, contacts: contactsOf(config()) }, turn);
    },
    async settled() {
      await Promise.all(noting);
    },
  };
}

const resolved =
  (recipient: ResolveRecipient) =>
  async (call: CallFacts): Promise<CallFacts> =>
    Object.values(call.controls).includes("recipient") ? { ...call, recipient: await recipient(call) } : call;

/**
 * A text that is to be kept is the owner's where nobody else wrote in the context, or where it is the owner's whole
 * present message. Pure.
 */
export function whoseText({ label, typed, shown }: CallContext, text: string): TextProvenance {
  if (!label.untrusted || isSameText(text, typed.join("\n"))) return { trusted: true };
  const last = shown.findLast((each) => each.label.untrusted);
  if (!last || last.origin === "prompt") return { trusted: false };
  return { trusted: false, origin: last.origin, from: last.from };
}

const isSameText = (one: string, other: string): boolean =>
  squeezed(one) !== "" && squeezed(one) === squeezed(other);

const squeezed = (text: string): string =>
  text.normalize("NFC").replaceAll(/\s+/gu, " ").trim().toLowerCase();
