/** Shows the gateway's log: `pincer logs`, also as `pincer gateway logs`. */
import { logLevels, type LogLevel, type LogLineView } from "@pincer/sdk";
import { Option, type Command } from "commander";
import { locateHome } from "../config/home.ts";
import { systemClock } from "../infra/clock.ts";
import { printJson, type CommandContext } from "./command.ts";
import { logWords } from "./log-words.ts";
import { wholeNumber } from "./option-values.ts";

interface LogOptions {
  follow?: boolean;
  lines: number;
  level?: LogLevel;
  json?: boolean;
}

const usualLines = 100;
const mostLines = 10_000;

/** Makes a command of it, with its flags. */
export function addLogCommand(command: Command, context: CommandContext): void {
  const { say } = context;
  command
    .description(say("service.logs"))
    .option("-f, --follow", say("service.logs.follow"))
    .option("-n, --lines <n>", say("service.logs.lines"), wholeNumber(say), usualLines)
    .addOption(new Option("--level <level>", say("service.logs.level")).choices(logLevels))
    .option("--json", say("service.logs.json"))
    .action(context.run((options: LogOptions) => showLog(context, options)));
}

/** Also while none runs: the files are there. Ends quietly when the reader goes or Ctrl-C is pressed. */
async function showLog(context: CommandContext, { follow, lines, level, json }: LogOptions): Promise<void> {
  const { terminal, signal, redactor, say } = context;
  const { followLog, tailLog } = await import("../gateway/logs/read-log.ts");
  const file = locateHome(context.environment).gatewayLogFile;
  const request = { file, lines: Math.min(lines, mostLines), level };
  if (!follow) {
    const found = await tailLog(request);
    if (json) return printJson(terminal, { lines: found });
    if (found.length === 0) return terminal.err(`${say("logs.none", { file })}\n`);
    return void (await terminal.stream(found.map((line) => `${logWords(line)}\n`).join(""), signal));
  }
  const words = (line: LogLineView) => (json ? JSON.stringify(redactor.values(line)) : logWords(line));
  for await (const line of followLog({ ...request, clock: systemClock, signal })) {
    const isTaken = await terminal.stream(`${words(line)}\n`, signal).catch(() => false);
    if (!isTaken) return;
  }
}
