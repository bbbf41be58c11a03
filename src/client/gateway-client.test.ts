import type { Frame } from "@pincer/sdk";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { lstat, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { sayError } from "../infra/failure.ts";
import { createSay } from "../infra/texts.ts";
import { connectGateway, refused } from "./gateway-client.ts";

const welcome = { protocol: 1, version: "1.0.0", pid: 1, startedAt: "", language: "auto", methods: [] };

async function place(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "pincer-client-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return join(directory, "gateway.sock");
}

/** A gateway that answers each frame as the test says. */
async function listen(
  answer: (frame: { id: string; method: string }, socket: Socket) => Frame[],
): Promise<string> {
  const path = await place();
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      for (const line of chunk.toString().split("\n").filter(Boolean)) {
        for (const frame of answer(JSON.parse(line) as { id: string; method: string }, socket))
          socket.write(`${JSON.stringify(frame)}\n`);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return path;
}

const polite =
  (answer: (frame: { id: string; method: string }, socket: Socket) => Frame[]) =>
  (frame: { id: string; method: string }, socket: Socket): Frame[] =>
    frame.method === "connect"
      ? [{ type: "res", id: frame.id, ok: true, payload: welcome }]
      : answer(frame, socket);

const reach = (socketPath: string, timeoutMs = 2000) =>
  connectGateway({ socketPath, clientName: "test", version: "1.0.0", timeoutMs });

async function meet(answer: (frame: { id: string; method: string }, socket: Socket) => Frame[]) {
  const client = await reach(await listen(polite(answer)));
  if (!client) throw new Error("nobody was there");
  onTestFinished(() => client.close());
  return client;
}

describe("finding a gateway", () => {
  it("finds none where there is no socket, no directory, a plain file, or a name too long for one", async () => {
    const path = await place();
    expect(await reach(path)).toBeUndefined();
    expect(await reach(join(path, "below"))).toBeUndefined();
    await writeFile(path, "");
    expect(await reach(path)).toBeUndefined();
    expect(await reach(`/${"x".repeat(200)}`)).toBeUndefined();
  });

  it("finds none where a gateway was killed and left its socket", async () => {
    const path = await place();
    const script = `require("node:net").createServer().listen(${JSON.stringify(path)}, () => console.log("up"))`;
    const killed = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
    await once(killed.stdout, "data");
    killed.kill("SIGKILL");
    await once(killed, "exit");
    expect((await lstat(path)).isSocket()).toBe(true);
    expect(await reach(path)).toBeUndefined();
  });

  it("says so when one listens and does not answer", async () => {
    const path = await listen(() => []);
    await expect(reach(path, 50)).rejects.toMatchObject({
      code: "gateway/unreachable",
      hint: expect.stringContaining("gateway.pid"),
    });
  });

  it("says so when one hangs up at once", async () => {
    const path = await listen((_frame, socket) => {
      socket.destroy();
      return [];
    });
    await expect(reach(path)).rejects.toMatchObject({ code: "gateway/unreachable" });
  });
});

describe("asking a gateway", () => {
  it("gives each answer and event to who asked", async () => {
    const client = await meet(({ id, method }) => [
      { type: "event", event: "agent.delta", payload: method, seq: 1, id },
      { type: "res", id, ok: true, payload: { method } },
    ]);
    const heard: unknown[] = [];
    const [one, two] = await Promise.all([
      client.request("owner.list", {}, { onEvent: (_event, payload) => heard.push(["one", payload]) }),
      client.request("notices.list", {}, { onEvent: (_event, payload) => heard.push(["two", payload]) }),
    ]);
    expect([one, two]).toEqual([{ method: "owner.list" }, { method: "notices.list" }]);
    expect(heard).toEqual([
      ["one", "owner.list"],
      ["two", "notices.list"],
    ]);
  });

  it("throws what the gateway threw, to be said in the reader's language", async () => {
    const text = { key: "failure.no-session", hint: "failure.no-session.hint", parameters: { id: "x" } };
    const client = await meet(({ id }) => [
      {
        type: "res",
        id,
        ok: false,
        error: { code: "INVALID_REQUEST", reason: "session/not-found", message: "No.", text },
      },
    ]);
    const thrown = await client
      .request("sessions.find", { sessionKey: "x" })
      .catch((error: unknown) => error);
    expect(thrown).toMatchObject({ code: "session/not-found" });
    expect(sayError(thrown as never, createSay("zh")).message).toBe("没有会话 x。");
  });

  it("says the gateway's own words where the versions differ or the code is unknown", async () => {
    const text = { key: "from.the.future", parameters: {} };
    const answer = ({ id, method }: { id: string; method: string }): Frame[] =>
      method === "connect"
        ? [{ type: "res", id, ok: true, payload: { ...welcome, version: "9.0.0" } }]
        : [
            {
              type: "res",
              id,
              ok: false,
              error: { code: "METHOD_NOT_FOUND", reason: "future/code", message: "No.", text },
            },
          ];
    const client = await reach(await listen(answer));
    const thrown = await client?.request("owner.list", {}).catch((error: unknown) => error);
    expect(thrown).toMatchObject({ code: "gateway/protocol" });
    expect(sayError(thrown as never, createSay("en")).message).toBe("No.");
    client?.close();
  });

  it("ends with gateway/stopped when it goes away before answering, and for whatever is asked later", async () => {
    const client = await meet((_frame, socket) => {
      socket.destroy();
      return [];
    });
    await expect(client.request("owner.list", {})).rejects.toMatchObject({ code: "gateway/stopped" });
    await client.closed;
    await expect(client.request("owner.list", {})).rejects.toMatchObject({ code: "gateway/stopped" });
  });

  it("ends when what comes back is no frame", async () => {
    const client = await meet((_frame, socket) => {
      socket.write("not json\n");
      return [];
    });
    await expect(client.request("owner.list", {})).rejects.toMatchObject({ code: "gateway/stopped" });
  });

  it("stops waiting when it is told to", async () => {
    const client = await meet(() => []);
    const stop = new AbortController();
    const asking = client.request("owner.list", {}, { signal: stop.signal });
    stop.abort(new Error("enough"));
    await expect(asking).rejects.toThrow("enough");
  });
});

it("tells a home that one may not enter from a gateway that is somebody else's", async () => {
  const cause = Object.assign(new Error("connect EACCES"), { code: "EACCES" });
  expect(await refused("/home/ada/.pincer/gateway.sock", cause, async () => false)).toMatchObject({
    code: "storage/unavailable",
    message: "You may not enter the home /home/ada/.pincer.",
    hint: expect.stringContaining("PINCER_HOME"),
  });
  expect(await refused("/home/ada/.pincer/gateway.sock", cause, async () => true)).toMatchObject({
    code: "gateway/unreachable",
    message: expect.stringContaining("belongs to another user"),
  });
});
