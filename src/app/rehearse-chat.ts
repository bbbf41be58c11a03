/** A question over HTTP that nobody asked, on the stage of a rehearsal: from the body of a request to the body of its answer. */
import type { Lanes } from "../routing/lanes.ts";
import type { AdmittedCall, HttpReply } from "../gateway/http/http-route.ts";
import { ownerCaller } from "../policy/caller.ts";
import type { TenantStores } from "../storage/storage.ts";
import { createOpenAiApi } from "../gateway/openai/create-openai-api.ts";
import type { Engine } from "../routing/engine.ts";
import { createRunFollower } from "../gateway/methods/follow-run.ts";
import { homeOf } from "./server-parts.ts";
import type { GatewayContext } from "./gateway-context.ts";

export interface ChatStage {
  gatewayContext: GatewayContext;
  engine: Engine;
  lanes: Lanes;
  stores: Pick<TenantStores, "turns" | "entries">;
  stopping: AbortSignal;
}

/** Throws where it was not answered. */
export async function rehearseChat({
  gatewayContext,
  engine,
  lanes,
  stores,
  stopping,
}: ChatStage): Promise<void> {
  const { openedHome, parts, config } = gatewayContext;
  const { clock, tenantId, ids } = openedHome;
  const { turns, entries } = stores;
  const api = createOpenAiApi({
    config,
    engine,
    lanes,
    turns,
    follow: createRunFollower({ engine, turns, entries, clock, stopping }),
    media: { store: notHere },
    embedder: { embed: notHere },
    redactor: parts.redactor,
    say: parts.say,
    stopping,
    home: homeOf(gatewayContext),
    ids,
  });
  let status = 0;
  const reply: HttpReply = {
    json: (answered) => void (status = answered),
    text: notHere,
    bytes: notHere,
    events: notHere,
    stream: notHere,
  };
  const question = { model: "pincer", messages: [{ role: "user", content: "How are you?" }] };
  const call: AdmittedCall = {
    method: "POST",
    path: "/v1/chat/completions",
    parameters: {},
    query: new URLSearchParams(),
    headers: { "x-pincer-session": "rehearsal" },
    address: "",
    signal: stopping,
    caller: ownerCaller(tenantId, "token"),
    body: notHere,
    pieces: notHere,
    json: async () => question,
  };
  // As the route does: what is loaded for it then is loaded by now.
  const { answerChat } = await import("../gateway/openai/chat-completions.ts");
  await answerChat({ api, clock }, call, reply);
  if (status !== 200) throw new Error("the rehearsal was not answered");
}

function notHere(): never {
  throw new Error("a rehearsal does not go there");
}
