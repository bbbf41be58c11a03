/** A power cut in the middle of a question over HTTP: what a disk holds after each sync is enough to answer it. */
import { cp, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { fdatasync } from "node:fs";
import { tmpdir } from "node:os";
import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { promisify } from "node:util";
import { createScriptedModel } from "@pincer/sdk/testing";
import { expect, it, onTestFinished } from "vitest";
import { freePort } from "../../test/free-port.ts";
import { connectTo } from "../client/testing/connect-to.ts";
import { createGateway } from "./create-gateway.ts";
import { gatewayParts } from "./testing/gateway-parts.ts";

const token = "a-token-that-nobody-else-has";
const sync = promisify(fdatasync);

const folder = async () => {
  const path = await realpath(await mkdtemp(join(tmpdir(), "pincer-power-")));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
};

const model = () =>
  createScriptedModel([{ calls: [{ name: "time_now", arguments: {} }] }, { text: "Very well." }]);

/** Ends as soon as its test does. */
async function start(home: string, extras: Parameters<typeof createGateway>[2], isServed = false) {
  const gateway = await createGateway(gatewayParts(home), { isServed }, { models: [model()], ...extras });
  onTestFinished(() => gateway.stop(1000));
  return gateway;
}

it("ARCH-04 loses nothing of a question over HTTP that was taken, whichever sync the power goes after", async () => {
  const home = await folder();
  const port = await freePort();
  const config = { gateway: { port, auth: { token } } };
  await writeFile(join(home, "config.json5"), JSON.stringify(config), { mode: 0o600 });
  const cuts: string[] = [];
  let isWatched = false;
  const gateway = await start(
    home,
    {
      async fdatasync(fd: number) {
        // What was written before the sync began is on the disk when it ends; nothing else is certain to be.
        if (isWatched) {
          const kept = await folder();
          await cp(home, kept, { recursive: true, filter: (name) => !/\.sock$|-shm$|\.lock$/.test(name) });
          cuts.push(kept);
        }
        await sync(fd);
      },
    },
    true,
  );
  isWatched = true;
  const response = await fetch(`http://127.0.0.1:${port}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify({ model: "pincer", messages: [{ role: "user", content: "How are you?" }] }),
  });
  expect(response.status).toBe(200);
  isWatched = false;
  await gateway.stop(1000);
  expect(cuts.length).toBeGreaterThanOrEqual(2);

  for (const cut of cuts) {
    await writeFile(join(cut, "config.json5"), "{}", { mode: 0o600 });
    // Its holder is gone with the power; here it is the process of this test, which lives.
    const database = new DatabaseSync(join(cut, "core.db"));
    database.exec("UPDATE leases SET holder_json = NULL");
    database.close();
    // Closing it here has taken the log along, which is no loss.
    await rm(join(cut, "core.db-open"));
    const again = await start(cut, {});
    const client = await connectTo(again.socket);
    const { runs } = await expect
      .poll(() => client.request("runs.list", { limit: 9 }))
      .toMatchObject({ runs: [{ state: "done", ending: { type: "answered" } }] })
      .then(() => client.request("runs.list", { limit: 9 }));
    const answer = await client.request("agent.wait", { runId: runs[0]?.runId ?? "" });
    expect(answer).toMatchObject({ result: "Very well." });
    client.close();
    await again.stop(1000);
  }
});
