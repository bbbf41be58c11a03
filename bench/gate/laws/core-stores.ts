/** What a turn's gate stores, in memory, with the verbs that it uses. They keep what they are given and know no rule. */
import type { Entry, EntryBody, MessageEntry } from "@pincer/sdk";
import type { TurnGateParts } from "../../../src/gate/turn-gate.ts";
import type { FileLabelsParts } from "../../../src/gate/labels/file-labels.ts";
import type { ResultReaderParts } from "../../../src/agent/context/result-reader.ts";
import type { ApprovalQuestion } from "../../../src/gate/call-round.ts";
import type { ApprovalRecord } from "../../../src/storage/approvals/approvals.ts";
import type { FileLabel } from "../../../src/storage/gate/gate.ts";
import type { SessionRecord } from "../../../src/storage/stores.ts";
import type { TurnRecord } from "../../../src/storage/turns/turns.ts";

export type CoreStores = TurnGateParts["stores"] &
  ResultReaderParts["stores"] & {
    gate: FileLabelsParts["store"];
    approvals: Pick<TurnGateParts["approvals"], "consult" | "spend">;
    /** Stores what a session said, in order. */
    append(sessionId: string, bodies: readonly EntryBody[]): Entry[];
    /** Of this turn, or of all of its session. */
    said(sessionId: string, turnId?: string): MessageEntry[];
    nextSeq(sessionId: string): number;
    addTurn(turn: TurnRecord, session: SessionRecord): void;
    endTurn(turnId: string): void;
    openCard(): ApprovalQuestion | undefined;
    answerCard(isYes: boolean): void;
    labelFile(path: string, hash: string, label: FileLabel): void;
  };

interface Card {
  question: ApprovalQuestion;
  turnId: string;
  state: "pending" | "approved" | "denied" | "spent";
}

export function createCoreStores(now: () => string): CoreStores {
  const sessions = new Map<string, Entry[]>();
  const active = new Map<string, SessionRecord>();
  const turns = new Map<string, TurnRecord>();
  const plans = new Map<string, unknown>();
  const cards = new Map<string, Card>();
  const labels = new Map<string, Map<string, FileLabel>>();

  const entriesOf = (sessionId: string): Entry[] => {
    const found = sessions.get(sessionId) ?? [];
    sessions.set(sessionId, found);
    return found;
  };
  const messages = (sessionId: string): MessageEntry[] =>
    entriesOf(sessionId).filter((entry) => entry.type === "message");
  const append = (sessionId: string, bodies: readonly EntryBody[]): Entry[] => {
    const entries = entriesOf(sessionId);
    const stored = bodies.map((body, index) => ({ ...body, seq: entries.length + index + 1, time: now() }));
    entries.push(...stored);
    return stored;
  };
  const labelsOf = (path: string): Map<string, FileLabel> => {
    const found = labels.get(path) ?? new Map<string, FileLabel>();
    labels.set(path, found);
    return found;
  };
  const isRunning = ({ state }: TurnRecord): boolean => state === "running";

  return {
    append,
    said: (sessionId, turnId) =>
      messages(sessionId).filter(({ runId }) => turnId === undefined || runId === turnId),
    nextSeq: (sessionId) => entriesOf(sessionId).length + 1,
    addTurn(turn, session) {
      turns.set(turn.turnId, turn);
      active.set(session.sessionKey, session);
    },
    endTurn(turnId) {
      const turn = turns.get(turnId);
      if (turn) turns.set(turnId, { ...turn, state: "done" });
    },
    openCard: () => [...cards.values()].find(({ state }) => state === "pending")?.question,
    answerCard(isYes) {
      for (const card of cards.values())
        if (card.state === "pending") card.state = isYes ? "approved" : "denied";
    },
    labelFile: (path, hash, label) => void labelsOf(path).set(hash, label),
    entries: {
      append: async (sessionId, bodies) => append(sessionId, bodies),
      at: async (sessionId, seq) => entriesOf(sessionId).find((entry) => entry.seq === seq),
      async view(sessionId, { before, limit }) {
        const said = messages(sessionId).filter(({ seq }) => seq < before);
        return { mark: undefined, said: said.slice(-limit), isCut: said.length > limit };
      },
    },
    sessions: { findActive: async (_workspaceId, sessionKey) => active.get(sessionKey) },
    turns: {
      get: async (turnId) => turns.get(turnId),
      list: async ({ sessionKey }) =>
        [...turns.values()].filter((turn) => isRunning(turn) && turn.sessionKey === sessionKey),
      async entries(turnId) {
        const { sessionId } = turns.get(turnId) ?? {};
        return sessionId ? messages(sessionId).filter(({ runId }) => runId === turnId) : [];
      },
    },
    pairing: { listOwners: async () => [] },
    approvals: {
      grants: async () => [],
      async list({ turnId, states = [] }) {
        const found = [...cards.values()].filter(
          (card) => card.turnId === turnId && states.some((state) => state === card.state),
        );
        return found.map(({ question }) => question as ApprovalRecord);
      },
      async consult({ turn, ...question }) {
        const card: Card = cards.get(question.callId) ?? { question, turnId: turn.turnId, state: "pending" };
        cards.set(question.callId, card);
        const approvalId = question.callId;
        if (card.state === "pending") return { type: "waiting", approvalId };
        if (card.state === "approved") return { type: "approved", approvalId };
        return { type: "denied", reason: "the owner said no" };
      },
      async spend(approvalId) {
        const card = cards.get(approvalId);
        if (card?.state !== "approved") return false;
        card.state = "spent";
        return true;
      },
    },
    gate: {
      plan: async (turnId, part = "") => plans.get(`${turnId} ${part}`),
      async keepPlan(turnId, plan, part = "") {
        const key = `${turnId} ${part}`;
        if (!plans.has(key)) plans.set(key, plan);
        return plans.get(key);
      },
      // Nobody looks at it here.
      noteUse: async () => {},
      listPlans: async () => [],
      describeFiles: async (files) =>
        files.map(({ path, hash = "" }) => {
          const stored = labels.get(path)?.get(hash);
          const others = [...labels].flatMap(([name, known]) => (name === path ? [] : [known.get(hash)]));
          const copied = stored && stored.by !== "tool" ? [] : others.flatMap((each) => each?.label ?? []);
          return { stored, copied, history: "known" };
        }),
      async labelFiles(files) {
        for (const { path, hash, label } of files) {
          if (labelsOf(path).get(hash)?.by !== "owner")
            labelsOf(path).set(hash, { label, by: "tool", at: now() });
        }
      },
      async forgetOthers(files) {
        for (const { path, hash } of files)
          for (const [other, { by }] of labelsOf(path))
            if (other !== hash && by === "tool") labelsOf(path).delete(other);
      },
      forgetFiles: async (path) => void labels.delete(path),
    },
  };
}
