/**
 * Supplies what the gate needs to judge the calls of a turn: where arguments come from, the owner's approvals, and
 * the limits.
 */
import { createRecent, type ToolCallBlock } from "@pincer/sdk";
import type { Config } from "../config/schema.ts";
import type { Redactor } from "../infra/redactor.ts";
import type { Decision } from "../policy/decision.ts";
import type { EffectRate } from "../policy/effect-rate.ts";
import { createProvenance, type Provenance } from "../policy/provenance/provenance.ts";
import { secretsIn } from "../policy/provenance/secrets-in.ts";
import type { TenantStores } from "../storage/storage.ts";
import type { TurnRecord } from "../storage/turns/turns.ts";
import type { Approvals } from "./approvals/create-approvals.ts";
import type { SessionRecord } from "../storage/stores.ts";
import type { CallPlace } from "./gated-tools.ts";
import type { CallApprovals } from "./call-approvals.ts";
import { turnProvenance, type ProvenanceOf } from "./turn-provenance.ts";

/** What the gate needs to know about a turn, besides the rules. */
export interface TurnGate {
  /** Throws what the storage does. */
  provenance(of: ProvenanceOf, call: ToolCallBlock): Promise<Provenance>;
  /** The owner's approvals for calls of this turn. */
  approvals(turn: TurnRecord): CallApprovals;
  /** Ends a run before a call that exceeds a limit. Never throws. */
  breaker(turn: TurnRecord): CallPlace["breaker"];
  /** Stores what was asked or denied, for `/why`. Never throws. */
  note(turn: TurnRecord, session: SessionRecord, call: ToolCallBlock, decision: Decision): Promise<void>;
  /** Resolves when all notes are stored. Never throws. */
  settled(): Promise<void>;
}

export interface TurnGateParts {
  stores: Pick<TenantStores, "entries" | "turns" | "pairing" | "approvals">;
  config(): Config;
  redactor: Pick<Redactor, "text" | "values">;
  approvals: Pick<Approvals, "consult" | "spend">;
  rate: EffectRate;
  /** How many files a turn has deleted so far. Never throws. */
  deletedBy(turnId: string): Promise<number>;
  /** `off` disables provenance checks (benchmarks only). */
  provenance?: "on" | "off" | undefined;
  /** Called for every call that is denied or needs approval. Must not throw. */
  decided?: ((verdict: Decision["verdict"]) => void) | undefined;
  onError(error: unknown): void;
}

export function createTurnGate(parts: TurnGateParts): TurnGate {
  const { stores, rate, approvals } = parts;
  const judging = {
    ...parts,
    views: new WeakMap<ProvenanceOf, ReturnType<typeof stores.entries.view>>(),
    secretsOf: rememberSecrets(),
  };
  const noting = new Set<Promise<void>>();
  return {
    async provenance(of, call) {
      if (parts.provenance !== "off") return turnProvenance(judging, of, call);
      const facts = { contacts: {}, owners: [], trustedHosts: [], holdsStoredSecret: () => false };
      return {
        ...createProvenance({ spans: [], facts, asked: [], ownWords: [], isGroup: false }),
        judge: () => [],
      };
    },
    approvals: (turn) => ({
      async grants() {
        const held = await stores.approvals.grants({ agentId: turn.agentId, turnId: turn.turnId });
        return new Map(held.map(({ key, id }) => [key, { id }]));
      },
      ask: (question, signal) => approvals.consult({ ...question, turn }, signal),
      spend: approvals.spend,
    }),
    breaker: (turn) => async (tool) => {
      // Counting deleted files walks through the workdir.
      if (tool.effect === "read") return undefined;
      const deleted = rate.deleted(await parts.deletedBy(turn.turnId));
      if (!deleted.ok) return deleted.reason;
      const isMessage = tool.effect === "act" && Object.values(tool.controls).includes("recipient");
      if (!isMessage) return undefined;
      const sent = rate.take(turn.agentId, "message");
      return sent.ok ? undefined : sent.reason;
    },
    async note(turn, session, call, { verdict, reason, rule, cause }) {
      parts.decided?.(verdict);
      const data = {
        tool: call.name,
        callId: call.id,
        turnId: turn.turnId,
        verdict,
        reason,
        ...rule,
        ...(cause && { cause }),
      };
      const event = { type: "event" as const, name: "gate", data: parts.redactor.values(data) };
      const writing = stores.entries.append(session.sessionId, [event]).then(() => {}, parts.onError);
      noting.add(writing);
      await writing;
      noting.delete(writing);
    },
    async settled() {
      await Promise.all(noting);
    },
  };
}

const mostRemembered = 300;

/** Scans each text of a session once, however many calls are judged by it. */
function rememberSecrets(): typeof secretsIn {
  const known = createRecent<ReturnType<typeof secretsIn>>(mostRemembered);
  return (source) => {
    const key = `${source.isSecretFile ? "s" : ""}${source.isOutside ? "o" : ""}:${source.text}`;
    const found = known.get(key) ?? secretsIn(source);
    known.set(key, found);
    return found;
  };
}
