/** What stands behind OpenAI's API: questions become turns like any other, and programs bring their own tools and history along. */
import { textOf, type MediaStore, type Message } from "@pincer/sdk";
import { redactMessage } from "../../agent/redact-message.ts";
import { sniffMediaType } from "../../storage/media/media-type.ts";
import type { Config } from "../../config/schema.ts";
import type { OpenAiApi, Question, RunAnswer } from "./openai-api.ts";
import type { Redactor } from "../../infra/redactor.ts";
import type { Say } from "../../infra/texts.ts";
import type { ModelWish } from "../../models/choose-model.ts";
import type { Caller } from "../../policy/caller.ts";
import type { Lanes } from "../../routing/lanes.ts";
import type { RecalledTurn, TurnRecord, TurnStore } from "../../storage/turns/turns.ts";
import type { FollowRun } from "../methods/follow-run.ts";
import { isOwnConversation } from "../../routing/asker.ts";
import type { Engine } from "../../routing/engine.ts";
import { keyUsed, type Ask } from "../../routing/questions.ts";
import type { Saying } from "../../agent/turns/run-events.ts";
import { wishesOf, type TurnWishes } from "../../agent/turns/turn-wishes.ts";
import { answerOfRun } from "./answer-run.ts";
import type { TextEmbedder } from "./embed-texts.ts";
import { listedModels } from "./listed-models.ts";
import {
  httpChannel,
  modelName,
  placeQuestion,
  product,
  reaches,
  type PlaceParts,
} from "./place-question.ts";

export interface OpenAiApiParts extends Pick<PlaceParts, "home" | "ids"> {
  config(): Config;
  engine: Pick<Engine, "route">;
  ask: Ask;
  lanes: Pick<Lanes, "abort">;
  turns: Pick<TurnStore, "get" | "recall">;
  follow: FollowRun;
  media: Pick<MediaStore, "store">;
  redactor: Redactor;
  embedder: Pick<TextEmbedder, "embed">;
  say: Say;
  /** Aborts when the gateway stops. */
  stopping: AbortSignal;
}

const pictures: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

export function createOpenAiApi(parts: OpenAiApiParts): OpenAiApi {
  const { config, engine, lanes, turns, redactor, home, stopping } = parts;
  const place: PlaceParts = { home, ids: parts.ids, turns, route: engine.route };

  return {
    models: async (caller) => listedModels(config(), caller),
    async ask(caller, question) {
      const { asker, wish } = await placeQuestion(place, caller, question);
      const { idempotencyKey } = question;
      const { turn, duplicate } = await parts.ask({
        ...asker,
        input: question.given.now.map(textOf).filter(Boolean).join("\n"),
        wishes: wishesFor(question, wish, redactor),
        typed: false,
        direct: false,
        // Other doors of this channel have keys of their own.
        ...(idempotencyKey === undefined ? {} : { idempotencyKey: `openai:${idempotencyKey}` }),
      });
      if (!turn || (duplicate && wishesOf(turn).digest !== question.digest))
        throw keyUsed(idempotencyKey ?? "");
      return {
        runId: turn.turnId,
        sessionKey: turn.sessionKey,
        isRepeated: duplicate,
        async wait(signal, tell) {
          const reader = {
            after: undefined,
            check: () => {},
            step: () => {},
            // What was said before anybody listened.
            snapshot: ({ text }: Saying) => text !== "" && tell({ type: "text-delta", text }),
          };
          const whole = await parts.follow(turn.turnId, { ...reader, signal, tell });
          return answerTo(caller, whole ?? (await turns.recall(turn.turnId)));
        },
      };
    },
    answer: async (caller, runId) => answerTo(caller, await turns.recall(runId)),
    async abandon(runId) {
      // A turn that is parked for a restart goes on, and its caller may come back for it.
      if (!stopping.aborted) await lanes.abort(runId, "client");
    },
    async keepPicture(bytes, mimeType) {
      // Told by what it holds, and before anything of it is kept.
      const found = await sniffMediaType(bytes, mimeType);
      if (!pictures.has(found)) return undefined;
      const { media } = await parts.media.store(bytes, { mimeType: found });
      return { type: "image", media, mimeType: found };
    },
    embed: parts.embedder.embed,
  };

  function answerTo(caller: Caller, found: RecalledTurn | undefined): RunAnswer | undefined {
    if (!found) return undefined;
    const { agentId, origin, sessionKey } = found.turn;
    const isTheirs =
      origin.channel === httpChannel &&
      isOwnConversation(caller, sessionKey, home) &&
      reaches(caller, agentId);
    return isTheirs ? answerOfRun(found, askedAs(found.turn), parts.say) : undefined;
  }

  function askedAs(turn: TurnRecord): string {
    return wishesOf(turn).model ?? (turn.agentId === home.agentId ? product : modelName(turn.agentId));
  }
}

/** Secrets are taken out before anything is stored, here as in the transcript. */
function wishesFor(question: Question, wish: ModelWish, redactor: Redactor): TurnWishes {
  const { given, instructions, tools, thinking, digest, traceparent } = question;
  const hidden = (messages: readonly Message[]) =>
    messages.map((message) => redactMessage(message, redactor));
  return {
    ...wish,
    given: { earlier: hidden(given.earlier), now: hidden(given.now) },
    digest,
    alone: true,
    ...(tools.length === 0 ? {} : { clientTools: tools }),
    ...(instructions === undefined ? {} : { instructions: redactor.text(instructions) }),
    ...(thinking === undefined ? {} : { thinking }),
    ...(traceparent === undefined ? {} : { traceparent }),
  };
}
