import { rename, rm, writeFile } from "node:fs/promises";
import { createHandClock } from "@pincer/sdk/testing";
import { expect, it, onTestFinished, vi } from "vitest";
import { systemClock } from "../infra/clock.ts";
import { loadConfig } from "./load-config.ts";
import { createTemporaryHome } from "./testing/temporary-home.ts";
import { watchConfig, type ConfigEvent } from "./watch-config.ts";

async function watched(
  text: string,
  more: { load?: typeof loadConfig; listen?: (event: ConfigEvent) => void } = {},
) {
  const home = await createTemporaryHome();
  await home.writeConfig(text);
  const request = { home, environment: {} };
  const clock = createHandClock();
  const events: ConfigEvent[] = [];
  let sign = () => {};
  const watch = await watchConfig({
    request,
    loaded: await loadConfig(request),
    clock,
    onEvent(event) {
      more.listen?.(event);
      events.push(event);
    },
    ...(more.load ? { load: more.load } : {}),
    watchFile: async (_file, onSign) => {
      sign = onSign;
      return { close: async () => undefined };
    },
  });
  const settle = async () => {
    await clock.advance(300);
    await watch.settled();
  };
  return { home, clock, events, watch, sign: () => sign(), settle };
}

it("CFG-04 applies a valid change once the file is quiet, and says what changed", async () => {
  const { home, clock, events, sign, settle } = await watched("{ gateway: { port: 1 } }");
  await home.writeConfig("{ gateway: { port: 2 }, owners: ['a:1'] }");
  sign();
  await clock.advance(200);
  sign();
  await clock.advance(299);
  expect(events).toEqual([]);
  await settle();
  expect(events).toMatchObject([
    {
      type: "applied",
      changes: [
        { path: "gateway.port", before: 1, after: 2 },
        { path: "owners", before: [], after: ["a:1"] },
      ],
      loaded: { config: { gateway: { port: 2 } } },
    },
  ]);
});

it.each([
  ["half-written", "{ gateway: { po"],
  ["empty", ""],
  ["wrong", "{ gateway: { port: 'x' } }"],
])("rejects a file that is %s and leaves the config in force", async (_name, text) => {
  const { home, events, sign, settle, watch } = await watched("{ gateway: { port: 1 } }");
  await home.writeConfig(text);
  sign();
  await settle();
  expect(events).toMatchObject([{ type: "rejected", problems: [{ severity: "error" }] }]);
  expect(watch.current().config.gateway.port).toBe(1);
});

it("rejects the disappearance of the file", async () => {
  const { home, events, sign, settle, watch } = await watched("{ gateway: { port: 1 } }");
  await rm(home.configFile);
  sign();
  await settle();
  expect(events).toMatchObject([{ type: "rejected", problems: [{ type: "unreadable" }] }]);
  expect(watch.current().config.gateway.port).toBe(1);
});

it("says nothing when only a comment changed, and shows no secret when one changed", async () => {
  const { home, events, sign, settle } = await watched("{ channels: { t: { botToken: 'planted-1' } } }");
  await home.writeConfig("{ channels: { t: { botToken: 'planted-1' } } } // hello");
  sign();
  await settle();
  expect(events).toEqual([]);
  await home.writeConfig("{ channels: { t: { botToken: 'planted-2' } } }");
  sign();
  await settle();
  expect(events[0]).toMatchObject({
    type: "applied",
    changes: [{ path: "channels.t.botToken", before: "***", after: "***" }],
  });
});

it("goes on watching when a load fails, and rejects that one", async () => {
  let failures = 1;
  const load: typeof loadConfig = (request) =>
    failures-- > 0 ? Promise.reject(new TypeError("planted-secret")) : loadConfig(request);
  const { home, events, sign, settle, watch } = await watched("{ gateway: { port: 1 } }", { load });
  await home.writeConfig("{ gateway: { port: 2 } }");
  sign();
  await settle();
  expect(events).toMatchObject([
    { type: "rejected", problems: [{ message: expect.stringContaining("TypeError") }] },
  ]);
  expect(JSON.stringify(events)).not.toContain("planted");
  expect(watch.current().config.gateway.port).toBe(1);
  sign();
  await settle();
  expect(events[1]).toMatchObject({ type: "applied", changes: [{ path: "gateway.port" }] });
  await watch.close();
});

it("keeps watching when a listener throws", async () => {
  let failures = 1;
  const listen = () => {
    if (failures-- > 0) throw new Error("the terminal is gone");
  };
  const { home, events, sign, settle, watch } = await watched("{ gateway: { port: 1 } }", { listen });
  for (const port of [2, 3]) {
    await home.writeConfig(`{ gateway: { port: ${port} } }`);
    sign();
    await settle();
    expect(watch.current().config.gateway.port).toBe(port);
  }
  expect(events).toMatchObject([{ type: "applied", changes: [{ before: 2, after: 3 }] }]);
  await watch.close();
});

it("is silent after it was closed", async () => {
  const { home, clock, events, sign, watch } = await watched("{ gateway: { port: 1 } }");
  await home.writeConfig("{ gateway: { port: 2 } }");
  sign();
  await watch.close();
  sign();
  await clock.advance(1000);
  await watch.close();
  expect(events).toEqual([]);
});

it("hears a real file, written in place and replaced by a rename", async () => {
  const home = await createTemporaryHome();
  await home.writeConfig("{ gateway: { port: 1 } }");
  const request = { home, environment: {} };
  const events: ConfigEvent[] = [];
  const watch = await watchConfig({
    request,
    loaded: await loadConfig(request),
    clock: systemClock,
    onEvent: (event) => events.push(event),
  });
  onTestFinished(() => watch.close());
  await home.writeConfig("{ gateway: { port: 2 } }");
  await vi.waitFor(() => expect(watch.current().config.gateway.port).toBe(2), 20_000);
  await writeFile(`${home.configFile}.new`, "{ gateway: { port: 3 } }");
  await rename(`${home.configFile}.new`, home.configFile);
  await vi.waitFor(() => expect(watch.current().config.gateway.port).toBe(3), 20_000);
  expect(events.every(({ type }) => type === "applied")).toBe(true);
}, 60_000);

it("hears of a change that came after the file was loaded and before it was watched", async () => {
  const home = await createTemporaryHome();
  await home.writeConfig("{ gateway: { port: 1 } }");
  const request = { home, environment: {} };
  const loaded = await loadConfig(request);
  await home.writeConfig("{ gateway: { port: 2 } }");
  const watch = await watchConfig({ request, loaded, clock: systemClock, onEvent: () => {} });
  onTestFinished(() => watch.close());
  await vi.waitFor(() => expect(watch.current().config.gateway.port).toBe(2), 20_000);
}, 60_000);

it("takes the file up at once when it is asked to, and says why not when it refuses", async () => {
  const { home, clock, events, watch, sign, settle } = await watched("{ gateway: { port: 1 } }");
  await home.writeConfig("{ gateway: { port: 2 } }");
  sign();
  expect(await watch.reload()).toEqual([]);
  expect(watch.current().config.gateway.port).toBe(2);
  expect(events).toMatchObject([{ type: "applied", changes: [{ path: "gateway.port" }] }]);
  // What waited for the file to be quiet has nothing left to do.
  await clock.advance(1000);
  await settle();
  expect(events).toHaveLength(1);

  await home.writeConfig("{ gateway: ");
  expect(await watch.reload()).toMatchObject([{ severity: "error" }]);
  expect(watch.current().config.gateway.port).toBe(2);
});
