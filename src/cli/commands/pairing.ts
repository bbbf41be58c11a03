/** `pincer pairing`: who may write to the assistant. */
import type { AllowedView, PairingView } from "@pincer/sdk";
import { Option, type Command } from "commander";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import {
  readPairingFile,
  writePairingFiles,
  type PairingForm,
  type ReadPairings,
} from "../../operate/pairing-files.ts";
import { failure } from "../../infra/failure.ts";
import { printJson, type CommandContext } from "../command.ts";
import { plainText } from "../plain-text.ts";
import { table } from "../table.ts";
import { withApi } from "./with-api.ts";

interface Options {
  json?: boolean;
  channel?: string;
  account?: string;
  form?: PairingForm;
}

export function register(program: Command, context: CommandContext): void {
  const { say, terminal, cwd } = context;
  const place = { program, context };
  const pairing = program.command("pairing").description(say("pairing.about"));
  const add = (name: "list" | "approve" | "revoke" | "import") =>
    pairing
      .command(name)
      .description(say(`pairing.${name}`))
      .option("--channel <channel>", say("option.channel"))
      .option("--account <account>", say("option.account"))
      .option("--json", say("help.json"));

  add("list").action(
    context.run((options: Options) =>
      withApi("pairing", place, async ({ api }) => {
        const found = await api.list(placeOf(options));
        if (options.json) return printJson(terminal, found);
        terminal.out(plainText(renderWaiting(found.pending, context)));
        terminal.out(plainText(renderAllowed(found.allowed, context)));
      }),
    ),
  );

  add("approve")
    .argument("<code>", say("pairing.code"))
    .action(
      context.run((code: string, options: Options) =>
        withApi("pairing", place, async ({ api }) => {
          const outcome = await api.approve({ code, ...placeOf(options) });
          if (options.json) return printJson(terminal, outcome);
          const { channel, accountId } = outcome.approved;
          const who = plainText(nameOf(outcome.approved));
          terminal.err(`${say("pairing.approved", { who, channel, account: accountId })}\n`);
        }),
      ),
    );

  add("revoke")
    .argument("<entry>", say("pairing.entry"))
    .action(
      context.run((entry: string, options: Options) =>
        withApi("pairing", place, async ({ api }) => {
          const outcome = await api.revoke({ senderId: entry, ...placeOf(options) });
          if (options.json) return printJson(terminal, outcome);
          const channel = outcome.revoked[0]?.channel ?? "";
          terminal.err(`${say("pairing.revoked", { id: plainText(entry), channel })}\n`);
        }),
      ),
    );

  add("import")
    .argument("<file...>", say("pairing.file"))
    .action(
      context.run(async (files: string[], options: Options) => {
        // All are read before anything is taken in.
        const read = await Promise.all(files.map((file) => readOne(resolve(cwd, file), options)));
        const skipped = read.flatMap((each) => each.skipped);
        const given = {
          allowed: read.flatMap((each) => each.allowed),
          pending: read.flatMap((each) => each.pending),
        };
        return withApi("pairing", place, async ({ api }) => {
          const outcome = await api.import(given);
          if (options.json) return printJson(terminal, { ...outcome, skipped });
          terminal.err(`${say("pairing.imported", { ...outcome })}\n`);
          const entries = plainText(skipped.join(", "));
          if (skipped.length > 0) terminal.err(`${say("pairing.import.skipped", { entries })}\n`);
        });
      }),
    );

  pairing
    .command("export")
    .argument("<directory>", say("pairing.export.directory"))
    .description(say("pairing.export"))
    .option("--channel <channel>", say("option.channel"))
    .addOption(
      new Option("--form <form>", say("pairing.export.form"))
        .choices(["files", "allow", "gateway"])
        .default("files"),
    )
    .option("--json", say("help.json"))
    .action(
      context.run((given: string, options: Options) =>
        withApi("pairing", place, async ({ api }) => {
          const { channel, form = "files", json } = options;
          const found = await api.export(channel === undefined ? {} : { channel });
          const directory = resolve(cwd, given);
          const names = await writeAll(directory, writePairingFiles(found, form));
          if (json) return printJson(terminal, { directory, files: names });
          terminal.err(`${say("pairing.exported", { directory, count: names.length })}\n`);
        }),
      ),
    );
}

const placeOf = ({ channel, account }: Options) => ({
  ...(channel === undefined ? {} : { channel }),
  ...(account === undefined ? {} : { accountId: account }),
});

/** The name that the network gave along, which anybody can choose, never without the id. */
const nameOf = ({ senderId, meta }: PairingView) =>
  meta["name"] ? `${meta["name"]} (${senderId})` : senderId;

function renderWaiting(pending: PairingView[], { say }: CommandContext): string {
  if (pending.length === 0) return `${say("pairing.list.nobody-waits")}\n`;
  const rows = pending.map((each) => [
    each.code,
    each.channel,
    each.accountId,
    nameOf(each),
    each.lastSeenAt,
  ]);
  return `${say("pairing.list.waiting")}\n${table(rows)}${say("pairing.list.approve")}\n`;
}

function renderAllowed(allowed: AllowedView[], { say }: CommandContext): string {
  if (allowed.length === 0) return `${say("pairing.list.nobody-in")}\n`;
  const rows = allowed.map((each) => [
    each.senderId,
    each.channel,
    each.accountId ?? "*",
    say("pairing.list.by", { by: each.by }),
    each.addedAt,
  ]);
  return `${say("pairing.list.in")}\n${table(rows)}`;
}

async function readOne(file: string, options: Options): Promise<ReadPairings> {
  const text = await readFile(file, "utf8").catch((error: Error) => {
    const { message: reason } = error;
    throw failure("usage/not-found", "failure.file-unreadable", { path: file, reason }, { cause: error });
  });
  return readPairingFile(file, text, options);
}

/** Never over a file that is there: it may hold what is not here. */
async function writeAll(directory: string, files: Map<string, string>): Promise<string[]> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  for (const [name, text] of files) {
    const file = join(directory, name);
    await writeFile(file, text, { flag: "wx", mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
      const key = error.code === "EEXIST" ? "file.exists" : "failure.file";
      throw failure("usage/bad-argument", key, { file, reason: error.message }, { cause: error });
    });
  }
  return [...files.keys()];
}
