/** The commands by name. A command's module is imported only when it is asked for. */
import type { CommandModule } from "./command.ts";

type Load = () => Promise<CommandModule>;

const ask: Load = () => import("./commands/ask.ts");
const chat: Load = () => import("./commands/chat.ts");
const onboard: Load = () => import("./commands/onboard.ts");
const gateway: Load = () => import("./commands/gateway.ts");

/** In the order that help lists them. */
export const commands: ReadonlyMap<string, Load> = new Map<string, Load>([
  ["onboard", onboard],
  ["setup", onboard],
  ["configure", onboard],
  ["ask", ask],
  ["agent", () => import("./commands/agent.ts")],
  ["chat", chat],
  ["repl", chat],
  ["message", () => import("./commands/message.ts")],
  ["sessions", () => import("./commands/sessions.ts")],
  ["tape", () => import("./commands/tape.ts")],
  ["context", () => import("./commands/context.ts")],
  ["memory", () => import("./commands/memory.ts")],
  ["undo", () => import("./commands/undo.ts")],
  ["tools", () => import("./commands/tools.ts")],
  ["agents", () => import("./commands/agents.ts")],
  ["channels", () => import("./commands/channels.ts")],
  ["models", () => import("./commands/models.ts")],
  ["config", () => import("./commands/config.ts")],
  ["secrets", () => import("./commands/secrets.ts")],
  ["auth", () => import("./commands/auth.ts")],
  ["gateway", gateway],
  ["serve", gateway],
  ["nodes", () => import("./commands/nodes.ts")],
  ["plugins", () => import("./commands/plugins.ts")],
  ["pairing", () => import("./commands/pairing.ts")],
  ["access", () => import("./commands/access.ts")],
  ["owner", () => import("./commands/owner.ts")],
  ["rules", () => import("./commands/rules.ts")],
  ["approvals", () => import("./commands/approvals.ts")],
  ["policy", () => import("./commands/policy.ts")],
  ["runs", () => import("./commands/runs.ts")],
  ["usage", () => import("./commands/usage.ts")],
  ["audit", () => import("./commands/audit.ts")],
  ["outbox", () => import("./commands/outbox.ts")],
  ["deadletters", () => import("./commands/deadletters.ts")],
  ["notices", () => import("./commands/notices.ts")],
  ["backup", () => import("./commands/backup.ts")],
  ["logs", () => import("./commands/logs.ts")],
  ["health", () => import("./commands/health.ts")],
  ["status", () => import("./commands/status.ts")],
  ["doctor", () => import("./commands/doctor.ts")],
  ["prove", () => import("./commands/prove.ts")],
]);
