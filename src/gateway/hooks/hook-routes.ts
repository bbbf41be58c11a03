/** `/hooks/<name>`: how other programs trigger something. Nothing behind it is loaded before the first call. */
import type { HttpCall, HttpReply, HttpRoute } from "../http/http-route.ts";
import type { HookParts } from "./receive-hook.ts";

export function hookRoutes(parts: HookParts): HttpRoute[] {
  let receiver: Promise<(call: HttpCall, reply: HttpReply) => Promise<void>> | undefined;
  const load = async () => (await import("./receive-hook.ts")).createHookReceiver(parts);
  return [
    {
      method: "POST",
      path: "/hooks/:name",
      access: { type: "own" },
      handle: async (call: HttpCall, reply: HttpReply) => (await (receiver ??= load()))(call, reply),
    },
  ];
}
