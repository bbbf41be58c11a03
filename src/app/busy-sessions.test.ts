/** What an agent sees of sessions by its tools: those that are busy, and its own. */
import { textOf, type Message } from "@pincer/sdk";
import type { ScriptedStep } from "@pincer/sdk/testing";
import { expect, it } from "vitest";
import { openTalkStage, type TalkStage } from "./testing/talk-stage.ts";

const call = (name: string, given: Record<string, unknown> = {}): ScriptedStep => ({
  calls: [{ name, arguments: given }],
});
const results = ({ model }: TalkStage): string[] =>
  (model.requests.at(-1)?.messages ?? [])
    .filter(({ role }) => role === "toolResult")
    .map((message) => textOf(message as Message));

it("SESS-20 no run begins inside its own session, and a busy session can be told from a free one", async () => {
  const stage = await openTalkStage({
    steps: [
      call("sessions_send", { session: "agent:main:main", text: "and another one" }),
      call("sessions_list"),
      { text: "Done." },
    ],
  });
  expect(await stage.say("go on")).toEqual(["Done."]);
  expect(results(stage)[0]).toContain("that is this session");
  expect(results(stage)[1]).toMatch(/^agent:main:main .*1 running/);
  expect(stage.model.requests).toHaveLength(3);
  const free = await openTalkStage({ steps: [{ text: "Hello." }, call("sessions_list"), { text: "Done." }] });
  await free.say("hello", { person: "7" });
  await free.say("how is everybody?");
  expect(results(free)[0]).toMatch(/pigeon:dm:7 .*active(?!, 1 running)/);
});
