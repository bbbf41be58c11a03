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
  "config.view",
  "logs.view",
  "access.view",
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
  "messages.send",
  "access.write",
  "agents.write",
  "nodes.attach",
  "nodes.use",
  "config.write",
  "auth.write",
  "auth.export",
  "backup.create",
  "gateway.control",
] as const;
export type PermissionPoint = (typeof permissionPoints)[number];

export const roles = ["owner", "admin", "developer", "viewer", "auditor", "node", "peer"] as const;
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
/** The owner's alone: what makes somebody an owner, lets them speak or act as one, and what carries secrets away. */
const ownersAlone: readonly PermissionPoint[] = ["owner.write", "owner.speak", "tools.invoke", "auth.export"];

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
  // A device that lends its hands: it does what it is asked to, and asks nothing itself.
  node: ["nodes.attach"],
  // Whoever came through the door may speak to the agent, and that is all.
  peer: ["agent.run"],
};

export const byMethod = {
  // What comes is looked at topic by topic.
  "events.subscribe": "state.view",
  "events.unsubscribe": "state.view",
  "gateway.status": "state.view",
  "gateway.stop": "gateway.control",
  "gateway.restart": "gateway.control",
  "gateway.reload": "gateway.control",
  "agent.run": "agent.run",
  "agent.continue": "agent.run",
  "agent.wait": "agent.run",
  "agent.abort": "agent.run",
  "tools.invoke": "tools.invoke",
  "runs.list": "sessions.view",
  "runs.events": "sessions.view",
  "runs.replay": "sessions.view",
  "audit.query": "audit.view",
  "audit.verify": "audit.view",
  "audit.export": "audit.export",
  "sessions.list": "sessions.view",
  "sessions.find": "sessions.view",
  "sessions.entries": "sessions.view",
  "sessions.delete": "sessions.delete",
  // Whoever writes a transcript writes the owner's words in it, and it is read from any place of the machine.
  "sessions.import": "owner.speak",
  "tape.info": "sessions.view",
  "tape.anchors": "sessions.view",
  "tape.search": "sessions.view",
  "tape.handoff": "sessions.write",
  "tape.reset": "sessions.write",
  "context.show": "sessions.view",
  "backup.create": "backup.create",
  "backup.list": "state.view",
  // It looks at any place of the machine.
  "backup.verify": "backup.create",
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
  // What strangers had noted becomes what the house itself says in every prompt: only the owner vouches for it.
  "memory.confirm": "owner.speak",
  "memory.drop": "memory.write",
  "access.list": "access.view",
  "access.createToken": "access.write",
  "access.createCode": "access.write",
  "access.revoke": "access.write",
  "access.approve": "access.write",
  "access.deny": "access.write",
  "agents.list": "state.view",
  "agents.add": "agents.write",
  "agents.remove": "agents.write",
  "agents.config": "config.view",
  "agents.configure": "agents.write",
  "channels.list": "state.view",
  "channels.status": "state.view",
  "chat.history": "sessions.view",
  "chat.send": "agent.run",
  "chat.abort": "agent.run",
  "config.get": "config.view",
  "config.set": "config.write",
  "config.unset": "config.write",
  "config.history": "config.view",
  "config.diff": "config.view",
  "config.revert": "config.write",
  "config.schema": "config.view",
  "health.get": "state.view",
  "logs.tail": "logs.view",
  "send.message": "messages.send",
  "nodes.register": "nodes.attach",
  "nodes.result": "nodes.attach",
  "nodes.list": "state.view",
  "nodes.invoke": "nodes.use",
  "plugins.list": "state.view",
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
