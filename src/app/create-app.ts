/**
 * The composition root and table of contents: the parts of Pincer, built from the ground up and closed in
 * reverse. Everything that a turn needs is made here and handed in by name.
 */
import { asPincerError } from "@pincer/sdk";
import { sayProblem } from "../config/loaded-config.ts";
import type { ConfigEvent } from "../config/watch-config.ts";
import { sayError } from "../infra/failure.ts";
import type { Say } from "../infra/texts.ts";
import { unknownToolNames } from "./agent-settings.ts";
import { createDirectAsk, type Ask } from "./ask.ts";
import { providerFor } from "./configured-provider.ts";
import { hideSecretsOf } from "./foundation.ts";
import { isStop } from "../routing/stop-words.ts";
import { createMediaStore } from "../channels/media-store.ts";
import { doorsWithoutGateway } from "./conversation/doors-without-gateway.ts";
import { openHands } from "./hands/open-hands.ts";
import { openMemory } from "./memory/open-memory.ts";
import { openConnectedModels } from "./models/connected-models.ts";
import { openGround, type Ground, type GroundOptions, type GroundParts } from "./open-ground.ts";
import { createEngine, turnDeadlineMs } from "./turns/engine.ts";

export interface App {
  ask: Ask;
  /** Whether somebody just wants it to stop, in one of several languages. */
  isStop(text: string): boolean;
  /** Where the default agent's tools work. */
  workdir: string;
  /** Applies changes of the config from now on and tells each in words; the answer stops it. */
  watchConfig(tell: (message: string) => void): Promise<() => Promise<void>>;
  /** Safe to call twice. */
  close(): Promise<void>;
}

/** Throws PincerError; nothing stays open then. */
export async function createApp(parts: GroundParts, options: GroundOptions): Promise<App> {
  const ground = await openGround(parts, options);
  try {
    return await buildApp(ground, parts, options);
  } catch (error) {
    await ground.close();
    throw error;
  }
}

async function buildApp(ground: Ground, parts: GroundParts, options: GroundOptions): Promise<App> {
  const { say, redactor, notify } = parts;
  let { config } = ground;
  const wishes = options.workdir === undefined ? {} : { workdir: options.workdir };
  const connected = openConnectedModels({ ...parts, ground, config: () => config });
  const memory = openMemory({
    ...parts,
    ground,
    config: () => config,
    connected,
    workdir: options.workdir,
    onError: (error) => notify(sayError(asPincerError(error), say).message),
  });
  const hands = openHands({
    ...parts,
    ...ground,
    secrets: ground.foundation.secrets,
    config: () => config,
    onError: (error) => notify(sayError(asPincerError(error), say).message),
  });
  const engine = createEngine({
    ground,
    parts,
    config: () => config,
    connected,
    memory,
    hands,
    conversation: doorsWithoutGateway(ground, parts, () => config),
    media: createMediaStore({ directory: ground.home.mediaDir, limits: () => config.media }),
    wishes,
  });
  const { workdir, tools } = await engine.setups.check(ground.defaultAgentId, wishes);
  for (const name of unknownToolNames(config, tools)) notify(say("tools.unknown-rule", { name }));
  const ask = createDirectAsk({
    engine,
    turns: ground.stores.turns,
    deadlineMs: () => turnDeadlineMs(config),
    say,
    configured: (agentId) => providerFor(config, agentId),
  });

  return {
    ask,
    isStop,
    workdir,
    async watchConfig(tell) {
      const { watchConfig } = await import("../config/watch-config.ts");
      const { request, loaded } = ground.foundation;
      const watch = await watchConfig({
        request,
        loaded,
        clock: ground.clock,
        onEvent(event) {
          if (event.type === "rejected") return tell(describeConfigEvent(event, say));
          config = event.loaded.config;
          memory.refresh();
          parts.speak?.(config.language);
          // Hidden first, then shown: the message itself must not tell a new secret.
          void hideSecretsOf(event.loaded, redactor).then(() => tell(describeConfigEvent(event, say)));
        },
      });
      return watch.close;
    },
    async close() {
      await hands.close();
      await memory.close();
      await connected.settled();
      await ground.close();
    },
  };
}

function describeConfigEvent(event: ConfigEvent, say: Say): string {
  if (event.type === "rejected") {
    return say("chat.config-rejected", {
      problem: event.problems.map((problem) => sayProblem(problem, say)).join("; "),
    });
  }
  const changes = event.changes.map(({ path, after }) => `${path} = ${JSON.stringify(after) ?? "default"}`);
  return say("chat.config-applied", { changes: changes.join(", ") });
}
