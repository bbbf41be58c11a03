/**
 * Who has which permission, and which one each command of a chat needs; a method of the gateway names its own in its declaration. What is
 * not granted here is denied: a role has no more than its list.
 */
import { permissionPoints, type PermissionPoint } from "@pincer/sdk";

export const roles = ["owner", "admin", "developer", "viewer", "auditor", "node", "peer"] as const;
export type Role = (typeof roles)[number];

/** Of a command in a chat, by its name without the mark; null where it only tells. Undefined: there is no such command. */
export const permissionOfCommand = (name: string): PermissionPoint | null | undefined =>
  Object.hasOwn(byCommand, name) ? byCommand[name as keyof typeof byCommand] : undefined;

/** Only explicit grants count. */
export const holds = (role: Role, point: PermissionPoint | undefined): boolean =>
  point !== undefined && granted[role].includes(point);

const reading = ["state.view", "sessions.view"] as const satisfies PermissionPoint[];
/** Without `tools.invoke`: it acts for the owner without asking. */
const working = [
  "agent.run",
  "undo.apply",
  "sessions.write",
  "memory.write",
  "notices.write",
] as const satisfies PermissionPoint[];
/**
 * For the owner alone: what creates owners, acts as one, bends the gate, exports secrets, or imports those of other
 * programs.
 */
const ownersAlone: readonly PermissionPoint[] = [
  "owner.write",
  "owner.speak",
  "rules.write",
  "policy.write",
  "tools.invoke",
  "auth.export",
  "setup.machine",
];

const granted: Record<Role, readonly PermissionPoint[]> = {
  owner: permissionPoints,
  admin: permissionPoints.filter((point) => !ownersAlone.includes(point)),
  developer: [...reading, "approvals.view", "config.view", "logs.view", ...working],
  viewer: reading,
  auditor: [
    "state.view",
    "people.view",
    "approvals.view",
    "config.view",
    "logs.view",
    "access.view",
    "audit.view",
    "audit.export",
  ],
  // A device that offers tools: it executes requests and makes none.
  node: ["nodes.attach"],
  // An admitted person may talk to the agent, and nothing else.
  peer: ["agent.run"],
};

export const byCommand = {
  help: null,
  tools: null,
  "tool.describe": null,
  skills: null,
  status: null,
  whoami: null,
  why: null,
  usage: null,
  cost: null,
  context: null,
  config: null,
  approvals: null,
  rules: null,
  anchors: null,
  tape: null,
  "tape.info": null,
  "tape.search": null,
  quit: null,
  signin: "access.write",
  browsers: "access.write",
  // These change only the conversation in which they are typed: everybody who may talk there may use them.
  new: "agent.run",
  reset: "agent.run",
  "tape.reset": "agent.run",
  handoff: "agent.run",
  compact: "agent.run",
  verbose: "agent.run",
  stop: "agent.run",
  continue: "agent.run",
  dry: "agent.run",
  model: "models.policy",
  think: "models.policy",
  undo: "undo.apply",
  rule: "rules.write",
  remember: "memory.write",
  forget: "memory.write",
  approve: "approvals.answer",
  deny: "approvals.answer",
} as const satisfies Record<string, PermissionPoint | null>;
