/** The figures of turns and of the gate at `/metrics`, after people have written. */
import type { ScriptedStep } from "@pincer/sdk/testing";
import { expect, it } from "vitest";
import { freePort } from "../../test/free-port.ts";
import { openTalkStage } from "./testing/talk-stage.ts";

const call = (name: string, given: object = {}): ScriptedStep => ({
  calls: [{ name, arguments: given as Record<string, unknown> }],
});

it("OBS-02 OBS-04 tells how long turns took, how many calls they made, who asked to be let in, and what was asked and denied", async () => {
  const port = await freePort();
  const stage = await openTalkStage({
    steps: [
      call("time_now"),
      call("tools_echo", { text: "x" }),
      { text: "Done." },
      call("exec", { command: "true" }),
      { text: "It may not." },
      call("web_fetch", { url: "https://example.org" }),
      { text: "It waits." },
      { error: "the connection broke", code: "unavailable" },
    ],
    config: {
      gateway: { port, openMetrics: true },
      channels: { pigeon: { dmPolicy: "pairing" } },
      tools: { deny: ["exec"], modes: { web_fetch: "approval-required" } },
    },
    options: { isServed: true },
  });
  for (const text of ["two calls", "a denied one", "one that is asked about"]) await stage.say(text);
  // Its answer breaks off.
  await stage.say("and once more");
  await stage.say("let me in", { person: "7" });
  const { approvals } = await stage.client.request("approvals.list", {});
  await stage.say(`/deny ${approvals[0]?.id}`);
  const lines = (await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()).split("\n");
  const figure = (start: string) =>
    lines
      .filter((line) => line.startsWith(start))
      .reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
  expect(figure("pincer_turn_seconds_count")).toBe(4);
  expect(figure("pincer_turn_seconds_sum")).toBeGreaterThan(0);
  expect(figure("pincer_turn_tool_calls_sum")).toBe(4);
  expect(figure("pincer_turn_tool_calls_count")).toBe(4);
  expect(figure("pincer_stream_interruptions_total")).toBeGreaterThan(0);
  expect(figure("pincer_pairing_requests_total")).toBe(1);
  expect(figure("pincer_approval_requests_total")).toBe(1);
  expect(figure('pincer_approval_answers_total{state="denied"}')).toBe(1);
  expect(figure("pincer_denials_total")).toBe(1);
});
