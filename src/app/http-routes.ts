/** Every route of the gateway except health and metrics; loaded with the first request for one of them. */
import { apiRoutes } from "../gateway/api/api-routes.ts";
import type { GatewayDoors } from "../gateway/doors/create-doors.ts";
import { docsRoutes } from "../gateway/docs/docs-routes.ts";
import { passkeyRoutes } from "../gateway/doors/passkey-routes.ts";
import { signInRoutes } from "../gateway/doors/sign-in-routes.ts";
import type { SignInTries } from "../gateway/doors/sign-in-tries.ts";
import type { HttpRoute } from "../gateway/http/http-route.ts";
import { mediaRoutes } from "../gateway/media/media-routes.ts";
import { builtFolder } from "../gateway/page/built-folder.ts";
import { pageRoutes } from "../gateway/page/page-routes.ts";
import { openAiRoutes } from "../gateway/openai/openai-routes.ts";
import type { Rpc } from "../gateway/rpc.ts";
import { openHooks } from "../gateway/hooks/open-hooks.ts";
import { createOpenAiApi } from "../gateway/openai/create-openai-api.ts";
import { createTextEmbedder } from "../gateway/openai/embed-texts.ts";
import { homeOf, type GatewayServerParts } from "./server-parts.ts";
import { createRunFollower } from "../gateway/methods/follow-run.ts";

export interface RouteParts extends GatewayServerParts {
  doors: GatewayDoors;
  tries: SignInTries;
  rpc: Pick<Rpc, "call">;
}

export function openRoutes(given: RouteParts): HttpRoute[] {
  const { gatewayContext, parts, engine, ask, lanes, router, media, connected, rpc, doors, tries, stopping } =
    given;
  const { openedHome, config, log } = gatewayContext;
  const { stores, clock } = openedHome;
  const { say, redactor } = parts;
  const onError = (error: unknown) => gatewayContext.trouble("http", error);
  const embedder = createTextEmbedder({ openedHome, config, connected, say, clock });
  stopping.addEventListener("abort", () => void embedder.close().catch(onError), { once: true });
  const api = createOpenAiApi({
    config,
    engine,
    ask,
    lanes,
    turns: stores.turns,
    follow: createRunFollower({ engine, turns: stores.turns, entries: stores.entries, clock, stopping }),
    media,
    redactor,
    embedder,
    say,
    stopping,
    home: homeOf(gatewayContext),
    ids: openedHome.ids,
  });
  return [
    ...pageRoutes({ directory: builtFolder("web") }),
    ...docsRoutes({ directory: builtFolder("docs") }),
    ...signInRoutes({ doors, config }),
    ...passkeyRoutes({ doors }),
    ...openAiRoutes({ api: async () => api, clock, onError }),
    ...apiRoutes({ callMethod: rpc.call, version: given.about.version, clock }),
    ...mediaRoutes({
      media,
      maxFileBytes: () => Math.min(config().media.maxFileBytes, config().media.maxBytes),
      maxBytes: () => config().media.maxBytes,
      clock,
      callMethod: rpc.call,
    }),
    ...openHooks({
      openedHome,
      config,
      accounts: gatewayContext.accounts,
      redactor,
      tries,
      received: (row) => router.accept(row),
      log,
    }),
  ];
}
