/**
 * The composition root and table of contents: the parts of Pincer, built from the home up and closed in reverse.
 * Everything that a turn needs is created here and passed in by name.
 */
import { asPincerError } from "@pincer/sdk";
import { sayProblem } from "../config/loaded-config.ts";
import type { ConfigEvent } from "../config/watch-config.ts";
import { sayError } from "../infra/failure.ts";
import type { Say } from "../infra/texts.ts";
import { unknownToolNames } from "../agent/agent-settings.ts";
import { createDirectAsk, type Ask } from "./ask.ts";
import { questionsWithoutGateway } from "./walk-without-gateway.ts";
import { providerFor } from "../routing/configured-provider.ts";
import { hideSecretsOf } from "../storage/home/foundation.ts";
import { isStop } from "../routing/stop-words.ts";
import { createMediaStore } from "../storage/media/media-store.ts";
import { accessWithoutGateway } from "../channels/conversation/access-without-gateway.ts";
import { openLabels } from "../gate/labels/open-labels.ts";
import { openEffects } from "../agent/effects/open-effects.ts";
import { openMemory } from "../agent/memory/open-memory.ts";
import { openConnectedModels } from "../agent/models/connected-models.ts";
import {
  openHome,
  type OpenHome,
  type OpenHomeOptions,
  type OpenHomeParts,
} from "../storage/home/open-home.ts";
import { createEngine } from "../routing/engine.ts";
import { turnDeadlineMs } from "../routing/turn-machinery.ts";

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
export async function createApp(parts: OpenHomeParts, options: OpenHomeOptions): Promise<App> {
  const openedHome = await openHome(parts, options);
  try {
    return await buildApp(openedHome, parts, options);
  } catch (error) {
    await openedHome.close();
    throw error;
  }
}

async function buildApp(openedHome: OpenHome, parts: OpenHomeParts, options: OpenHomeOptions): Promise<App> {
  const { say, redactor, notify } = parts;
  let { config } = openedHome;
  const wishes = options.workdir === undefined ? {} : { workdir: options.workdir };
  const connected = openConnectedModels({ ...parts, openedHome, config: () => config });
  const memory = openMemory({
    ...parts,
    openedHome,
    config: () => config,
    connected,
    workdir: options.workdir,
    onError: (error) => notify(sayError(asPincerError(error), say).message),
  });
  const labels = openLabels(openedHome);
  const effects = openEffects({
    ...parts,
    ...openedHome,
    spans: labels.spans,
    secrets: openedHome.foundation.secrets,
    config: () => config,
    onError: (error) => notify(sayError(asPincerError(error), say).message),
  });
  const engine = createEngine({
    openedHome,
    parts,
    config: () => config,
    connected,
    memory,
    effects,
    labels,
    conversation: accessWithoutGateway(openedHome, parts, () => config),
    media: createMediaStore({ directory: openedHome.home.mediaDir, limits: () => config.media }),
    wishes,
  });
  const { workdir, tools } = await engine.setups.check(openedHome.defaultAgentId, wishes);
  for (const name of unknownToolNames(config, tools)) notify(say("tools.unknown-rule", { name }));
  const ask = createDirectAsk({
    engine,
    queue: questionsWithoutGateway({
      openedHome,
      parts,
      config: () => config,
      memory,
      effects,
      engine,
      wishes,
    }),
    turns: openedHome.stores.turns,
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
      const { request, loaded } = openedHome.foundation;
      const watch = await watchConfig({
        request,
        loaded,
        clock: openedHome.clock,
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
      await effects.close();
      await memory.close();
      await connected.settled();
      await openedHome.close();
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
