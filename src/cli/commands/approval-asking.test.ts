import { PassThrough } from "node:stream";
import { describe, expect, it, vi } from "vitest";
import type { CommandHome } from "../testing/command-home.ts";
import { createFakeTerminal, type FakeTerminal, type RanCommand } from "../testing/fake-terminal.ts";
import { createModelHome, startWholeGateway } from "../testing/model-home.ts";
import * as approvals from "./approvals.ts";
import * as ask from "./ask.ts";

/** A home whose model never stops calling a tool that takes the owner's yes. */
async function openHome(): Promise<CommandHome> {
  const { home } = await createModelHome("loop", { tools: { modes: { tools_echo: "approval-required" } } });
  return home;
}

/** Somebody sits there. */
function typingTerminal(): { terminal: FakeTerminal; type(line: string): void } {
  const keys = Object.assign(new PassThrough(), { isTTY: true });
  const terminal = { ...createFakeTerminal({ errIsTerminal: true }), stdin: keys };
  return { terminal, type: (line) => void keys.write(`${line}\r`) };
}

interface Answer {
  toolResults: Array<{ ok: boolean; error?: { message: string } }>;
}

/** Without the last call, at which the limit of steps ends the run. */
const resultsOf = (ran: RanCommand) => ran.json<Answer>().toolResults.slice(0, -1);

const questions = (said: string) => said.match(/ needs your approval /g)?.length ?? 0;

const ways = [
  ["without a gateway", async () => {}],
  ["through a gateway", startWholeGateway],
] as const;

describe.each(ways)("asking in place %s", (_way, begin) => {
  it("SAFE-02 runs what the owner says yes to for the task, asks once, and keeps stdout to one document", async () => {
    const home = await openHome();
    await begin(home);
    const { terminal, type } = typingTerminal();
    const asking = home.runAt(terminal, ask, "ask", "--json", "--tool-max-steps", "2", "hi");
    // A line that comes before the question could be read is asked for again.
    await vi.waitFor(
      () => {
        if (questions(terminal.said()) > 0) type("t");
        expect(terminal.said()).toContain("is approved");
      },
      { timeout: 30_000, interval: 100 },
    );
    const ran = await asking;
    expect(resultsOf(ran).map(({ ok }) => ok)).toEqual([true, true]);
    expect(questions(ran.err)).toBe(1);
  }, 60_000);

  it("SAFE-02 does not run what is denied, and the model is told so", async () => {
    const home = await openHome();
    await begin(home);
    const { terminal, type } = typingTerminal();
    const asking = home.runAt(terminal, ask, "ask", "--json", "--tool-max-steps", "1", "hi");
    await vi.waitFor(
      () => {
        if (questions(terminal.said()) > 0) type("n");
        expect(terminal.said()).toContain("is denied");
      },
      { timeout: 30_000, interval: 100 },
    );
    expect(resultsOf(await asking)).toMatchObject([
      { ok: false, error: { message: expect.stringContaining("Denied") } },
    ]);
  }, 60_000);

  it("says in a script how to answer from elsewhere, and takes that answer", async () => {
    const home = await openHome();
    await begin(home);
    const terminal = createFakeTerminal();
    const asking = home.runAt(terminal, ask, "ask", "--json", "--tool-max-steps", "1", "hi");
    await vi.waitFor(() => expect(terminal.said()).toContain("pincer approvals approve"), {
      timeout: 30_000,
      interval: 50,
    });
    const id = /approvals approve (\w+)/.exec(terminal.said())?.[1] ?? "";
    expect(await home.run(approvals, "approvals", "approve", id)).toMatchObject({ status: 0 });
    expect(resultsOf(await asking)).toMatchObject([{ ok: true }]);
  }, 60_000);
});

it("says to a second question of the session what it waits for, with nothing but the answer on stdout", async () => {
  const home = await openHome();
  await startWholeGateway(home);
  const first = createFakeTerminal();
  const asking = home.runAt(first, ask, "ask", "--json", "--tool-max-steps", "1", "hi");
  const soon = { timeout: 30_000, interval: 50 };
  await vi.waitFor(() => expect(first.said()).toContain("pincer approvals approve"), soon);
  const second = createFakeTerminal();
  const waiting = home.runAt(second, ask, "ask", "--json", "--tool-max-steps", "1", "and now?");
  await vi.waitFor(() => expect(second.said()).toContain("pincer approvals list"), soon);
  const id = /approvals approve (\w+)/.exec(first.said())?.[1] ?? "";
  await home.run(approvals, "approvals", "deny", id);
  await asking;
  await vi.waitFor(() => expect(second.said()).toMatch(/needs your approval[^]*approvals approve/), soon);
  const own = /needs your approval[^]*approvals approve (\w+)/.exec(second.said())?.[1] ?? "";
  await home.run(approvals, "approvals", "deny", own);
  const ran = await waiting;
  expect(ran.json()).toMatchObject({ requestId: expect.any(String) });
  expect(ran.err.match(/an earlier turn of this session/g)).toHaveLength(1);
}, 60_000);
