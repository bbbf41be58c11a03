import { expect, it, onTestFinished } from "vitest";
import { startGatewayInHome } from "../../app/testing/gateway-in-home.ts";
import { createCommandHome } from "../testing/command-home.ts";
import { createFakeTerminal } from "../testing/fake-terminal.ts";
import * as context from "./context.ts";

async function openHome() {
  const home = await createCommandHome();
  const gateway = await startGatewayInHome(home.environment, "0.0.0-test", async ({ sessionKey = "" }) => ({
    sessionKey,
    sessionId: null,
    agentId: "main",
    model: { provider: "p", id: "m" },
    window: { contextWindow: 1000, maxTokens: 100, flushAt: null, compactAt: 800, estimatedUsed: 250 },
    parts: [
      { kind: "prompt", name: "identity", tokens: 250, why: "who it is", text: "You are \u001B[31mPincer." },
    ],
    total: 250,
  }));
  onTestFinished(() => gateway.stop());
  return home;
}

it("shows what the assistant is told, as a table or as JSON, and how full the window is", async () => {
  const home = await openHome();
  const terminal = createFakeTerminal({ outIsTerminal: true });
  const shown = await home.runAt(terminal, context, "context", "show");
  expect(shown.out).toContain("prompt: identity  250     who it is");
  expect(shown.out).toContain("25% full");
  expect(shown.out).toContain("█");
  expect((await home.run(context, "context", "show", "main")).out).not.toContain("█");
  const json = (await home.run(context, "context", "show", "--json")).json();
  expect(json).toMatchObject({ sessionKey: "agent:main:main", total: 250, parts: [{ name: "identity" }] });
});

it("prints one part's text, without what could move the cursor", async () => {
  const home = await openHome();
  const shown = await home.run(context, "context", "show", "--text", "identity");
  expect(shown.out).toBe("You are \u241B[31mPincer.\n");
  const missing = await home.run(context, "context", "show", "--text", "soul");
  expect(missing).toMatchObject({ status: 2, out: "" });
  expect(missing.err).toContain("Available parts: identity");
});

it("says what to do about a session that is not known", async () => {
  const home = await openHome();
  const shown = await home.run(context, "context", "show", "nowhere");
  expect(shown.status).toBe(1);
  expect(shown.err).toContain("There is no session nowhere.");
  expect(shown.err).toContain("without a name the main session");
});
