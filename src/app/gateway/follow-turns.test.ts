import { expect, it } from "vitest";
import type { PreviewTurn, Previews } from "../../channels/previews.ts";
import type { TurnRecord } from "../../storage/turns.ts";
import { followTurns } from "./follow-turns.ts";

it("SEC-02 shows no address that a network would look at while an answer grows", () => {
  const grown: string[] = [];
  let shown: PreviewTurn["shown"];
  const previews: Previews = {
    forTurn(turn) {
      ({ shown } = turn);
      return { grow: (text) => void grown.push(text), close: async () => {} };
    },
  };
  const watch = followTurns(previews, () => {});
  const destination = {
    channel: "telegram",
    accountId: "main",
    target: { peerKind: "user" as const, peerId: "42" },
  };
  const turn = { turnId: "t1", destination, replyTo: null } as TurnRecord;
  watch.begun?.(turn, {} as never);
  watch.event?.(turn, { type: "text-delta", text: "See https://evil.example/" });
  watch.event?.(turn, { type: "text-delta", text: "secret" });
  // Looking for addresses is left to whoever shows it: at each word it would take longer the more there is.
  expect(grown).toEqual(["See https://evil.example/", "See https://evil.example/secret"]);
  expect(grown.map((text) => shown?.(text))).toEqual([
    "See hxxps://evil[.]example/",
    "See hxxps://evil[.]example/secret",
  ]);
});
