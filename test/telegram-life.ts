/** The built product in a process of its own, with a scripted model, on the stand-in for the Bot API that comes with the connector. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createFakeBotApi, type FakeBotApi } from "../channels/telegram/src/testing/fake-bot-api.ts";
import { makeHome, startGateway, type RunningGateway, type TestHome } from "./run-pincer.ts";
import {
  startScriptedModelServer,
  type AskedModel,
  type ScriptedAnswer,
  type ScriptedModelServer,
} from "./scripted-model-server.ts";

export interface TelegramLife {
  home: TestHome;
  api: FakeBotApi;
  model: ScriptedModelServer;
  /** What the model says from now on. */
  answerWith(answer: (asked: AskedModel) => ScriptedAnswer): void;
  /** Writes the config; 42 is the owner. */
  configure(telegram?: object, more?: object): void;
  /** Resolves when the bot listens. */
  start(): Promise<RunningGateway>;
  close(): Promise<void>;
}

export async function createTelegramLife(): Promise<TelegramLife> {
  const home = makeHome();
  const api = await createFakeBotApi();
  let answer = ({ text }: AskedModel): ScriptedAnswer => ({ text: `You said: ${lastLine(text)}` });
  const model = await startScriptedModelServer((asked) => answer(asked));
  let gateway: RunningGateway | undefined;
  return {
    home,
    api,
    model,
    answerWith: (next) => void (answer = next),
    configure(telegram = {}, more = {}) {
      const models = [{ id: "small", input: ["text", "image"] }];
      const apiKey = "sk-fake-1234567890";
      const fake = { baseUrl: model.baseUrl, api: "openai-completions", apiKey, models };
      const config = {
        owners: ["telegram:42"],
        queue: { debounceMs: 20 },
        models: { providers: { fake } },
        agents: { defaults: { model: { primary: "fake/small" } } },
        channels: {
          telegram: { botToken: api.token, apiRoot: api.apiRoot, streaming: "edit", ...telegram },
        },
        ...more,
      };
      writeFileSync(join(home.path, "config.json5"), JSON.stringify(config), { mode: 0o600 });
    },
    async start() {
      gateway = await startGateway(home);
      await api.until(() => api.polling() > 0);
      return gateway;
    },
    async close() {
      gateway?.process.kill("SIGKILL");
      await model.close();
      await api.close();
      home.remove();
    },
  };
}

const lastLine = (text: string): string => text.trimEnd().split("\n").at(-1) ?? "";
