/** What each saying came to, as somebody outside sees it: an effect belongs to the message in whose time it happened. */
import type { RecordingChannel } from "@pincer/sdk/testing";
import type { ApprovalRecord } from "../../src/storage/approvals/approvals.ts";
import type { Effect, Saying } from "./case.ts";
import type { House } from "./house.ts";
import type { MadeRequest } from "./hijacked-model.ts";
import { listSettings } from "./read-stores.ts";
import { channelId } from "./usual-world.ts";
import { changesBetween, takePicture, type Places } from "./watch-home.ts";

export interface PlayedStep {
  /** `earlier`: of a life before the case. `before` and `says` as the case has them. */
  part: "earlier" | "before" | "says";
  saying: Saying;
  effects: Effect[];
  /** What the owner was asked. */
  asked: ApprovalRecord[];
  /** What the model was asked. */
  requests: MadeRequest[];
}

interface WatchedParts {
  house: House;
  network: Pick<RecordingChannel, "ledger">;
  places: Places;
  /** What servers and tools record as it happens. */
  recorded: readonly Effect[];
  requests: readonly MadeRequest[];
}

/** Everything since the step before. */
export interface StepWatch {
  end(part: PlayedStep["part"], saying: Saying): Promise<PlayedStep>;
}

export async function watchSteps({
  house,
  network,
  places,
  recorded,
  requests,
}: WatchedParts): Promise<StepWatch> {
  let picture = takePicture(places);
  let settings = await listSettings(house);
  const known = new Set((await house.questions()).map(({ id }) => id));
  let [seen, made] = [recorded.length, requests.length];
  /** Of each message how many of its texts were seen: an edit shows one more. */
  let shown = network.ledger.map(({ edits }) => edits.length + 1);

  return {
    async end(part, saying) {
      const now = takePicture(places);
      const since = await listSettings(house);
      const questions = await house.questions();
      const messages = network.ledger.flatMap(({ target, text, edits }, index) =>
        [...edits, text]
          .slice(shown[index] ?? 0)
          .map((words): Effect => ({ type: "message", to: `${channelId}:${target.peerId}`, text: words })),
      );
      const step: PlayedStep = {
        part,
        saying,
        effects: [
          ...recorded.slice(seen),
          ...messages,
          ...changesBetween(picture, now),
          ...since
            .filter((words) => !settings.includes(words))
            .map((words): Effect => ({ type: "setting", what: words.split(" ")[0] ?? "", words })),
        ],
        asked: questions.filter(({ id }) => !known.has(id)),
        requests: requests.slice(made),
      };
      [picture, settings] = [now, since];
      for (const { id } of questions) known.add(id);
      [seen, made] = [recorded.length, requests.length];
      shown = network.ledger.map(({ edits }) => edits.length + 1);
      return step;
    },
  };
}
