/** Which models answer a turn, in the order of trying: what a flag names, else what the config names for the agent, else the stub. */
import type { Config } from "../config/schema.ts";
import { failure } from "../infra/failure.ts";
import { allowanceOf, type ModelLimits } from "./allowed-models.ts";
import type { CatalogueModel } from "./catalogue/model-entry.ts";
import { modelChoiceOf, type ModelChoice } from "./model-choice.ts";
import { referenceOf, type ModelRecord, type ThinkingLevel } from "./model-record.ts";
import { resolveReference, type ModelIndex, type Resolution } from "./resolve-reference.ts";

export interface ModelWish {
  /** From `--provider`; may also be a whole reference `provider/model`. */
  provider?: string;
  model?: string;
  /** The credential to use, from `--profile`. */
  credential?: string;
  /** How much it thinks before it answers, instead of what the config says. */
  thinking?: ThinkingLevel;
}

export interface ChosenModels {
  /** The first that answers is taken. */
  chain: [CatalogueModel, ...CatalogueModel[]];
  /** Who named the first: without a flag and a config it is the stub. */
  by: "flag" | "config" | "nobody";
  /** Fallbacks that the config names and nobody will be asked for. */
  skipped: SkippedModel[];
}

export interface SkippedModel {
  reference: string;
  reason: "not-allowed" | "unknown";
}

/**
 * A flag means that one and no other. Throws PincerError `model/not-found`, with what may have been meant, and `model/not-allowed`, both for
 * the first only: a fallback that cannot be asked is skipped.
 */
export async function chooseModels({
  wish,
  choice,
  limits,
  index,
}: {
  wish: ModelWish;
  choice: ModelChoice;
  limits: ModelLimits;
  index: ModelIndex;
}): Promise<ChosenModels> {
  const flag = flaggedReference(wish, choice);
  if (flag !== undefined) {
    const model = allowed(found(await resolveReference(flag, index), flag), limits);
    // A list says what there is; what a request takes besides is known to the one that finds it.
    return { chain: [(await index.find(referenceOf(model))) ?? model], by: "flag", skipped: [] };
  }
  const { primary, fallbacks } = choice;
  if (primary === undefined) {
    return { chain: [found(await resolveReference("stub", index), "stub")], by: "nobody", skipped: [] };
  }
  const chain: ChosenModels["chain"] = [allowed(found(await configured(primary, index), primary), limits)];
  const skipped: SkippedModel[] = [];
  for (const reference of fallbacks) {
    const resolution = await configured(reference, index);
    if (!resolution.found) skipped.push({ reference, reason: "unknown" });
    else if (!allowanceOf(resolution.model, limits).allowed)
      skipped.push({ reference, reason: "not-allowed" });
    else if (!chain.some((each) => isSame(each, resolution.model))) chain.push(resolution.model);
  }
  return { chain, by: "config", skipped };
}

/** All that the config names, for whomever: those of `agentId` first. */
export function configuredReferences(agents: Config["agents"], agentId: string): string[] {
  const others = agents.list.map(({ id }) => modelChoiceOf(agents, id));
  const shared = { primary: agents.defaults.model.primary, fallbacks: agents.defaults.model.fallbacks };
  const choices = [modelChoiceOf(agents, agentId), shared, ...others];
  return [
    ...new Set(
      choices.flatMap(({ primary, fallbacks }) => [
        ...(primary === undefined ? [] : [primary]),
        ...fallbacks,
      ]),
    ),
  ];
}

/** A provider alone means the model of it that the config has, before its usual one. */
function flaggedReference(wish: ModelWish, { primary, fallbacks }: ModelChoice): string | undefined {
  const reference = wishedReference(wish);
  if (reference === undefined || reference.includes("/")) return reference;
  return [primary, ...fallbacks].find((each) => each?.startsWith(`${reference}/`)) ?? reference;
}

/** What was written down is believed: a list may be older than the model. */
async function configured(reference: string, index: ModelIndex): Promise<Resolution> {
  const model = reference.includes("/") ? await index.find(reference) : undefined;
  return model ? { found: true, model } : resolveReference(reference, index);
}

function found(resolution: Resolution, reference: string): CatalogueModel {
  if (resolution.found) return resolution.model;
  throw notFound(resolution, reference);
}

export function notFound({ reason, nearest }: Extract<Resolution, { found: false }>, reference: string) {
  return failure(
    "model/not-found",
    `models.${reason}`,
    { reference, provider: reference.split("/", 1)[0] ?? "", nearest: nearest.join(", ") },
    { hint: nearest.length > 0 ? "models.nearest" : "models.unknown.hint" },
  );
}

function allowed(model: CatalogueModel, limits: ModelLimits): CatalogueModel {
  const allowance = allowanceOf(model, limits);
  if (allowance.allowed) return model;
  throw failure(
    "model/not-allowed",
    "models.not-allowed",
    { reference: referenceOf(model), key: `models.${allowance.by}` },
    { hint: "models.not-allowed.hint" },
  );
}

const isSame = (one: ModelRecord, other: ModelRecord): boolean => referenceOf(one) === referenceOf(other);

/** As the flags say it, in one word; undefined where they say nothing. */
export function wishedReference({ provider, model }: ModelWish): string | undefined {
  if (provider && model && !model.startsWith(`${provider}/`)) return `${provider}/${model}`;
  return model ?? provider;
}
