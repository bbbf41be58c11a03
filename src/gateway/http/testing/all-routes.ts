/** Every route of the gateway, without a gateway behind it: for documenting and testing who may call which. */
import { apiRoutes } from "../../api/api-routes.ts";
import { docsRoutes } from "../../docs/docs-routes.ts";
import { passkeyRoutes } from "../../doors/passkey-routes.ts";
import { signInRoutes } from "../../doors/sign-in-routes.ts";
import { hookRoutes } from "../../hooks/hook-routes.ts";
import { mediaRoutes } from "../../media/media-routes.ts";
import { openAiRoutes } from "../../openai/openai-routes.ts";
import { builtFolder } from "../../page/built-folder.ts";
import { pageRoutes } from "../../page/page-routes.ts";
import { healthRoutes } from "../health-routes.ts";
import type { HttpRoute } from "../http-route.ts";

/** What is behind them must not be needed to make them. */
const nothing = {} as never;

export function allRoutes(): HttpRoute[] {
  const nobodyReads = { notReady: async () => [], metrics: async () => [], isMetricsOpen: () => false };
  return [
    ...healthRoutes(nobodyReads),
    ...pageRoutes({ directory: builtFolder("web") }),
    ...docsRoutes({ directory: builtFolder("docs") }),
    ...signInRoutes(nothing),
    ...passkeyRoutes(nothing),
    ...openAiRoutes(nothing),
    ...apiRoutes(nothing),
    ...mediaRoutes(nothing),
    ...hookRoutes(nothing),
  ];
}
