/** Which model answers, of those that can be reached. */
import type { Model } from "@pincer/sdk";
import { failure } from "../infra/failure.ts";

export interface ModelWish {
  /** From `--provider`; may also be a whole reference `provider/model`. */
  provider?: string;
  model?: string;
  /** The credential to use, from `--profile`. */
  credential?: string;
}

/**
 * The one that was asked for by flag; undefined when none was. Throws PincerError `model/not-connected`, with what to do, when
 * it cannot be reached: whoever names a model wants that one.
 */
export function requestedModel(wish: ModelWish, available: readonly Model[]): Model | undefined {
  const reference = referenceOf(wish);
  if (!reference) return undefined;
  const found = findModel(reference, available);
  if (found) return found;
  const [provider = ""] = reference.split("/");
  const known = available.map((model) => model.provider).join(", ");
  throw failure(
    "model/not-connected",
    wish.credential ? "failure.no-credential" : "failure.not-connected",
    { provider, known, credential: wish.credential ?? "" },
    { hint: "failure.not-connected.hint" },
  );
}

/** By `provider/model`, or by provider alone. */
export function findModel(reference: string, available: readonly Model[]): Model | undefined {
  const slash = reference.indexOf("/");
  const provider = slash < 0 ? reference : reference.slice(0, slash);
  const id = slash < 0 ? undefined : reference.slice(slash + 1);
  return available.find((model) => model.provider === provider && (!id || model.id === id));
}

function referenceOf({ provider, model }: ModelWish): string | undefined {
  if (provider && model && !model.startsWith(`${provider}/`)) return `${provider}/${model}`;
  return model ?? provider;
}
