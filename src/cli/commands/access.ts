/** `pincer access`: who has access to the gateway. */
import { accessRoles, type AccessRole, type AccessView, type WaitingDeviceView } from "@pincer/sdk";
import type { Command } from "commander";
import { failure } from "../../infra/failure.ts";
import { printJson, type CommandContext } from "../command.ts";
import { plainText } from "../plain-text.ts";
import { readSecret } from "../read-secret.ts";
import { table } from "../table.ts";
import { withApi } from "./with-api.ts";

interface Options {
  json?: boolean;
  all?: boolean;
  role?: string;
  agent?: string[];
  days?: string;
  name?: string;
}

export function register(program: Command, context: CommandContext): void {
  const { say, terminal } = context;
  const place = { program, context };
  const access = program.command("access").description(say("access.about"));
  const roleText = say("access.role", { roles: accessRoles.join(", ") });
  const add = (name: "list" | "token" | "code" | "approve" | "deny" | "revoke" | "password") =>
    access
      .command(name)
      .description(say(`access.${name}`))
      .option("--json", say("help.json"));

  add("list")
    .option("--all", say("access.list.all"))
    .action(
      context.run(({ json, all }: Options) =>
        withApi("access", place, async ({ api }) => {
          const found = await api.list(all === true ? { all } : {});
          if (json) return printJson(terminal, found);
          if (found.waiting.length > 0) terminal.out(plainText(renderWaiting(found.waiting, context)));
          terminal.out(plainText(renderAccess(found.access, context)));
        }),
      ),
    );

  add("token")
    .argument("<name>", say("access.token.name"))
    .requiredOption("--role <role>", roleText)
    .option("--agent <agent...>", say("access.agent"))
    .option("--days <days>", say("access.days"))
    .action(
      context.run((name: string, options: Options) =>
        withApi("access", place, async ({ api }) => {
          const made = await api.createToken({ name, role: roleOf(options.role), ...limitsOf(options) });
          if (options.json) return printJson(terminal, made);
          terminal.out(`${made.token}\n`);
          terminal.err(`${say("access.token.once", { id: made.access.id })}\n`);
        }),
      ),
    );

  add("code")
    .option("--role <role>", roleText)
    .option("--agent <agent...>", say("access.agent"))
    .action(
      context.run(({ json, role, ...options }: Options) =>
        withApi("access", place, async ({ api }) => {
          const { scope } = limitsOf(options);
          const made = await api.createCode({
            ...(role === undefined ? {} : { role: roleOf(role) }),
            ...(scope ? { scope } : {}),
          });
          if (json) return printJson(terminal, made);
          terminal.out(`${made.link}\n`);
          terminal.err(`${say("access.code.how", { until: made.expiresAt })}\n`);
        }),
      ),
    );

  add("approve")
    .argument("<code>", say("access.approve.code"))
    .requiredOption("--role <role>", roleText)
    .option("--name <name>", say("access.approve.name"))
    .option("--agent <agent...>", say("access.agent"))
    .option("--days <days>", say("access.days"))
    .action(
      context.run((id: string, options: Options) =>
        withApi("access", place, async ({ api }) => {
          const { name } = options;
          const approved = await api.approve({
            id,
            role: roleOf(options.role),
            ...(name === undefined ? {} : { name }),
            ...limitsOf(options),
          });
          if (options.json) return printJson(terminal, approved);
          const { name: shown, role } = approved.access;
          terminal.err(`${say("access.approved", { name: plainText(shown), role })}\n`);
        }),
      ),
    );

  add("deny")
    .argument("<code>", say("access.approve.code"))
    .action(
      context.run((id: string, { json }: Options) =>
        withApi("access", place, async ({ api }) => {
          const denied = await api.deny({ id });
          if (json) return printJson(terminal, denied);
          terminal.err(`${say("access.denied")}\n`);
        }),
      ),
    );

  add("revoke")
    .argument("<id>", say("access.revoke.id"))
    .action(
      context.run((id: string, { json }: Options) =>
        withApi("access", place, async ({ api }) => {
          const outcome = await api.revoke({ id });
          if (json) return printJson(terminal, outcome);
          terminal.err(`${say("access.revoked", { count: outcome.revoked.length })}\n`);
        }),
      ),
    );

  add("password").action(
    context.run(async ({ json }: Options) => {
      const password = await askPassword(context);
      const [{ openConfigApi, tellGateway }, { setPassword }] = await Promise.all([
        import("./config-api.ts"),
        import("../../gateway/doors/set-password.ts"),
      ]);
      const { load, editor } = openConfigApi(context, "user");
      await load();
      const { changed } = await setPassword(editor, password);
      if (changed) await tellGateway(context);
      if (json) return printJson(terminal, { changed });
      terminal.err(`${say("access.password.set")}\n`);
    }),
  );
}

/** Twice at a terminal, because the input is hidden. */
async function askPassword(context: CommandContext): Promise<string> {
  const { terminal, say, redactor } = context;
  const password = await readSecret(context, say("access.password.ask"));
  redactor.add("gateway-password", password);
  if (terminal.stdin.isTTY !== true) return password;
  const again = await readSecret(context, say("access.password.again"));
  if (again !== password) throw failure("usage/bad-argument", "access.password.differ");
  return password;
}

function roleOf(given: string | undefined): AccessRole {
  const role = accessRoles.find((each) => each === given?.toLowerCase());
  if (role) return role;
  const named = { role: given ?? "", roles: accessRoles.join(", ") };
  throw failure("usage/bad-argument", "access.role.bad", named, { hint: "access.role.bad.hint" });
}

function limitsOf({ agent, days }: Pick<Options, "agent" | "days">) {
  if (days !== undefined && !/^[1-9]\d{0,3}$/.test(days)) {
    throw failure("usage/bad-argument", "access.days.bad", { days });
  }
  return {
    ...(agent === undefined ? {} : { scope: { type: "agent" as const, agentIds: agent } }),
    ...(days === undefined ? {} : { days: Number(days) }),
  };
}

function renderAccess(found: AccessView[], { say }: CommandContext): string {
  if (found.length === 0) return `${say("access.list.nobody")}\n`;
  const rows = found.map((each) => [
    each.id,
    each.kind,
    roleIn(each),
    each.name,
    usedIn(each),
    goodIn(each),
    // The id of the caller who admitted it.
    each.createdBy,
  ]);
  return `${say("access.list.in")}\n${table(rows)}`;

  function usedIn({ lastUsedAt }: AccessView): string {
    return lastUsedAt === null ? say("access.list.unused") : say("access.list.used", { at: lastUsedAt });
  }
  function goodIn({ revokedAt, expiresAt }: AccessView): string {
    if (revokedAt !== null) return say("access.list.revoked", { at: revokedAt });
    return expiresAt === null ? say("access.list.for-good") : say("access.list.until", { at: expiresAt });
  }
}

const roleIn = ({ role, scope }: AccessView): string => {
  const names = scope.agentIds ?? scope.workspaceIds;
  return names ? `${role} (${names.join(", ")})` : role;
};

function renderWaiting(waiting: WaitingDeviceView[], { say }: CommandContext): string {
  const rows = waiting.map((each) => [
    each.code,
    each.name,
    say("access.list.wants", { role: each.wants }),
    each.address,
    each.createdAt,
  ]);
  return `${say("access.list.waiting")}\n${table(rows)}${say("access.list.approve")}\n`;
}
