import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineChannel } from "@pincer/sdk";
import { createScriptedModel } from "@pincer/sdk/testing";
import { Type } from "typebox";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { defaultConfig } from "../config/default-config.ts";
import { openSecrets } from "../config/secrets.ts";
import { locateHome } from "../config/home.ts";
import { createRedactor } from "../infra/redactor.ts";
import { createSay } from "../infra/texts.ts";
import { loadConnectors } from "./connectors.ts";
import { createGateway } from "./create-gateway.ts";
import type { Gateway } from "./gateway.ts";

let root: string;
let gateway: Gateway | undefined;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "pincer-connectors-"));
});
afterEach(async () => {
  await gateway?.stop(1000);
  gateway = undefined;
  rmSync(root, { recursive: true });
});

/** A network that writes down who connects with what, and who leaves. */
function createDiaryChannel() {
  const diary: string[] = [];
  const channel = defineChannel({
    id: "diary",
    config: Type.Object({ token: Type.String() }),
    traits: { textLimit: 100, idempotentSend: false },
    async connect({ token }, { accountId }) {
      diary.push(`${accountId} connects with ${token}`);
      return {
        send: () => Promise.reject(new Error("unused")),
        close: async () => void diary.push(`${accountId} leaves`),
      };
    },
  });
  return { channel, diary };
}

async function start(accounts: object) {
  const { channel, diary } = createDiaryChannel();
  const told: string[] = [];
  const listeners = new Set<() => void>();
  const environment = { PINCER_HOME: root };
  const redactor = createRedactor();
  const configure = (own: object) =>
    writeFileSync(join(root, "config.json5"), JSON.stringify({ channels: own }), { mode: 0o600 });
  configure({ diary: { accounts } });
  /** Resolves when the log has said it. */
  const until = (words: string) =>
    new Promise<void>((resolve) => {
      const look = () => void (told.some((line) => line.includes(words)) && resolve());
      listeners.add(look);
      look();
    });
  gateway = await createGateway(
    {
      environment,
      redactor,
      say: createSay("en"),
      notify: () => {},
      tell(line) {
        told.push(line);
        for (const look of listeners) look();
      },
      cwd: root,
      version: "test",
    },
    {},
    { channels: [channel], models: [createScriptedModel([])] },
  );
  return {
    diary,
    configure,
    until,
    redactor,
    secrets: openSecrets({ home: locateHome(environment), environment }),
  };
}

describe("a change of the channels' config", () => {
  it("CFG-04 is applied while the gateway runs: a broken account is mended, one that went is closed, the others stay", async () => {
    const { diary, configure, until, secrets, redactor } = await start({
      broken: { token: "secret:late" },
      gone: { token: "1" },
      same: { token: "2" },
    });
    await until("diary/same: connected");
    await until("diary/gone: connected");
    await until("diary/broken: broken");
    await secrets.set("late", "very-late-secret");
    const accounts = { broken: { token: "secret:late" }, same: { token: "2", dmPolicy: "open" } };
    configure({ diary: { accounts }, local: { outbox: join(root, "out.jsonl") } });
    await until("diary/broken: connected");
    await until("diary/gone: stopped");
    await until("local/default: connected");
    expect(diary).toEqual(expect.arrayContaining(["gone leaves", "broken connects with very-late-secret"]));
    expect(diary.filter((line) => line.startsWith("same"))).toEqual(["same connects with 2"]);
    expect(gateway?.accounts().map(({ accountId }) => accountId)).toEqual(["broken", "same", "default"]);
    expect(redactor.text("very-late-secret")).toBe("[secret:late]");
  });
});

it("CHAN-19 a connector that is switched off is not even loaded", async () => {
  const channel = { enabled: false, dmPolicy: "pairing" as const, allowFrom: [] };
  const off = { ...defaultConfig, channels: { local: channel, telegram: channel } };
  expect([...(await loadConnectors(off, [])).keys()]).toEqual([]);
  const accounts = { one: { enabled: false }, two: { enabled: true } };
  const on = { ...defaultConfig, channels: { local: { ...channel, accounts }, telegram: channel } };
  expect([...(await loadConnectors(on, [])).keys()]).toEqual(["local"]);
});
