/** `pincer runs`: what was answered, and what happened on the way. */
import { textOf, type ReplayView, type RunEventView } from "@pincer/sdk";
import type { Command } from "commander";
import type { Say } from "../../infra/texts.ts";
import { printJson, type CommandContext } from "../command.ts";
import { wholeNumber } from "../option-values.ts";
import { plainText } from "../plain-text.ts";
import { table } from "../table.ts";
import { withApi, firstLine, placeName } from "./with-api.ts";

interface Options {
  json?: boolean;
  limit?: number;
  before?: number;
  session?: string;
}

export function register(program: Command, context: CommandContext): void {
  const { say, terminal } = context;
  const place = { program, context };
  const runs = program.command("runs").description(say("runs.about"));

  runs
    .command("list")
    .description(say("runs.list"))
    .option("--session <key>", say("runs.session"))
    .option("--limit <n>", say("option.limit"), wholeNumber(say), 50)
    .option("--before <n>", say("option.before"), wholeNumber(say))
    .option("--json", say("help.json"))
    .action(
      context.run(({ json, limit = 50, before, session }: Options) =>
        withApi("runs", place, async ({ api }) => {
          const most = Math.min(limit, 1000);
          const found = await api.list({
            limit: most,
            ...(before === undefined ? {} : { before }),
            ...(session === undefined ? {} : { sessionKey: session }),
          });
          if (json) return printJson(terminal, found);
          if (found.runs.length === 0) return terminal.err(`${say("runs.list.none")}\n`);
          const rows = found.runs.map(({ runId, state, sessionKey, person, queuedAt, ending }) => [
            runId,
            ending ? `${state} (${ending.type})` : state,
            sessionKey,
            person.name ?? person.id,
            queuedAt,
          ]);
          terminal.out(plainText(table(rows)));
          const last = found.runs.at(-1);
          if (last && rows.length === most)
            terminal.err(`${say("option.more", { before: last.position })}\n`);
        }),
      ),
    );

  runs
    .command("show")
    .argument("<runId>", say("runs.id"))
    .description(say("runs.show"))
    .option("--json", say("help.json"))
    .action(
      context.run((runId: string, { json }: Options) =>
        withApi("runs", place, async ({ api }) => {
          const found = await api.events({ runId });
          if (json) return printJson(terminal, found);
          const { run, events } = found;
          const head = [run.runId, run.state, run.sessionKey, placeName(run.destination)];
          terminal.out(plainText(`${table([head])}\n${table(events.map(row))}`));
        }),
      ),
    );

  runs
    .command("replay")
    .argument("<runId>", say("runs.id"))
    .description(say("runs.replay"))
    .option("--json", say("help.json"))
    .action(
      context.run((runId: string, { json }: Options) =>
        withApi("runs", place, async ({ api }) => {
          const replay = await api.replay({ runId });
          if (json) printJson(terminal, replay);
          else terminal.out(plainText(sayReplay(replay, say)));
          return replay.same ? 0 : 1;
        }),
      ),
    );
}

function sayReplay({ same, stored, difference, ending }: ReplayView, say: Say): string {
  if (same) return `${say("runs.replay.same", { count: stored })}\n`;
  const none = say("runs.replay.nothing");
  const ended = { stored: ending.stored ?? none, replayed: ending.replayed ?? none };
  const words = ended.stored === ended.replayed ? [] : [say("runs.replay.ending", ended)];
  if (!difference) return `${words.join("\n")}\n`;
  const sides = (["stored", "replayed"] as const).map((side) => {
    const body = difference[side];
    return `${say(`runs.replay.${side}`)}: ${body ? JSON.stringify(body) : none}`;
  });
  return `${[say("runs.replay.differs", { at: difference.at }), ...sides, ...words].join("\n")}\n`;
}

function row(event: RunEventView): string[] {
  switch (event.type) {
    case "step": {
      const { type, ...rest } = event.step;
      return [event.time, type, firstLine(JSON.stringify(rest), 100)];
    }
    case "message":
      return [event.time, `→ ${event.message.state}`, firstLine(event.message.text, 100)];
    case "entry": {
      const { entry } = event;
      if (entry.type !== "message") return [event.time, entry.type, ""];
      const calls = entry.message.content.flatMap((block) => (block.type === "toolCall" ? [block.name] : []));
      return [
        event.time,
        entry.message.role,
        firstLine([textOf(entry.message), ...calls].filter(Boolean).join(" "), 100),
      ];
    }
  }
}
