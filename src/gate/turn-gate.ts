/**
 * Supplies what judges the calls of a turn: its context from storage, the owner's grants, approvals and limits. One
 * object for each turn that runs or is looked at.
 */
import type {
  AssistantMessage,
  GrantedTurnView,
  Label,
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
import type { CallPlace } from "./gated-tools.ts";
import { grantedIn } from "./grants/granted.ts";
import { planInput } from "./grants/plan-input.ts";
import { contactsOf } from "./grants/places.ts";
import { plannerWords } from "./grants/planner-words.ts";
import type { Plan } from "./grants/planner.ts";
import { markedGrants, standingGrant } from "./grants/standing.ts";
import { createTurnGrants } from "./grants/turn-grants.ts";
import { addressesOf, judgeCall, pasteCheck } from "./judge-call.ts";
import { checkAddress, checkScout, weighAddress, type SpendBits } from "./leaving/check-address.ts";
import { mayShow, scoutTool } from "./leaving/judge-address.ts";
import { changeFileCall, judgeWrite } from "./steering/judge-write.ts";
import { placesIn, type PlaceFiles } from "./steering/workdir-places.ts";
import { readContext, type JudgedTurn } from "./read-context.ts";
import type { Written } from "./leaving/write-anew.ts";

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
  /** Of the workdir; undefined for a child that has none. */
  files: PlaceFiles | undefined;
  /** When the message came, where the owner is, for the planner. */
  now: string;
  /** Undefined where there is no model. */
  ask: AskWithoutTools | undefined;
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
  | "reword"
  | "approvals"
  | "breaker"
  | "decided"
> & {
  /** The context of an answer that ends the turn. Throws what the storage does. */
  contextNow(): Promise<CallContext>;
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
  stores: Pick<TenantStores, "entries" | "turns" | "pairing" | "approvals" | "gate">;
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
      files: await turn.filesNamed(message),
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
    const grants = async () => {
      const held = await approvals.grants(run);
      return new Map(held.map(({ key, id }) => [key, { id }]));
    };
    const standing = async () => {
      if (!turn.isOwners) return [];
      const held = await stores.approvals.grants({ agentId: run.agentId });
      return held.flatMap((row) => standingGrant(row) ?? []);
    };
    const judge = async (call: ToolCallBlock, facts: CallFacts) => {
      const context = await contextBefore(call);
      const marks = turn.isOwners ? markedGrants(context.typed, contactsOf(config())) : [];
      const named = context.isGroup ? await turn.filesNamed(context.typed.join("\n")) : [];
      const contacts = contactsOf(config());
      const grants = createTurnGrants({ standing, marks, contacts, plan: () => planOf(turn, context) });
      const isGranted = async (path: string) =>
        (await grants.coverage(changeFileCall(path), context)).type === "covered";
      return judgeCall(facts, context, {
        grants,
        owners: await ownersPlaces(),
        judgeAddress: (at, address) => {
          const weighed = weighAddress(at, address, rulesFor(at));
          return weighed.type === "found" ? weighed.finding : undefined;
        },
        mayShow: (at, address) => mayShow(at, address, config().tools.web.trusted),
        judgeWrite: async (at, write) =>
          turn.files && judgeWrite(at, write, { ...placesIn(turn.files), isGranted }),
        isConfirmed: () => isConfirmed(run.turnId),
        holdsStoredSecret: (text) => parts.redactor.text(text) !== text,
        named: named.map((path) => `file:${path}`),
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
      async reword(call, { worded }, recipient, signal) {
        const part = `words of ${call.id}`;
        const kept = (await stores.gate.plan(turn.turnId, part)) as Written | undefined;
        if (kept) return kept;
        if (!worded || !turn.ask) return { type: "failed", reason: "there is no writer" };
        const { writeAnew } = await import("./leaving/write-anew.ts");
        const made = await writeAnew({ ask: turn.ask }, { ...worded, recipient }, signal);
        return (await stores.gate.keepPlan(turn.turnId, made, part)) as Written;
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
      contextNow: () => contextBefore({ id: "" }),
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
