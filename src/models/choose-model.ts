/** Which model answers: the one asked for, else the configured one, else the stub. */
import { PincerError, type Model } from "@pincer/sdk";

export interface ModelWish {
  /** From `--provider`; may also be a whole reference `provider/model`. */
  provider?: string;
  model?: string;
  /** The credential to use, from `--profile`. */
  credential?: string;
  /** The configured primary, `provider/model`. */
  configured?: string;
}

/** Throws PincerError `model/not-connected` with what to do when the wish cannot be met. */
export function chooseModel(wish: ModelWish, available: readonly Model[]): Model {
  const reference = referenceOf(wish);
  const slash = reference.indexOf("/");
  const provider = slash < 0 ? reference : reference.slice(0, slash);
  const id = slash < 0 ? undefined : reference.slice(slash + 1);
  const found = available.find((model) => model.provider === provider && (!id || model.id === id));
  if (found) return found;
  throw new PincerError("model/not-connected", notConnected(provider, wish.credential), {
    hint: `Leave out --provider to use the offline stub, or use one of: ${available.map((model) => model.provider).join(", ")}.`,
  });
}

function referenceOf({ provider, model, configured }: ModelWish): string {
  if (provider && model && !model.startsWith(`${provider}/`)) return `${provider}/${model}`;
  return model ?? provider ?? configured ?? "stub";
}

const notConnected = (provider: string, credential: string | undefined) =>
  credential
    ? `There is no credential ${credential} for ${provider}: you are not logged in there.`
    : `The provider ${provider} is not connected: you are not logged in there.`;
