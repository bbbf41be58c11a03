import { expect, it } from "vitest";
import { evaluateConfig } from "./evaluate-config.ts";
import { describeProblem } from "./loaded-config.ts";

const evaluate = (value: unknown, environment: Record<string, string> = {}, profile?: string) =>
  evaluateConfig({
    text: JSON.stringify(value),
    file: "config.json5",
    lastGood: '{ language: "en" }',
    environment,
    profile,
    flags: {},
  });

it.each([
  [{ hooks: { post: { secret: 5 } } }, "hooks.post", { hooks: {} }],
  [{ telemetry: { enabled: true, endpoint: 7 } }, "telemetry", { telemetry: { enabled: false } }],
  [{ plugins: { load: "/x" } }, "plugins", { plugins: { load: [] } }],
  [{ gateway: { tailscale: "on" } }, "gateway.tailscale", { gateway: { tailscale: "off" } }],
  [{ session: { reset: { atHour: 99 } } }, "session.reset.atHour", { session: { reset: { atHour: 4 } } }],
])("costs %j its section alone, and is an error all the same", (value, section, expected) => {
  const { mode, config, problems } = evaluate({ ...value, language: "zh" });
  expect(mode).toBe("normal");
  expect(config).toMatchObject({ language: "zh", ...expected });
  expect(problems).toMatchObject([{ severity: "error", type: "bad-value" }]);
  expect(problems.map(describeProblem).join()).toContain(`${section} is not used`);
});

it("switches off a channel with a bad value, also where a variable or a profile names it again", () => {
  const channels = { telegram: { dmPolicy: "allow-list" }, web: { dmPolicy: "open" } };
  const profiles = { w: { channels: { telegram: { enabled: true } } } };
  const { mode, config } = evaluate({ channels, profiles }, { TELEGRAM_TOKEN: "123:abc" }, "w");
  expect(mode).toBe("normal");
  expect(config.channels).toMatchObject({ telegram: { enabled: false }, web: { dmPolicy: "open" } });
});

it.each([
  { tools: { modes: { exec: "never" } } },
  { tools: { limits: { turnMinutes: "5" } } },
  { agents: { defaults: { toolMaxSteps: "x" } } },
  { gateway: { auth: { sessionHours: "x" } } },
  { gateway: { http: "no" } },
  { session: { dmScope: "everybody" } },
  { bindings: [{ agentId: 5 }] },
  { models: { providers: 5 } },
  { edition: "entreprise" },
  { profiles: { w: { telemetry: { enabled: 5 } } } },
])("still refuses the whole file for %j, where a default might allow more", (value) => {
  expect(evaluate({ ...value, language: "zh" })).toMatchObject({
    mode: "safe",
    fallback: "last-good",
    config: { language: "en" },
  });
});
