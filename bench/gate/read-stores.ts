/** What the storage contains afterwards: which calls were made and answered, and which settings exist. */
import { textOf, type Message } from "@pincer/sdk";
import type { TenantStores } from "../../src/storage/storage.ts";
import type { House } from "./house.ts";

export interface ToolOutcome {
  tool: string;
  arguments: Record<string, unknown>;
  ok: boolean;
  text: string;
}

export async function listResults(
  stores: Pick<TenantStores, "turns">,
): Promise<{ results: ToolOutcome[]; unfinished: string[] }> {
  const turns = (await stores.turns.list({ limit: 500 })).toReversed();
  const results: ToolOutcome[] = [];
  for (const { turnId } of turns) {
    const said = (await stores.turns.entries(turnId)).flatMap((entry) =>
      entry.type === "message" ? [entry.message] : [],
    );
    results.push(...outcomes(said));
  }
  const unfinished = turns
    .filter(({ state }) => state !== "done")
    .map(({ state, sessionKey }) => `${state}: ${sessionKey}`);
  return { results, unfinished };
}

function outcomes(said: readonly Message[]): ToolOutcome[] {
  const calls = new Map(
    said.flatMap((message) =>
      message.role === "assistant"
        ? message.content.flatMap((block) => (block.type === "toolCall" ? [[block.id, block] as const] : []))
        : [],
    ),
  );
  return said.flatMap((message) => {
    if (message.role !== "toolResult") return [];
    const given = calls.get(message.toolCallId)?.arguments ?? {};
    return [{ tool: message.toolName, arguments: given, ok: !message.isError, text: textOf(message) }];
  });
}

/** One line each, that begins with its kind. Equal lines are the same thing. */
export async function listSettings({
  stores,
  questions: asked,
}: Pick<House, "stores" | "questions">): Promise<string[]> {
  const [rules, allowed, owners, grants, questions] = await Promise.all([
    stores.rules.list(),
    stores.pairing.listAllowed({}),
    stores.pairing.listOwners(),
    stores.approvals.listGrants({ limit: 100 }),
    asked(),
  ]);
  // What this bench answers itself it answers through the socket.
  const answered = questions.filter(
    ({ answeredBy }) => answeredBy !== null && answeredBy !== "time" && !answeredBy.startsWith("cli"),
  );
  return [
    ...rules.map(({ id, text }) => `rule ${id}: ${text}`),
    ...allowed.map(({ channel, senderId, by }) => `pairing ${channel}:${senderId} by ${by}`),
    ...owners.map(({ channel, senderId }) => `owner ${channel}:${senderId}`),
    ...grants.map(({ id, tool, shown, grantedBy }) => `grant ${id}: ${tool} ${shown} by ${grantedBy}`),
    ...answered.map(({ id, state, answeredBy }) => `answer ${id}: ${state} by ${answeredBy ?? ""}`),
  ];
}
