/** `pincer models`: which models there are, and which one answers. */
import type { ModelStateView, ModelStatusView, ModelView } from "@pincer/sdk";
import type { Command } from "commander";
import { failure } from "../../infra/failure.ts";
import type { Say } from "../../infra/texts.ts";
import { printJson, type CommandContext } from "../command.ts";
import { plainText } from "../plain-text.ts";
import { createProgressLine } from "../progress-line.ts";
import { table } from "../table.ts";
import { withApi } from "./with-api.ts";
import { setModel } from "./set-model.ts";

interface Options {
  json?: boolean;
  provider?: string;
  search?: string;
  all?: boolean;
  agent?: string;
  fallback?: string[];
  force?: boolean;
}

export function register(program: Command, context: CommandContext): void {
  const { say, terminal } = context;
  const place = { program, context };
  const models = program.command("models").description(say("models.about"));
  const add = (name: string, about: Parameters<Say>[0]) =>
    models.command(name).description(say(about)).option("--json", say("help.json"));

  add("list", "models.list")
    .option("--provider <name>", say("models.list.provider"))
    .option("--search <words>", say("models.list.search"))
    .option("--all", say("models.list.all"))
    .action(
      context.run(({ json, provider, search, all }: Options) =>
        withApi("models", place, async ({ api }) => {
          const found = await api.list({
            ...(provider === undefined ? {} : { provider }),
            ...(search === undefined ? {} : { search }),
            ...(all === undefined ? {} : { all }),
          });
          if (json) return printJson(terminal, found);
          if (found.models.length > 0)
            terminal.out(plainText(table(found.models.map((each) => row(each, say)))));
          for (const provider of found.unasked)
            terminal.err(`${plainText(say("models.list.unasked", { provider }))}\n`);
          if (provider !== undefined && found.models.length === 0) {
            const { providers } = await api.providers({});
            const speech = providers.find(({ id, serves }) => id === provider && serves === "speech");
            terminal.err(
              `${speech ? say("models.speech", { provider: speech.name }) : say("models.list.none")}\n`,
            );
          } else if (found.models.length === 0) {
            terminal.err(`${say(search === undefined ? "models.list.unconnected" : "models.list.none")}\n`);
          } else if (found.unconnected > 0) {
            terminal.err(`${say("models.list.more", { count: found.unconnected })}\n`);
          }
        }),
      ),
    );

  add("status", "models.status")
    .option("--agent <id>", say("models.agent"))
    .action(
      context.run(({ json, agent }: Options) =>
        withApi("models", place, async ({ api }) => {
          const status = await api.status(agent === undefined ? {} : { agentId: agent });
          if (json) return printJson(terminal, status);
          printStatus(context, status);
        }),
      ),
    );

  add("set", "models.set")
    .argument("<model>", say("models.reference"))
    .option("--agent <id>", say("models.agent"))
    .option("--fallback <models...>", say("models.set.fallback"))
    .option("--force", say("models.set.force"))
    .action(
      context.run((reference: string, options: Options) =>
        withApi("models", place, ({ api }) => setModel(context, api, { ...options, reference })),
      ),
    );

  add("test", "models.test")
    .argument("[model]", say("models.reference"))
    .option("--agent <id>", say("models.agent"))
    .action(
      context.run((reference: string | undefined, { json, agent }: Options) =>
        withApi("models", place, async ({ api }) => {
          const progress = createProgressLine(terminal);
          if (reference !== undefined)
            progress.show(say("models.test.asking", { reference: plainText(reference) }));
          const wish = {
            ...(reference === undefined ? {} : { reference }),
            ...(agent === undefined ? {} : { agentId: agent }),
          };
          const tested = await api.test(wish, { signal: context.signal }).finally(() => progress.clear());
          if (json) printJson(terminal, tested);
          else {
            const { ok, model, latencyMs: ms, usage, failure: problem } = tested;
            const text = ok
              ? say("models.test.done", {
                  reference: model ?? tested.reference,
                  ms: Math.round(ms),
                  // All that was sent, whatever of it the provider had already.
                  input: usage ? usage.input + usage.cacheRead + usage.cacheWrite : 0,
                  output: usage?.output ?? 0,
                })
              : say("models.test.failed", { reference: tested.reference, reason: problem?.message ?? "" });
            terminal[ok ? "out" : "err"](`${plainText(text)}\n`);
          }
          return tested.ok ? 0 : 1;
        }),
      ),
    );

  add("refresh", "models.refresh")
    .argument("[provider]", say("models.refresh.provider"))
    .action(
      context.run((provider: string | undefined, { json }: Options) =>
        withApi("models", place, async ({ api }) => {
          const names = provider === undefined ? await connected(api) : [provider];
          if (names.length === 0) {
            throw failure("usage/bad-argument", "models.refresh.none", {}, { hint: "models.unknown.hint" });
          }
          const progress = createProgressLine(terminal);
          const outcomes = [];
          for (const [index, name] of names.entries()) {
            progress.show(
              say("models.refresh.asking", {
                provider: plainText(name),
                done: index + 1,
                total: names.length,
              }),
            );
            const outcome = await api.refresh({ provider: name }, { signal: context.signal });
            outcomes.push(outcome);
            progress.clear();
            if (json) continue;
            const line = outcome.ok
              ? say("models.refresh.done", {
                  provider: name,
                  count: outcome.models,
                  added: outcome.added.length,
                })
              : say(`models.refresh.${outcome.reason}`, { provider: name, detail: outcome.detail });
            terminal[outcome.ok ? "out" : "err"](`${plainText(line)}\n`);
          }
          if (json) printJson(terminal, { providers: outcomes });
          // Asked for all, one that has no list is no failure.
          const failed = outcomes.filter((each) => !each.ok && (provider || each.reason !== "unsupported"));
          return failed.length > 0 ? 1 : 0;
        }),
      ),
    );
}

type ModelsApi = Parameters<typeof setModel>[1];

async function connected(api: ModelsApi): Promise<string[]> {
  const { providers } = await api.providers({});
  return providers.filter(({ usable }) => usable).map(({ id }) => id);
}

function row(model: ModelView, say: Say): string[] {
  const { reference, contextWindow, cost, reasoning, input, assumed, source } = model;
  const abilities = [
    ...(reasoning ? [say("models.list.thinks")] : []),
    ...(input.includes("image") ? [say("models.list.images")] : []),
    ...(assumed ? [say("models.list.assumed")] : []),
  ];
  const isFree = cost.input === 0 && cost.output === 0;
  const price = isFree ? say("models.list.free") : `$${cost.input}/$${cost.output}`;
  return [reference, `${Math.round(contextWindow / 1000)}k`, price, abilities.join(", "), source];
}

function printStatus({ terminal, say }: CommandContext, status: ModelStatusView): void {
  const { models, allowedProviders, allowedModels, answers } = status;
  const rows = models.map((model, index) => [
    index === 0 ? say("models.status.primary") : say("models.status.fallback", { number: index }),
    model.reference,
    stateInWords(model, say),
    model.credentials.map(({ id }) => id).join(", "),
  ]);
  if (rows.length > 0) terminal.out(plainText(table(rows)));
  const only = (key: "models.status.allowed-providers" | "models.status.allowed-models", names: string[]) => {
    if (names.length > 0) terminal.out(`${plainText(say(key, { names: names.join(", ") }))}\n`);
  };
  only("models.status.allowed-providers", allowedProviders);
  only("models.status.allowed-models", allowedModels);
  if (models.length === 0) terminal.err(`${say("models.status.none")}\n`);
  else if (answers === null) terminal.err(`${say("models.status.nobody")}\n`);
  else terminal.err(`${plainText(say("models.status.answers", { reference: answers }))}\n`);
}

function stateInWords(
  { state, unlisted, reference, credentials, nearest }: ModelStateView,
  say: Say,
): string {
  const provider = reference.split("/", 1)[0] ?? "";
  if (state === "ready") return say(unlisted ? "models.state.unlisted" : "models.state.ready");
  if (state === "unknown" && nearest.length > 0) {
    return say("models.state.unknown.nearest", { nearest: nearest.join(", ") });
  }
  const [first] = credentials;
  return say(`models.state.${state}`, {
    provider,
    until: first?.setAsideUntil ?? "",
    reason: first?.reason ?? "",
  });
}
