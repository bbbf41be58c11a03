import { recipientOf, type Destination } from "@pincer/sdk";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defaultChannel } from "../../config/default-config.ts";
import { at, stageConversation, type CallFrom } from "./testing/conversation-stage.ts";

/** The same ids on two channels with two accounts each, as people, as groups, in threads; all of them let in. */
const ids = ["1", "2", "1:2"];
const places: Destination[] = ["telegram", "slack"].flatMap((channel) =>
  ["default", "work"].flatMap((accountId) =>
    ids.flatMap((id) => [
      at(channel, id, { accountId }),
      at(channel, `g${id}`, { accountId, peerKind: "group" }),
      at(channel, `g${id}`, { accountId, peerKind: "group", threadId: id }),
    ]),
  ),
);

const channel = {
  ...defaultChannel,
  dmPolicy: "allowlist",
  allowFrom: ids,
  groups: ids.map((id) => `g${id}`),
  accounts: { default: {}, work: {} },
};

const callFrom = (destination: Destination, role: "owner" | "peer"): CallFrom => ({
  conversation: destination,
  place: {
    agentId: "main",
    sessionKey: "agent:main:main",
    chatType: role === "owner" ? "main" : "direct",
    userRoles: [role],
  },
});

const step = fc.record({
  from: fc.nat(places.length - 1),
  to: fc.option(fc.nat(places.length - 1), { nil: undefined }),
  role: fc.constantFrom("owner" as const, "peer" as const),
  deliver: fc.boolean(),
  crash: fc.boolean(),
});

/** As a model would spell it; a thread has no name of its own. */
const spelled = ({ channel: id, accountId, target }: Destination): string =>
  `${id}/${accountId}:${target.peerId}`;

const withoutThread = ({ channel: id, accountId, target }: Destination): Destination =>
  at(id, target.peerId, { accountId, peerKind: target.peerKind });

describe("messages of interleaved turns, with equal ids everywhere", () => {
  it("ROUTE-11 TOOL-06 arrive where they were meant for and nowhere else, each once, through crashes", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        const stage = await stageConversation({
          owners: [],
          contacts: {},
          channels: { telegram: channel, slack: channel },
        });
        const meant: string[] = [];
        for (const [index, { from, to, role, deliver, crash }] of steps.entries()) {
          const own = places[from]!;
          const { turnId } = await stage.turn({ sessionKey: "agent:main:main", destination: own });
          const other = to === undefined ? undefined : places[to]!;
          const aim = other ? withoutThread(other) : own;
          const text = `text ${index} for ${recipientOf(aim)}`;
          const input = { action: "send", text, ...(other && { to: spelled(other) }) };
          const send = () => stage.call("message", input, { ...callFrom(own, role), turnId });
          const { ok } = await send();
          if (crash) {
            await stage.restart();
            await send();
          }
          const isOwn = recipientOf(aim) === recipientOf(own);
          expect([index, ok]).toEqual([index, role === "owner" || isOwn]);
          if (ok) meant.push(`${recipientOf(aim)} ${text}`);
          if (deliver) await stage.run();
        }
        await stage.run();
        expect(stage.seen().toSorted()).toEqual(meant.toSorted());
      }),
      { numRuns: 40 },
    );
  }, 60_000);
});
