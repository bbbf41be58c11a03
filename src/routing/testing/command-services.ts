/**
 * The services behind commands, in memory: approvals that can be answered, a few tools, one skill, two models, a small
 * config.
 */
import { PincerError, type Destination, type GrantedTurnView } from "@pincer/sdk";
import type { AnswerOutcome, ApprovalRecord } from "../../storage/approvals/approvals.ts";
import type { CommandServices } from "../router.ts";

export interface FakeRoomSettings {
  approvals?: ApprovalRecord[];
  /** Where the owner is told of any of them. */
  told?: Destination | null | undefined;
  skills?: Array<{ name: string; description: string }>;
  /** What the last turn was granted. */
  granted?: GrantedTurnView;
}

export function createFakeCommandServices({
  approvals = [],
  told,
  skills = [],
  granted,
}: FakeRoomSettings = {}): CommandServices {
  const rows = new Map(approvals.map((row) => [row.id.toLowerCase(), { ...row }]));
  return {
    approvals: {
      toldIn: async () => told,
      list: async () => [...rows.values()].filter(({ state }) => state === "pending"),
      async answer(id, { verdict, scope, by, only }): Promise<AnswerOutcome> {
        const onCard = [...rows.values()].filter(({ card }) => card === id.toLowerCase());
        if (onCard.length > 0) {
          for (const [index, row] of onCard.entries()) {
            const isYes = verdict === "approved" && (only?.includes(index + 1) ?? true);
            Object.assign(row, { state: isYes ? "approved" : "denied", scope, answeredBy: by });
          }
          const approvals = onCard.map((row) => ({ ...row }));
          return { type: "answered", approval: approvals[0] ?? approvalRecord(), approvals, turn: undefined };
        }
        const row = rows.get(id.toLowerCase());
        if (!row) return { type: "none" };
        if (row.state !== "pending") return { type: "settled", approval: { ...row } };
        if (!row.scopes.includes(scope)) return { type: "no-scope", approval: { ...row } };
        Object.assign(row, { state: verdict, scope, answeredBy: by });
        return { type: "answered", approval: { ...row }, approvals: [{ ...row }], turn: undefined };
      },
    },
    tools: {
      list: async ({ person }) => standings(person.role === "owner"),
      describe: async (name, { person }) => {
        const found = standings(person.role === "owner").find((each) => each.name === name);
        return found && { ...found, input: { type: "object" } };
      },
    },
    granted: async () => granted,
    skills: async () => ({ where: "/workdir/skills", skills, skipped: [] }),
    models: {
      usual: () => ({ model: "acme/large", thinking: "off" }),
      configured: () => ["acme/large", "acme/small"],
      async check(_agentId, name) {
        if (!name.startsWith("acme/")) throw new PincerError("model/not-found", `no model ${name}`);
      },
    },
    unconfirmed: {
      list: async () => [],
      confirm: async (_agentId, ref) => noLine(ref),
      drop: async (_agentId, ref) => noLine(ref),
    },
    browsers: {
      makeLink: async () => ({ link: "https://desk.example/#code=once", code: "once", isOutside: true }),
      list: async () => [],
      end: async () => [],
    },
    shownConfig: {
      keys: () => ["queue", "channels"],
      read: (path) => (path === "queue.mode" ? "steer" : path === "channels" ? { token: "***" } : undefined),
    },
  };
}

function noLine(ref: string): never {
  throw new PincerError("usage/not-found", `no line ${ref}`);
}

const standings = (isOwner: boolean) => [
  {
    name: "time_now",
    description: "Tells the time. After a reply here end with NO_REPLY.",
    verdict: "allow" as const,
    reasons: [],
  },
  {
    name: "exec",
    description: "Runs a command.",
    verdict: isOwner ? ("ask" as const) : ("deny" as const),
    reasons: [{ code: isOwner ? "unwalled" : "not-here", values: {} }],
  },
];

/** A question that waits, but for what is given. */
export function approvalRecord(given: Partial<ApprovalRecord> = {}): ApprovalRecord {
  return {
    id: "AB12",
    state: "pending",
    scope: null,
    askedAt: "2026-01-01T12:00:00.000Z",
    answeredAt: null,
    answeredBy: null,
    turnId: "turn_1",
    callId: "call_1",
    workspaceId: "w_default",
    sessionKey: "agent:main:main",
    agentId: "main",
    personId: "telegram:42",
    subject: {
      tool: "exec",
      call: { name: "exec", arguments: { command: "make deploy" } },
      shown: "make deploy",
      digest: "d",
    },
    reason: "it would run outside any sandbox",
    reasons: [{ code: "unwalled", values: {} }],
    rule: "tools.modes.exec",
    scopes: ["once", "task"],
    keys: { task: "exec" },
    expiresAt: "2026-01-02T12:00:00.000Z",
    ...given,
  };
}
