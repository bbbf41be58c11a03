/** `pincer approvals`: requests that wait for the owner, and approvals for more than one call. */
import { approvalScopes, type ApprovalScope, type ApprovalView, type GrantView } from "@pincer/sdk";
import { InvalidArgumentError, type Command } from "commander";
import { answeredWords, approvalState, approvalWords, reasonLine } from "../approval-words.ts";
import { systemClock } from "../../infra/clock.ts";
import { oneLine } from "../../infra/one-line.ts";
import type { Say } from "../../infra/texts.ts";
import { printJson, type CommandContext } from "../command.ts";
import { keyWords } from "../key-words.ts";
import { wholeNumber } from "../option-values.ts";
import { plainText } from "../plain-text.ts";
import { table } from "../table.ts";
import { withApi, firstLine } from "./with-api.ts";

interface Options {
  all?: boolean;
  limit?: number;
  scope?: ApprovalScope;
  only?: number[];
  json?: boolean;
}

export function register(program: Command, context: CommandContext): void {
  const { say, terminal } = context;
  const place = { program, context };
  const approvals = program.command("approvals").description(say("approvals.about"));

  approvals
    .command("list")
    .description(say("approvals.list"))
    .option("--all", say("approvals.all"))
    .option("--limit <n>", say("option.limit"), wholeNumber(say), 50)
    .option("--json", say("help.json"))
    .action(
      context.run(({ all, limit = 50, json }: Options) =>
        withApi("approvals", place, async ({ api }) => {
          const states = all ? {} : { states: ["pending" as const] };
          const found = await api.list({ limit: Math.min(limit, 1000), ...states });
          if (json) return printJson(terminal, found);
          const none = all ? "approvals.list.none-ever" : "approvals.list.none";
          if (found.approvals.length === 0) return terminal.err(`${say(none)}\n`);
          terminal.out(plainText(table(found.approvals.map((approval) => row(approval, say)))));
        }),
      ),
    );

  approvals
    .command("show")
    .argument("<id>", say("approvals.id"))
    .description(say("approvals.show"))
    .option("--json", say("help.json"))
    .action(
      context.run((id: string, { json }: Options) =>
        withApi("approvals", place, async ({ api }) => {
          const found = await api.get({ id });
          if (json) return printJson(terminal, found);
          const card = [found.approval, ...found.together] as const;
          const words = approvalWords(card, { say, now: systemClock.now(), others: found.others });
          terminal.out(`${plainText(words)}\n`);
        }),
      ),
    );

  approvals
    .command("approve")
    .argument("<id>", say("approvals.id"))
    .description(say("approvals.approve"))
    .option("--scope <scope>", say("approvals.scope"), (text) => readScope(text, say), "once")
    .option("--only <numbers>", say("approvals.only"), (text) => readNumbers(text, say))
    .option("--json", say("help.json"))
    .action(
      context.run((id: string, { scope = "once", only, json }: Options) =>
        withApi("approvals", place, async ({ api, where }) => {
          await tell(await api.approve({ id, scope, ...(only && { only }) }), { json, where });
        }),
      ),
    );

  approvals
    .command("deny")
    .argument("<id>", say("approvals.id"))
    .description(say("approvals.deny"))
    .option("--json", say("help.json"))
    .action(
      context.run((id: string, { json }: Options) =>
        withApi("approvals", place, async ({ api, where }) => {
          await tell(await api.deny({ id }), { json, where });
        }),
      ),
    );

  const grants = approvals.command("grants").description(say("approvals.grants"));

  grants
    .command("list", { isDefault: true })
    .description(say("approvals.grants.list"))
    .option("--limit <n>", say("option.limit"), wholeNumber(say), 50)
    .option("--json", say("help.json"))
    .action(
      context.run(({ limit = 50, json }: Options) =>
        withApi("grants", place, async ({ api }) => {
          const found = await api.list({ limit: Math.min(limit, 1000) });
          if (json) return printJson(terminal, found);
          if (found.grants.length === 0) return terminal.err(`${say("approvals.grants.none")}\n`);
          terminal.out(plainText(table(found.grants.map((grant) => grantRow(grant, say)))));
        }),
      ),
    );

  grants
    .command("revoke")
    .argument("<id>", say("approvals.grants.id"))
    .description(say("approvals.grants.revoke"))
    .option("--json", say("help.json"))
    .action(
      context.run((id: string, { json }: Options) =>
        withApi("grants", place, async ({ api }) => {
          const outcome = await api.revoke({ id });
          if (json) return printJson(terminal, outcome);
          terminal.err(`${plainText(say("grants.revoked", { id }))}\n`);
        }),
      ),
    );

  async function tell(
    outcome: { approval: ApprovalView; approvals: ApprovalView[]; goesOn: boolean },
    { json, where }: { json: boolean | undefined; where: "gateway" | "home" },
  ): Promise<void> {
    if (json) return printJson(terminal, outcome);
    terminal.err(`${plainText(answeredWords(outcome.approvals, say))}\n`);
    const next = where === "gateway" ? "approvals.goes-on" : "approvals.goes-on-later";
    if (outcome.goesOn) terminal.err(`${say(next)}\n`);
    else if (where === "home" && outcome.approval.state === "approved" && (await isOver(outcome.approval)))
      terminal.err(`${say("approvals.run-over")}\n`);
  }

  /** Only where no gateway runs. */
  async function isOver({ turnId }: ApprovalView): Promise<boolean> {
    const { openHome } = await import("../../storage/home/open-home.ts");
    const { isRunOver } = await import("../../gateway/commands/chat-approvals.ts");
    const openedHome = await openHome(context, {});
    try {
      return await isRunOver(openedHome.stores, turnId);
    } finally {
      await openedHome.close();
    }
  }
}

function readScope(text: string, say: Say): ApprovalScope {
  const scope = approvalScopes.find((each) => each === text.toLowerCase());
  if (!scope) throw new InvalidArgumentError(say("approvals.scope.not", { value: text }));
  return scope;
}

function readNumbers(text: string, say: Say): number[] {
  if (!/^\d{1,2}(?:,\d{1,2})*$/.test(text))
    throw new InvalidArgumentError(say("approvals.only.not", { value: text }));
  return text.split(",").map(Number);
}

const row = (approval: ApprovalView, say: Say): string[] => [
  approval.id,
  approval.tool,
  approvalState(approval, say, systemClock.now()),
  approval.sessionKey,
  firstLine(oneLine(approval.shown)),
  firstLine(reasonLine(approval, say)),
];

function grantRow(grant: GrantView, say: Say): string[] {
  const { id, scope, tool, agentId, shown, turnId, expiresAt } = grant;
  const until =
    turnId !== null
      ? say("grants.until-turn", { turnId })
      : expiresAt === null
        ? say("grants.for-good")
        : say("grants.until", { time: expiresAt });
  return [id, scope, tool, agentId, until, firstLine(keyWords(shown, say))];
}
