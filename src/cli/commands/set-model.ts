/** `pincer models set`: writes into the config which model answers, after checking that it exists. */
import type { ConfigPath, ModelView } from "@pincer/sdk";
import type { Api } from "../../gateway/methods/api.ts";
import type { Config } from "../../config/schema.ts";
import type { Setting } from "../../config/store-literals.ts";
import { failure } from "../../infra/failure.ts";
import { printJson, type CommandContext } from "../command.ts";
import { plainText } from "../plain-text.ts";

export interface ModelSetting {
  reference: string;
  agent?: string;
  fallback?: string[];
  force?: boolean;
  json?: boolean;
}

export async function setModel(
  context: CommandContext,
  api: Api<"models">,
  { reference, agent, fallback, force, json }: ModelSetting,
): Promise<void> {
  const { say, terminal } = context;
  const primary = await meant(api, reference, force === true);
  const fallbacks: Named[] = [];
  for (const each of fallback ?? []) {
    const named = await meant(api, each, force === true);
    // The model that has just failed is not tried again.
    if ([primary, ...fallbacks].every((other) => other.reference !== named.reference)) fallbacks.push(named);
    else context.notify(say("models.set.same", { reference: named.reference }));
  }

  const { openConfigApi, tellGateway } = await import("./config-api.ts");
  const { setConfig } = await import("../../config/set-config.ts");
  const { load, editor } = openConfigApi(context, "user");
  const { agents } = (await load()).config;
  const names = fallback && fallbacks.map((each) => each.reference);
  const { change } = await setConfig(editor, settingsFor(agents, agent, primary.reference, names));
  if (change) await tellGateway(context);

  const all = [primary, ...fallbacks];
  const missing = [...new Set(all.flatMap(({ model }) => (model && !model.usable ? [model.provider] : [])))];
  if (json) {
    return printJson(terminal, {
      primary: primary.reference,
      ...(names ? { fallbacks: names } : {}),
      agent: agent ?? null,
      changed: change !== undefined,
      withoutCredential: missing,
    });
  }
  const key = agent === undefined ? "models.set.done" : "models.set.done.agent";
  terminal.err(`${plainText(say(key, { reference: primary.reference, agent: agent ?? "" }))}\n`);
  for (const provider of missing) context.notify(say("models.set.no-credential", { provider }));
}

interface Named {
  reference: string;
  /** Undefined: unknown, and set all the same. */
  model?: ModelView;
}

/** Throws `model/not-found` with what may have been meant, and `model/not-allowed`. */
async function meant(api: Api<"models">, reference: string, force: boolean): Promise<Named> {
  const resolution = await api.resolve({ reference });
  if (resolution.found) {
    const { model, notAllowedBy: key } = resolution;
    if (key === null) return { reference: model.reference, model };
    const hint = "models.not-allowed.hint";
    throw failure(
      "model/not-allowed",
      "models.set.not-allowed",
      { reference: model.reference, key },
      { hint },
    );
  }
  if (force && /^[^/]+\/./.test(reference)) return { reference };
  const { reason, nearest } = resolution;
  const provider = reference.split("/", 1)[0] ?? "";
  throw failure(
    "model/not-found",
    `models.${reason}`,
    { reference, provider, nearest: nearest.join(", ") },
    { hint: nearest.length > 0 ? "models.set.force.hint" : "models.unknown.hint" },
  );
}

/** An agent of the list has its own choice, in one word or two; the rest share one. */
function settingsFor(
  { list }: Config["agents"],
  agent: string | undefined,
  primary: string,
  fallbacks: string[] | undefined,
): Setting[] {
  const within = (path: ConfigPath): Setting[] => [
    { path: [...path, "primary"], value: primary },
    ...(fallbacks ? [{ path: [...path, "fallbacks"], value: fallbacks }] : []),
  ];
  if (agent === undefined) return within(["agents", "defaults", "model"]);
  const index = list.findIndex(({ id }) => id === agent);
  if (index < 0) {
    throw failure("config/not-found", "models.set.no-agent", { agent }, { hint: "models.set.no-agent.hint" });
  }
  const path: ConfigPath = ["agents", "list", index, "model"];
  if (typeof list[index]?.model === "object") return within(path);
  return [{ path, value: fallbacks ? { primary, fallbacks } : primary }];
}
