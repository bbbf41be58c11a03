import { closingBody, closingIn } from "@pincer/sdk";
import { expect, it } from "vitest";
import { createSay } from "../infra/texts.ts";
import { createRunnerStage } from "./testing/runner-stage.ts";
import { createTurnClosing } from "./turn-closing.ts";
import { createTurnRunner } from "./turn-runner.ts";

const grant = {
  by: "mark" as const,
  id: "",
  tool: "message",
  quote: "@bob",
  recipients: [],
  hosts: [],
  values: [],
  sources: [],
  uses: [],
};
const granted = { turnId: "r", at: "", planner: "answered" as const, grants: [grant], worded: [] };

const quiet = { copies: undefined, say: createSay("en"), onError: () => {} };

it("what was granted is stored with the end of the turn", async () => {
  const { parts, queue, stores, never } = createRunnerStage();
  const closing = createTurnClosing({
    ...quiet,
    turns: stores.turns,
    gate: { grantedIn: async () => granted },
  });
  const turn = await queue("hello");
  await createTurnRunner({ ...parts, closing })(turn, never);
  const entries = await stores.turns.entries(turn.turnId);
  expect(entries.at(-1)).toMatchObject(closingBody("granted", granted));
  expect(closingIn(entries, "granted")).toEqual(granted);
  const sent = await stores.outbox.list({ limit: 9 });
  expect(sent.map(({ text }) => text)).toEqual(["hi"]);
});

it("a turn ends also where that cannot be found out", async () => {
  const { parts, queue, stores, never } = createRunnerStage();
  const errors: unknown[] = [];
  const gate = { grantedIn: () => Promise.reject(new Error("disk")) };
  const closing = createTurnClosing({
    ...quiet,
    turns: stores.turns,
    gate,
    onError: (error) => void errors.push(error),
  });
  const turn = await queue("hello");
  await createTurnRunner({ ...parts, closing })(turn, never);
  expect(await stores.turns.get(turn.turnId)).toMatchObject({ state: "done" });
  expect(errors).toHaveLength(1);
});
