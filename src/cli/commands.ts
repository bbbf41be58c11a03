/** The commands by name. A command's module is imported only when it runs. */
import type { CommandModule } from "./command.ts";

type Load = () => Promise<CommandModule>;

const ask: Load = () => import("./commands/ask.ts");
const chat: Load = () => import("./commands/chat.ts");
const onboard: Load = () => import("./commands/onboard.ts");
const gateway: Load = () => import("./commands/gateway.ts");

/** In the order that help lists them. */
export const commands: ReadonlyMap<string, Load> = new Map<string, Load>([
  ["chat", chat],
  ["repl", chat],
  ["ask", ask],
  ["onboard", onboard],
  ["setup", onboard],
  ["status", () => import("./commands/status.ts")],
  ["channels", () => import("./commands/channels.ts")],
  ["models", () => import("./commands/models.ts")],
  ["memory", () => import("./commands/memory.ts")],
  ["undo", () => import("./commands/undo.ts")],
  ["gateway", gateway],
  ["doctor", () => import("./commands/doctor.ts")],
  ["agent", () => import("./commands/agent.ts")],
  ["message", () => import("./commands/message.ts")],
  ["sessions", () => import("./commands/sessions.ts")],
  ["tape", () => import("./commands/tape.ts")],
  ["context", () => import("./commands/context.ts")],
  ["runs", () => import("./commands/runs.ts")],
  ["configure", onboard],
  ["serve", gateway],
  ["config", () => import("./commands/config.ts")],
  ["secrets", () => import("./commands/secrets.ts")],
  ["auth", () => import("./commands/auth.ts")],
  ["agents", () => import("./commands/agents.ts")],
  ["plugins", () => import("./commands/plugins.ts")],
  ["nodes", () => import("./commands/nodes.ts")],
  ["tools", () => import("./commands/tools.ts")],
  ["pairing", () => import("./commands/pairing.ts")],
  ["access", () => import("./commands/access.ts")],
  ["owner", () => import("./commands/owner.ts")],
  ["rules", () => import("./commands/rules.ts")],
  ["approvals", () => import("./commands/approvals.ts")],
  ["policy", () => import("./commands/policy.ts")],
  ["health", () => import("./commands/health.ts")],
  ["logs", () => import("./commands/logs.ts")],
  ["notices", () => import("./commands/notices.ts")],
  ["usage", () => import("./commands/usage.ts")],
  ["audit", () => import("./commands/audit.ts")],
  ["outbox", () => import("./commands/outbox.ts")],
  ["deadletters", () => import("./commands/deadletters.ts")],
  ["backup", () => import("./commands/backup.ts")],
  ["prove", () => import("./commands/prove.ts")],
]);
