/** What it costs to ask a model, as built: Node's own `fetch` is a third of a small process, and any touch of it loads it whole. */
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, it } from "vitest";
import { sampleAnswers } from "../src/models/wire/testing/sample-answers.ts";
import { makeHome } from "./run-pincer.ts";

it.each(["openai-completions", "openai-responses", "anthropic-messages"])(
  "a model that speaks %s is asked without Node's own fetch",
  { timeout: 30_000 },
  async (api) => {
    const server = createServer((request, response) => {
      request.resume().on("end", () => {
        response.writeHead(200, { "content-type": "text/event-stream" }).end(sampleAnswers[api]);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const home = makeHome();
    try {
      const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
      const config = {
        models: { providers: { far: { api, baseUrl, apiKey: "sk-1234567890", models: [{ id: "one" }] } } },
        agents: { defaults: { model: { primary: "far/one" } } },
      };
      writeFileSync(join(home.path, "config.json5"), JSON.stringify(config), { mode: 0o600 });
      const watch = join(home.path, "watch.mjs");
      const found = "process.moduleLoadList.filter((name) => /undici|[ /]https$/.test(name)).join()";
      writeFileSync(watch, `process.on("exit", () => process.stderr.write("loaded: [" + ${found} + "]"));`);
      const environment = { NODE_OPTIONS: `--import=${watch}` };
      const { out, err } = await home.run(["ask", "How are you?"], { environment });
      expect(out).toContain("Very well.");
      expect(err).toContain("loaded: []");
    } finally {
      home.remove();
      server.close();
    }
  },
);
