/** A whole gateway with one channel, `pigeon`, and a model that a test wrote: what people say goes all the way. */
import type { Tool } from "@pincer/sdk";
import {
  createRecordingChannel,
  createScriptedModel,
  type RecordingChannel,
  type ScriptedModel,
  type ScriptedStep,
} from "@pincer/sdk/testing";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { connectTo } from "../../client/testing/connect-to.ts";
import type { GatewayClient } from "../../client/gateway-client.ts";
import { systemClock, type Clock } from "../../infra/clock.ts";
import { createGateway } from "../create-gateway.ts";
import type { Gateway, GatewayExtras, GatewayOptions } from "../gateway.ts";
import { gatewayParts } from "./gateway-parts.ts";

/** Who writes and where. Without a group it is a direct chat; `42` is the owner. */
export interface Speaker {
  person?: string;
  group?: string;
  thread?: string;
  account?: string;
  /** It was passed on: the person typed nothing. */
  forwarded?: true;
}

export interface TalkStage {
  home: string;
  network: RecordingChannel;
  model: ScriptedModel;
  gateway: Gateway;
  client: GatewayClient;
  /** Waits until everything is answered; resolves to what was sent meanwhile. */
  say(text: string, speaker?: Speaker): Promise<string[]>;
  /** From now on it is this much later. */
  pass(ms: number): void;
}

/** `files` are put into the home first, by their paths in it; the workdir is `workspace`. */
export async function openTalkStage({
  steps = [{ text: "Very well." }],
  config = {},
  files = {},
  tools,
  options = {},
  extras = {},
}: {
  steps?: ScriptedStep[];
  config?: Record<string, unknown>;
  files?: Record<string, string>;
  tools?: Tool[];
  options?: GatewayOptions;
  extras?: GatewayExtras;
} = {}): Promise<TalkStage> {
  const home = await realpath(await mkdtemp(join(tmpdir(), "pincer-talk-")));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const { channels, session, ...rest } = config;
  const pigeon = { dmPolicy: "open", groupPolicy: "open", ...(channels as { pigeon?: object })?.pigeon };
  const whole = {
    owners: ["pigeon:42"],
    queue: { debounceMs: 0 },
    ...rest,
    // Unless a test says otherwise, no session ends because of the hour at which the test runs.
    session: { reset: { mode: "manual" }, ...(session as object) },
    channels: { ...(channels as object), pigeon },
  };
  for (const [name, text] of Object.entries({ "config.json5": JSON.stringify(whole), ...files })) {
    await mkdir(dirname(join(home, name)), { recursive: true, mode: 0o700 });
    await writeFile(join(home, name), text, { mode: 0o600 });
  }
  const network = createRecordingChannel({ id: "pigeon" });
  const model = createScriptedModel(steps);
  let later = 0;
  const clock: Clock = { ...systemClock, now: () => systemClock.now() + later };
  const gateway = await createGateway(gatewayParts(home), options, {
    models: [model],
    clock,
    ...(tools ? { tools } : {}),
    ...extras,
    channels: [network.channel, ...(extras.channels ?? [])],
  });
  const client = await connectTo(gateway.socket);
  onTestFinished(async () => {
    client.close();
    await gateway.stop(1000);
  });
  let said = 0;
  return {
    home,
    network,
    model,
    gateway,
    client,
    pass: (ms) => void (later += ms),
    async say(text, { person = "42", group, thread, account, forwarded } = {}) {
      const before = network.ledger.length;
      await network.say(
        {
          peer: group === undefined ? { kind: "user", id: person } : { kind: "group", id: group },
          sender: { id: person },
          ...(thread === undefined ? {} : { threadId: thread }),
          message: {
            type: "text",
            id: `m${++said}`,
            text,
            attachments: [],
            // The network tells what was pasted: nothing.
            pasted: [],
            mentioned: true,
            ...(forwarded && { forwarded }),
          },
          timestamp: clock.now(),
        },
        account,
      );
      await gateway.idle();
      return network.ledger.slice(before).map((item) => item.text);
    },
  };
}
