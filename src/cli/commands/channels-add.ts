/** `pincer channels add|remove|peers|groups`: setting up accounts. A secret is never an argument and never printed. */
import {
  PincerError,
  type ChannelKeyView,
  type ChannelKindView,
  type ChannelView,
  type ConfigChangeView,
  type MethodResults,
} from "@pincer/sdk";
import type { Command } from "commander";
import { createInterface } from "node:readline/promises";
import { failure, sayError } from "../../infra/failure.ts";
import { printJson, type CommandContext } from "../command.ts";
import { plainText } from "../plain-text.ts";
import { readSecret } from "../read-secret.ts";
import { table } from "../table.ts";
import { withApi } from "./with-api.ts";

interface Options {
  json?: boolean;
  account?: string;
  set?: string[];
  stdin?: string;
  replace?: boolean;
  test?: boolean;
  claim?: boolean;
}

type Value = string | number | boolean | Array<string | number>;

export function registerChannelSetup(
  channels: Command,
  place: { program: Command; context: CommandContext },
): void {
  const { context } = place;
  const { say, terminal } = context;
  const add = (name: string, about: Parameters<typeof say>[0]) =>
    channels
      .command(name)
      .description(say(about))
      .argument("<channel>", say("channels.which"))
      .option("--account <name>", say("channels.account"))
      .option("--json", say("help.json"));

  add("add", "channels.add")
    .option("--set <key=value>", say("channels.add.set"), (given: string, all: string[] = []) => [
      ...all,
      given,
    ])
    .option("--stdin <key>", say("channels.add.stdin"))
    .option("--replace", say("channels.add.replace"))
    .option("--no-test", say("channels.add.no-test"))
    .option("--no-claim", say("channels.add.no-claim"))
    .action(context.run((channel: string, options: Options) => addChannel(place, channel, options)));

  add("remove", "channels.remove").action(
    context.run((channel: string, { json, account }: Options) =>
      withApi("channels", place, async ({ api, language }) => {
        const removed = await api.remove({
          channel,
          ...accountOf(account),
          ...(language ? { language } : {}),
        });
        if (json) return printJson(terminal, removed);
        const tell = (line: string) => terminal.err(`${plainText(line)}\n`);
        for (const each of removed.accountIds) tell(say("channels.removed", { name: nameOf(channel, each) }));
        tell(say("channels.removed.kept"));
        if (removed.keptSecrets.length > 0)
          tell(say("channels.removed.secrets", { names: removed.keptSecrets.join(", ") }));
        tellGateway(context, removed);
      }),
    ),
  );

  for (const [name, kind] of [
    ["peers", "people"],
    ["groups", "groups"],
  ] as const) {
    const command = add(name, `channels.${name}`).argument("[names...]", say("channels.peers.names"));
    command.action(
      context.run((channel: string, names: string[], { json, account }: Options) =>
        withApi("channels", place, async ({ api }) => {
          const wanted = names.length > 0 ? { names } : {};
          const found = await api.peers({ channel, kind, ...wanted, ...accountOf(account) });
          if (json) return printJson(terminal, found);
          if (found.peers.length === 0) return terminal.err(`${say("channels.peers.none")}\n`);
          if (found.source === "known") terminal.err(`${say("channels.peers.known")}\n`);
          terminal.out(plainText(table(found.peers.map(({ id, name: called }) => [id, called]))));
        }),
      ),
    );
  }
}

async function addChannel(
  place: { program: Command; context: CommandContext },
  channel: string,
  options: Options,
): Promise<void> {
  const { context } = place;
  const { terminal } = context;
  const kind = await withApi("channels", place, async ({ api, language }) => {
    const { kinds } = await api.kinds({ channel, ...(language ? { language } : {}) });
    // Before a person enters a token for nothing.
    if (!options.replace) assertNew((await api.list({})).channels, channel, options.account);
    return kinds[0];
  });
  if (!kind) return;
  const connected = await untilItWorks(context, async (isAgain) => {
    const keys = await gatherKeys(context, { kind, isAgain }, options);
    return connectChannel(place, channel, keys, options);
  });
  const { where: _where, ...document } = connected;
  if (options.json) return printJson(terminal, document);
  tellConnected(context, connected);
}

export type ConnectedChannel = MethodResults["channels.add"] & {
  where: "gateway" | "home";
  claim: { code: string; expiresAt: string; link?: string } | null;
  hello: string | null;
};

/** Tries the keys, writes the account, and leads its owner to it: by a link or a code, or with a hello where they are known. */
export async function connectChannel(
  place: { program: Command; context: CommandContext },
  channel: string,
  keys: Record<string, Value>,
  options: Pick<Options, "account" | "replace" | "test" | "claim">,
): Promise<ConnectedChannel> {
  const { added, where } = await withApi("channels", place, async ({ api, language, where: home }) => {
    const written = await api.add({
      channel,
      keys,
      ...accountOf(options.account),
      ...(options.replace ? { replace: true } : {}),
      ...(options.test === false ? { test: false } : {}),
      ...(language ? { language } : {}),
    });
    return { added: written, where: home };
  });
  const { accountId, claimLink } = added;
  const owner = await ownerOn(place, channel);
  const claim =
    owner === undefined && options.claim !== false ? await makeClaim(place, claimLink) : undefined;
  const hello = owner === undefined ? undefined : await sayHello(place, { channel, accountId, owner });
  return { ...added, where, claim: claim ?? null, hello: hello ?? null };
}

/** In words, on stderr. */
export function tellConnected(
  context: CommandContext,
  { channel, accountId, name: account, where, claim, hello, ...change }: ConnectedChannel,
): void {
  const { terminal, say } = context;
  const tell = (line: string) => terminal.err(`${plainText(line)}\n`);
  const name = nameOf(channel, accountId);
  tell(account === null ? say("channels.added", { name }) : say("channels.added.as", { name, account }));
  tellGateway(context, change);
  if (where === "home") tell(say("channels.start"));
  if (hello !== null) tell(say("channels.hello.sent", { to: hello }));
  if (claim?.link !== undefined) tell(say("channels.claim.link", { link: claim.link }));
  else if (claim) tell(say("channels.claim.code", { code: claim.code }));
}

function assertNew(present: ChannelView[], channel: string, account = "default"): void {
  if (!present.some((each) => each.channel === channel && each.accountId === account)) return;
  const facts = { name: nameOf(channel, account) };
  throw failure("usage/bad-argument", "channels.there", facts, { hint: "channels.there.hint" });
}

const mostTries = 3;

/** At a terminal a mistyped token is asked for again. */
async function untilItWorks<Answer>(
  context: CommandContext,
  attempt: (isAgain: boolean) => Promise<Answer>,
): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt(tries > 1);
    } catch (error) {
      const isMistake = error instanceof PincerError && error.code === "usage/bad-argument";
      if (!isMistake || tries === mostTries || !canAsk(context)) throw error;
      context.terminal.err(`${plainText(sayError(error, context.say).message)}\n`);
    }
  }
}

const canAsk = ({ terminal }: CommandContext): boolean =>
  terminal.stdin.isTTY === true && terminal.errIsTerminal;

/** The keys from flags; missing ones are asked for at a terminal. */
async function gatherKeys(
  context: CommandContext,
  { kind, isAgain }: { kind: ChannelKindView; isAgain: boolean },
  { set = [], stdin }: Options,
): Promise<Record<string, Value>> {
  const { terminal, say } = context;
  const keys: Record<string, Value> = Object.fromEntries(set.map((given) => readSetting(given, kind)));
  if (stdin !== undefined) keys[stdin] = await readHidden(context, stdin, "");
  const missing = kind.keys.filter(({ name, required }) => required && !Object.hasOwn(keys, name));
  if (missing.length === 0) return keys;
  if (!canAsk(context)) {
    const facts = { channel: kind.channel, keys: missing.map(({ name }) => name).join(", ") };
    throw failure("usage/bad-argument", "channels.add.missing", facts, { hint: "channels.add.missing.hint" });
  }
  const steps = isAgain ? [] : kind.steps;
  for (const [at, step] of steps.entries()) terminal.err(`${at + 1}. ${plainText(step)}\n`);
  for (const key of missing) {
    // The rest of the description is for people who edit the config by hand.
    const about = key.description.split(/;|\.(?:\s|$)/)[0] ?? "";
    const words = say(key.secret ? "channels.add.ask-secret" : "channels.add.ask", { key: key.name, about });
    const prompt = `${plainText(words)} `;
    keys[key.name] = key.secret
      ? await readHidden(context, key.name, prompt)
      : valueOf(await readLine(context, prompt), key.name, key);
  }
  return keys;
}

async function readHidden(context: CommandContext, key: string, prompt: string): Promise<string> {
  const value = (await readSecret(context, prompt)).trim();
  context.redactor.add(key, value);
  return value;
}

async function readLine({ terminal, signal }: CommandContext, prompt: string): Promise<string> {
  const line = createInterface({ input: terminal.stdin, output: process.stderr });
  try {
    return (await line.question(prompt, { signal })).trim();
  } finally {
    line.close();
  }
}

/** `key=value` as the connector wants it. Throws `usage/bad-argument`, also for a secret in clear. */
export function readSetting(given: string, { keys }: ChannelKindView): [string, Value] {
  const end = given.indexOf("=");
  if (end < 1) throw failure("usage/bad-argument", "channels.add.bad-set", { given });
  const [name, value] = [given.slice(0, end), given.slice(end + 1)];
  const key = keys.find((each) => each.name === name);
  if (key?.secret && !value.startsWith("secret:")) {
    const hint = "channels.add.missing.hint";
    throw failure("usage/bad-argument", "channels.add.secret-argument", { key: name }, { hint });
  }
  return [name, valueOf(value, name, key)];
}

function valueOf(value: string, name: string, key: ChannelKeyView | undefined): Value {
  const type = key?.type ?? hostTypes[name];
  if (type === "list") return value.split(",").map((each) => each.trim());
  if (type === "yes-no" && /^(?:true|false)$/.test(value)) return value === "true";
  return type === "number" && value !== "" && Number.isFinite(Number(value)) ? Number(value) : value;
}

/** Keys that are the same on every channel. */
const hostTypes: Partial<Record<string, ChannelKeyView["type"]>> = {
  allowFrom: "list",
  groups: "list",
  requireMention: "yes-no",
};

/** The owner to greet there; undefined if it has none yet. */
const ownerOn = (
  place: { program: Command; context: CommandContext },
  channel: string,
): Promise<string | undefined> =>
  withApi("owner", place, async ({ api }) => {
    const { owners } = await api.list({});
    return owners.find((each) => each.channel === channel)?.senderId;
  });

/** Undefined for callers that may add an account but not name its owner. */
const makeClaim = (
  place: { program: Command; context: CommandContext },
  claimLink: string | null,
): Promise<{ code: string; expiresAt: string; link?: string } | undefined> =>
  withApi("owner", place, async ({ api }) => {
    const claim = await api.claim({});
    return claimLink === null ? claim : { ...claim, link: withCode(claimLink, claim.code) };
  }).catch((error: unknown) => {
    if (error instanceof PincerError && error.code === "permission/missing") return undefined;
    throw error;
  });

/** The mark is what stands last: the name of an account may hold the same letters. */
function withCode(link: string, code: string): string {
  const at = link.lastIndexOf("CODE");
  return at < 0 ? link : link.slice(0, at) + code + link.slice(at + "CODE".length);
}

async function sayHello(
  place: { program: Command; context: CommandContext },
  { channel, accountId, owner }: { channel: string; accountId: string; owner: string },
): Promise<string | undefined> {
  const { say } = place.context;
  const to = `${channel}/${accountId}:${owner}`;
  return withApi("send", place, async ({ api }) => {
    const key = `hello ${to} ${Date.now()}`;
    await api.message({ to, text: say("channels.hello"), idempotencyKey: key });
    return to;
  }).catch(() => undefined);
}

/** What a running gateway makes of a change; nothing where none runs. */
function tellGateway(
  { terminal, say, notify }: CommandContext,
  { inForce, problems }: Pick<ConfigChangeView, "inForce" | "problems">,
): void {
  if (inForce === true) terminal.err(`${say("control.in-force")}\n`);
  if (inForce === false) notify(say("control.not-in-force", { problems: problems.join("; ") }));
}

const accountOf = (account: string | undefined) => (account === undefined ? {} : { accountId: account });

const nameOf = (channel: string, accountId: string): string =>
  accountId === "default" ? channel : `${channel}/${accountId}`;
