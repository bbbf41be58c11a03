/** What the calls of turns are judged by: where their arguments come from, what the owner has said, and what was too much. */
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
import type { OwnersWord } from "./owners-word.ts";
import { turnProvenance, type ProvenanceOf } from "./turn-provenance.ts";

/** What the gate needs to know of a turn, besides the rules. */
export interface TurnGate {
  /** Throws what the storage does. */
  provenance(of: ProvenanceOf, call: ToolCallBlock): Promise<Provenance>;
  /** The owner's word on calls of this turn. */
  owner(turn: TurnRecord): OwnersWord;
  /** Ends a run before one call too many. Never throws. */
  breaker(turn: TurnRecord): CallPlace["breaker"];
  /** Keeps what was asked or denied, for `/why`. Never throws. */
  note(turn: TurnRecord, session: SessionRecord, call: ToolCallBlock, decision: Decision): Promise<void>;
  /** Resolves when everything that was noted is stored. Never throws. */
  settled(): Promise<void>;
}

export interface TurnGateParts {
  stores: Pick<TenantStores, "entries" | "turns" | "pairing" | "approvals">;
  config(): Config;
  redactor: Pick<Redactor, "text" | "values">;
  room: Pick<Approvals, "consult" | "spend">;
  rate: EffectRate;
  /** How many files a turn has deleted so far. Never throws. */
  deletedBy(turnId: string): Promise<number>;
  /** Off: nobody looks where arguments come from; for whoever measures what that is worth. */
  provenance?: "on" | "off" | undefined;
  /** Told of every call that was denied or has to be asked about. Must not throw. */
  decided?: ((verdict: Decision["verdict"]) => void) | undefined;
  onError(error: unknown): void;
}

export function createTurnGate(parts: TurnGateParts): TurnGate {
  const { stores, rate } = parts;
  const judging = {
    ...parts,
    views: new WeakMap<ProvenanceOf, ReturnType<typeof stores.entries.view>>(),
    secretsOf: rememberSecrets(),
  };
  const noting = new Set<Promise<void>>();
  return {
    async provenance(of, call) {
      if (parts.provenance !== "off") return turnProvenance(judging, of, call);
      const facts = { contacts: {}, owners: [], trustedHosts: [], holdsHouseSecret: () => false };
      return {
        ...createProvenance({ spans: [], facts, asked: [], ownWords: [], isGroup: false }),
        judge: () => [],
      };
    },
    owner: (turn) => ownersWord(parts, turn),
    breaker: (turn) => async (tool) => {
      // Counting takes a walk through the workdir.
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

/** A text of a session is looked through once, however many calls are judged by it. */
function rememberSecrets(): typeof secretsIn {
  const known = createRecent<ReturnType<typeof secretsIn>>(mostRemembered);
  return (source) => {
    const key = `${source.isSecretFile ? "s" : ""}${source.isOutside ? "o" : ""}:${source.text}`;
    const found = known.get(key) ?? secretsIn(source);
    known.set(key, found);
    return found;
  };
}

function ownersWord({ stores, room }: TurnGateParts, turn: TurnRecord): OwnersWord {
  const { agentId, turnId } = turn;
  return {
    async grants() {
      const held = await stores.approvals.grants({ agentId, turnId });
      return new Map(held.map(({ key, id }) => [key, { id }]));
    },
    ask: (call, signal) => room.consult({ ...call, turn }, signal),
    spend: room.spend,
  };
}
