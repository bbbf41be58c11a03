/** `pincer status`: what is set up, and its state. */
import type { Command } from "commander";
import { formatBytes } from "../../infra/format-bytes.ts";
import type { DatabaseStatus } from "../../operate/status/database-status.ts";
import { askStatus } from "../../operate/status/status-api.ts";
import type { Status } from "../../operate/status/status.ts";
import type { Say } from "../../infra/texts.ts";
import { printJson, type CommandContext } from "../command.ts";
import { plainText } from "../plain-text.ts";
import { table } from "../table.ts";
import { renderChannel } from "./channels.ts";

export function register(program: Command, context: CommandContext): void {
  const { say, terminal } = context;
  program
    .command("status")
    .description(say("status.about"))
    .option("--json", say("help.json"))
    .action(
      context.run(async (options: { json?: boolean }) => {
        const status = await askStatus({ ...context, version: program.version() ?? "" });
        if (options.json) printJson(terminal, status);
        else terminal.out(render(status, say));
        return status.ok ? 0 : 1;
      }),
    );
}

function render(status: Status, say: Say): string {
  const { config, disk } = status;
  const rows = [
    [say("status.version"), `${status.version} (Node ${status.node})`],
    ...renderHome(status, say),
    [say("status.edition"), `${status.edition}, ${status.language}`],
    [say("status.model"), renderModel(status, say)],
    [say("status.config"), renderConfig(status, say)],
    ...config.problems.map(({ text }) => ["", text]),
    // Where there can be no database, there is nothing to say about it.
    ...(status.homeProblem ? [] : [[say("status.database"), renderDatabase(status.database, say)]]),
    [say("status.agents"), status.agents.map(({ id, isDefault }) => (isDefault ? `${id}*` : id)).join(", ")],
    [say("status.workdir"), status.workdir],
    ...renderSandbox(status, say),
    [say("status.gateway"), renderGateway(status, say)],
    ...renderRunning(status, say),
    ...status.notices.map(({ text }, index) => [index === 0 ? say("status.notices") : "", plainText(text)]),
    ...renderApprovals(status, say),
    [
      say("status.secrets"),
      status.secrets.error ?? say("status.secrets.count", { count: status.secrets.count }),
    ],
    ...renderMemory(status, say),
    [say("status.disk"), disk.freeBytes === null ? "?" : formatBytes(disk.freeBytes)],
  ];
  return table(rows);
}

/** What a database that cannot be read holds is not known; why not has its own line. */
function renderApprovals({ approvals }: Status, say: Say): string[][] {
  if (approvals === null) return [];
  const { questions, turns } = approvals;
  if (questions === 0 && turns === 0) return [];
  return [[say("status.approvals"), say("status.approvals.value", { questions, turns })]];
}

/** Empty if nothing waits. */
function renderMemory({ memory: { unconfirmed } }: Status, say: Say): string[][] {
  if (unconfirmed === 0) return [];
  if (unconfirmed === null) return [[say("status.unconfirmed"), say("status.unconfirmed.unknown")]];
  return [[say("status.unconfirmed"), say("status.unconfirmed.value", { count: unconfirmed })]];
}

function renderGateway({ gateway }: Status, say: Say): string {
  if (!gateway.running) return say("status.gateway.stopped");
  return say("status.gateway.since", { since: gateway.startedAt, pid: gateway.pid });
}

/** What only a running gateway knows. */
function renderRunning({ gateway }: Status, say: Say): string[][] {
  if (!gateway.running) return [];
  const { address, signedIn, channels } = gateway;
  return [
    ...(address ? [[say("status.address"), address]] : []),
    ...(signedIn === undefined ? [] : [[say("status.callers"), String(signedIn)]]),
    ...channels.map((channel, index) => [
      index === 0 ? say("status.channels") : "",
      plainText(renderChannel(channel, say).filter(Boolean).join("  ")),
    ]),
  ];
}

/** What a wall does not keep in is the doctor's to tell. */
function renderSandbox({ sandbox: { profile, wall, message, next, reach } }: Status, say: Say): string[][] {
  return [
    [say("status.sandbox"), wall ? `${wall.description} (${profile})` : message],
    ...(!wall && next ? [["", next]] : []),
    ...(reach === "everywhere" ? [["", say("status.sandbox.everywhere")]] : []),
  ];
}

function renderHome({ home, homeProblem }: Status, say: Say): string[][] {
  if (!homeProblem) return [[say("status.home"), home]];
  return [
    [say("status.home"), homeProblem.error],
    ["", homeProblem.hint],
  ];
}

function renderModel({ model }: Status, say: Say): string {
  if (model.connected) return model.reference;
  if (model.wanted) return say("status.model.not-connected", { model: model.wanted });
  return say("status.model.stub", { model: model.reference });
}

function renderConfig({ config }: Status, say: Say): string {
  if (config.mode === "safe") {
    return say(config.fallback === "last-good" ? "status.config.last-good" : "status.config.safe", {
      file: config.file,
    });
  }
  return config.exists ? config.file : say("status.config.none", { file: config.file });
}

function renderDatabase(database: DatabaseStatus, say: Say): string {
  if (database.state === "absent") return say("status.database.absent");
  if (database.state === "failed") return [database.error, database.hint].filter(Boolean).join(" ");
  const { sizeBytes, schemaVersion, sessions, entries } = database;
  return say("doctor.database.ok", { size: formatBytes(sizeBytes), schemaVersion, sessions, entries });
}
