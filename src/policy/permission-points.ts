/**
 * Which permission each request and each command of a chat needs, and who has it. What is not granted here is denied: a request without
 * a row is refused to everybody, and a role has no more than its list.
 */
import type { MethodName } from "@pincer/sdk";

export const permissionPoints = [
  "state.view",
  "sessions.view",
  "people.view",
  "approvals.view",
  "audit.view",
  "audit.export",
  "agent.run",
  "tools.invoke",
  "tools.risky",
  "undo.apply",
  "approvals.answer",
  "rules.write",
  "models.policy",
  "sessions.write",
  "sessions.delete",
  "memory.write",
  "notices.write",
  "outbox.write",
  "pairing.write",
  "owner.write",
  "owner.speak",
  "config.write",
  "auth.write",
  "auth.export",
  "backup.create",
  "gateway.control",
] as const;
export type PermissionPoint = (typeof permissionPoints)[number];

export const roles = ["owner", "admin", "developer", "viewer", "auditor", "peer"] as const;
export type Role = (typeof roles)[number];

/** Undefined: nobody has been told what it needs, so nobody may. `connect` comes before anybody is somebody. */
export const permissionOf = (method: string): PermissionPoint | undefined =>
  Object.hasOwn(byMethod, method) ? byMethod[method as keyof typeof byMethod] : undefined;

/** Of a command in a chat, by its name without the mark; null where it only tells. Undefined: there is no such command. */
export const permissionOfCommand = (name: string): PermissionPoint | null | undefined =>
  Object.hasOwn(byCommand, name) ? byCommand[name as keyof typeof byCommand] : undefined;

/** Explicit grants alone; whatever is not granted is denied. */
export const holds = (role: Role, point: PermissionPoint | undefined): boolean =>
  point !== undefined && granted[role].includes(point);

const reading = ["state.view", "sessions.view"] as const satisfies PermissionPoint[];
/** Not `tools.invoke`: it runs by the owner's own hand, and nobody is asked. */
const working = [
  "agent.run",
  "undo.apply",
  "sessions.write",
  "memory.write",
  "notices.write",
] as const satisfies PermissionPoint[];
/** The owner's alone: what makes somebody an owner or lets them speak as one, and what carries secrets away. */
const ownersAlone: readonly PermissionPoint[] = ["owner.write", "owner.speak", "auth.export"];

const granted: Record<Role, readonly PermissionPoint[]> = {
  owner: permissionPoints,
  admin: permissionPoints.filter((point) => !ownersAlone.includes(point)),
  developer: [...reading, "approvals.view", ...working],
  viewer: reading,
  auditor: ["state.view", "people.view", "approvals.view", "audit.view", "audit.export"],
  // Whoever came through the door may speak to the agent, and that is all.
  peer: ["agent.run"],
};

export const byMethod = {
  "gateway.status": "state.view",
  "gateway.stop": "gateway.control",
  "gateway.reload": "gateway.control",
  "agent.run": "agent.run",
  "agent.continue": "agent.run",
  "agent.wait": "agent.run",
  "agent.abort": "agent.run",
  "tools.invoke": "tools.invoke",
  "runs.list": "sessions.view",
  "runs.events": "sessions.view",
  "sessions.list": "sessions.view",
  "sessions.find": "sessions.view",
  "sessions.entries": "sessions.view",
  "sessions.delete": "sessions.delete",
  "sessions.import": "sessions.write",
  "tape.info": "sessions.view",
  "tape.anchors": "sessions.view",
  "tape.search": "sessions.view",
  "tape.handoff": "sessions.write",
  "tape.reset": "sessions.write",
  "context.show": "sessions.view",
  "backup.create": "backup.create",
  "backup.list": "state.view",
  "backup.verify": "state.view",
  "status.get": "state.view",
  "doctor.run": "state.view",
  // Codes are in it, and whoever has one comes in.
  "pairing.list": "people.view",
  "pairing.export": "people.view",
  "pairing.approve": "pairing.write",
  "pairing.revoke": "pairing.write",
  "pairing.import": "pairing.write",
  "owner.claim": "owner.write",
  "owner.list": "people.view",
  "owner.remove": "owner.write",
  "outbox.list": "sessions.view",
  "outbox.get": "sessions.view",
  "outbox.retry": "outbox.write",
  "outbox.drop": "outbox.write",
  "deadletters.list": "sessions.view",
  "deadletters.get": "sessions.view",
  "deadletters.retry": "outbox.write",
  "deadletters.drop": "outbox.write",
  "models.list": "state.view",
  "models.providers": "state.view",
  "models.resolve": "state.view",
  "models.status": "state.view",
  // It costs what a question costs.
  "models.test": "agent.run",
  "models.refresh": "models.policy",
  "auth.status": "state.view",
  "auth.put": "auth.write",
  "auth.use": "auth.write",
  "auth.logout": "auth.write",
  "auth.order": "auth.write",
  "auth.import": "auth.write",
  "auth.export": "auth.export",
  "auth.test": "auth.write",
  "usage.report": "state.view",
  "usage.totals": "state.view",
  "notices.list": "state.view",
  "notices.dismiss": "notices.write",
  "rules.list": "state.view",
  "rules.add": "rules.write",
  "rules.remove": "rules.write",
  "approvals.list": "approvals.view",
  "approvals.get": "approvals.view",
  "approvals.approve": "approvals.answer",
  "approvals.deny": "approvals.answer",
  "grants.list": "approvals.view",
  "grants.revoke": "approvals.answer",
  "policy.explain": "state.view",
  "commands.list": "state.view",
  // It says any line as the owner, answers to requests among them: no lesser permission may lead there.
  "commands.run": "owner.speak",
  "undo.list": "sessions.view",
  "undo.show": "sessions.view",
  "undo.apply": "undo.apply",
  "memory.status": "state.view",
  "memory.search": "sessions.view",
  "memory.get": "sessions.view",
  "memory.index": "memory.write",
  "memory.unconfirmed": "sessions.view",
  "memory.confirm": "memory.write",
  "memory.drop": "memory.write",
} as const satisfies Record<Exclude<MethodName, "connect">, PermissionPoint>;

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
  // These change the conversation in which they are said, and no other: whoever may speak there may do so.
  new: "agent.run",
  reset: "agent.run",
  "tape.reset": "agent.run",
  handoff: "agent.run",
  compact: "agent.run",
  verbose: "agent.run",
  stop: "agent.run",
  continue: "agent.run",
  model: "models.policy",
  think: "models.policy",
  undo: "undo.apply",
  rule: "rules.write",
  remember: "memory.write",
  forget: "memory.write",
  approve: "approvals.answer",
  deny: "approvals.answer",
} as const satisfies Record<string, PermissionPoint | null>;
