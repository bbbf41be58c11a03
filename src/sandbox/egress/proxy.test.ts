import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs/promises";
import net from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { freePort } from "../../../test/free-port.ts";
import { bridgeArguments } from "./bridge.ts";
import { openEgressProxy, type EgressProxy } from "./proxy.ts";
import { localServers, type LocalServers } from "./testing/local-servers.ts";

const run = promisify(execFile);
let directory: string;
let servers: LocalServers;
let proxy: EgressProxy | undefined;

beforeEach(async () => {
  directory = await fs.mkdtemp(join(tmpdir(), "pincer-proxy-"));
  servers = localServers();
});
afterEach(async () => {
  await proxy?.close();
  proxy = undefined;
  servers.close();
  await fs.rm(directory, { recursive: true });
});

async function openProxy(allow: readonly string[], maxConnections?: number): Promise<EgressProxy> {
  const parts = { egress: servers.broker(), directory: join(directory, "programs"), allow: () => allow };
  proxy = await openEgressProxy({ ...parts, ...(maxConnections ? { maxConnections } : {}) });
  return proxy;
}

/** Says something to the proxy and reads all that comes back. */
async function say(socket: string, text: string): Promise<string> {
  const connection = net.connect(socket);
  // One that is not let in finds the door shut while it speaks.
  connection.on("error", () => connection.destroy());
  connection.write(text);
  const chunks: Buffer[] = [];
  connection.on("data", (chunk: Buffer) => chunks.push(chunk));
  await new Promise((resolve) => connection.once("close", resolve));
  return Buffer.concat(chunks).toString();
}

const hello = async () =>
  servers.serve((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () =>
      response.end(
        `${request.method} ${request.url} ${request.headers.host} ${JSON.stringify(request.headers)} ${body}`,
      ),
    );
  });

describe("the proxy for programs", () => {
  it("listens where only its owner comes, and takes its socket away", async () => {
    const { socket, close } = await openProxy([]);
    const modes = [await fs.stat(socket), await fs.stat(dirname(socket))].map(({ mode }) => mode & 0o777);
    expect(modes).toEqual([0o600, 0o700]);
    await close();
    await close();
    expect(await fs.readdir(join(directory, "programs"))).toEqual([]);
  });

  it("removes sockets that processes left which are no more, and no others", async () => {
    const programs = join(directory, "programs");
    await fs.mkdir(programs);
    const dead = spawn("true");
    await once(dead, "exit");
    const names = [`egress-${dead.pid}-00000000.sock`, `egress-${process.pid}-00000000.sock`, "other.sock"];
    for (const name of names) await fs.writeFile(join(programs, name), "");
    await openProxy([]);
    expect((await fs.readdir(programs)).filter((name) => names.includes(name))).toEqual(names.slice(1));
  });

  it("passes a tunnel through to a host that is named, and nothing else", async () => {
    const port = await servers.serveRaw(
      (socket) => void socket.once("data", (data) => socket.end(`heard ${String(data)}`)),
    );
    const { socket, counts } = await openProxy([`a.example:${port}`]);
    const tunnel = (host: string) => say(socket, `CONNECT ${host}:${port} HTTP/1.1\r\nHost: x\r\n\r\nraw`);
    expect(await tunnel("a.example")).toBe("HTTP/1.1 200 Connection established\r\n\r\nheard raw");
    const refused = await tunnel("b.example");
    expect(refused).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n/);
    expect(refused).toContain(`b.example on port ${port} is not among the hosts that programs may reach`);
    expect(refused).toContain("tools.exec.network.allow");
    expect(counts()).toEqual({ passed: 1, refused: 1 });
  });

  it("passes a whole address on as a request of its own", async () => {
    const port = await hello();
    const { socket } = await openProxy([`a.example:${port}`]);
    const text = await say(
      socket,
      [
        `POST http://a.example:${port}/path?x=1 HTTP/1.1`,
        "Host: inside.example",
        "Proxy-Authorization: Basic a",
        "Proxy-Connection: keep-alive",
        "Connection: x-hop",
        "X-Hop: secret",
        "X-End: kept",
        "Content-Length: 4",
        "",
        "body",
      ].join("\r\n"),
    );
    expect(text).toMatch(/^HTTP\/1\.1 200 OK/);
    expect(text).toContain(`POST /path?x=1 a.example:${port}`);
    expect(text).toContain('"x-end":"kept"');
    expect(text).toContain("body");
    expect(text).not.toMatch(/inside|secret|proxy-/i);
  });

  it.each([
    ["another host", "GET http://b.example/ HTTP/1.1\r\nHost: a.example", 403],
    ["a host in the Host header alone", "GET / HTTP/1.1\r\nHost: a.example", 403],
    ["a scheme that is not its own", "GET https://a.example/ HTTP/1.1\r\nHost: a.example", 403],
    ["a file", "GET file:///etc/passwd HTTP/1.1\r\nHost: a.example", 403],
    ["a user in the address", "GET http://a.example@127.0.0.1/ HTTP/1.1\r\nHost: a.example", 403],
    ["this machine", "CONNECT 127.0.0.1:80 HTTP/1.1\r\nHost: a", 403],
    ["this machine as IPv6", "CONNECT [::1]:80 HTTP/1.1\r\nHost: a", 403],
    ["no port", "CONNECT a.example HTTP/1.1\r\nHost: a", 403],
    ["a port that is none", "CONNECT a.example:99999 HTTP/1.1\r\nHost: a", 403],
    ["another service", "CONNECT a.example:25 HTTP/1.1\r\nHost: a", 403],
    ["a mail address", "CONNECT a.example@b.example:443 HTTP/1.1\r\nHost: a", 403],
    [
      "another protocol",
      "GET http://a.example/ HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: x",
      501,
    ],
  ])("refuses %s", async (_, head, status) => {
    const { socket } = await openProxy(["a.example"]);
    expect(await say(socket, `${head}\r\n\r\n`)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });

  it("refuses a named host that leads inside: only the broker dials", async () => {
    const { socket } = await openProxy(["*"]);
    for (const host of ["169.254.169.254:80", "inside.example:443", "[fd00::1]:443", "localhost:80"])
      expect(await say(socket, `CONNECT ${host} HTTP/1.1\r\nHost: a\r\n\r\n`)).toContain(
        "tools.network.allowPrivate",
      );
  });

  it("has a limited number of connections", async () => {
    const port = await servers.serveRaw(() => undefined);
    const { socket } = await openProxy([`a.example:${port}`], 2);
    const held = [net.connect(socket), net.connect(socket)];
    for (const connection of held) {
      connection.write(`CONNECT a.example:${port} HTTP/1.1\r\nHost: a\r\n\r\n`);
      await once(connection, "data");
    }
    expect(await say(socket, `CONNECT a.example:${port} HTTP/1.1\r\nHost: a\r\n\r\n`)).toBe("");
    for (const connection of held) connection.destroy();
  });

  it("ends what is open when it closes", async () => {
    const port = await servers.serveRaw(() => undefined);
    const { socket, close } = await openProxy([`a.example:${port}`]);
    const connection = net.connect(socket);
    connection.write(`CONNECT a.example:${port} HTTP/1.1\r\nHost: a\r\n\r\n`);
    await once(connection, "data");
    const ended = once(connection, "close");
    await close();
    await ended;
    expect(connection.destroyed).toBe(true);
  });
});

// Real processes, which a busy machine starts slowly.
describe("the bridge", { timeout: 60_000 }, () => {
  const bridged = async (socket: string, file: string, ...args: string[]) =>
    bridgeArguments({ socket, port: await freePort(), file, args });

  it("gives a program the way that the proxy is, and no other", async () => {
    const port = await hello();
    const { socket } = await openProxy([`a.example:${port}`]);
    const args = await bridged(
      socket,
      "curl",
      "-s",
      `http://a.example:${port}/x`,
      `http://b.example:${port}/`,
    );
    const { stdout } = await run(process.execPath, args);
    expect(stdout).toContain(`GET /x a.example:${port}`);
    expect(stdout).toContain(`b.example on port ${port} is not among the hosts`);
  });

  it("works where there is no other network at all", async () => {
    const port = await hello();
    const { socket } = await openProxy([`a.example:${port}`]);
    const wall = [
      "--unshare-all",
      "--die-with-parent",
      "--ro-bind",
      "/",
      "/",
      "--dev",
      "/dev",
      "--proc",
      "/proc",
    ];
    const text = `curl -s http://a.example:${port}/x; curl -s --noproxy '*' -m 2 http://127.0.0.1:${port}/ || echo closed`;
    const args = bridgeArguments({ socket, port: 3128, file: "sh", args: ["-c", text] });
    const { stdout } = await run("bwrap", [...wall, "--bind", socket, socket, process.execPath, ...args]);
    expect(stdout).toContain(`GET /x a.example:${port}`);
    expect(stdout).toMatch(/closed\n$/);
  });

  it("hands on words as they are, the input, and the code of the end", async () => {
    const { socket } = await openProxy([]);
    const program =
      "process.stdin.on('data', (text) => { console.log(JSON.stringify([process.argv.slice(1), String(text)])); process.exit(7); })";
    const args = await bridged(socket, process.execPath, "-e", program, "--", "-x", "a b", "$HOME", "");
    const child = spawn(process.execPath, args);
    let said = "";
    child.stdout.on("data", (text: Buffer) => (said += text.toString()));
    child.stdin.write("in");
    const [code] = (await once(child, "close")) as [number];
    expect([code, JSON.parse(said)]).toEqual([7, [["-x", "a b", "$HOME", ""], "in"]]);
  });

  it("passes signals on, and ends by the one that ended the program", async () => {
    const { socket } = await openProxy([]);
    const args = await bridged(socket, "sh", "-c", "echo ready; exec sleep 60");
    const child = spawn(process.execPath, args);
    await once(child.stdout, "data");
    child.kill("SIGTERM");
    expect(await once(child, "close")).toEqual([null, "SIGTERM"]);
  });

  it("leaves a program its terminal, and what is typed there", async () => {
    const { socket } = await openProxy([]);
    const { spawn: open } = await import("@lydell/node-pty");
    const words =
      "test -t 0 && stty size; trap 'echo caught; exit 5' INT; echo ready; while :; do sleep 1; done";
    const terminal = open(process.execPath, await bridged(socket, "sh", "-c", words), {
      cols: 120,
      rows: 40,
    });
    let said = "";
    terminal.onData((text) => {
      said += text;
      if (text.includes("ready")) terminal.write("\x03");
    });
    const { exitCode } = await new Promise<{ exitCode: number }>((resolve) => terminal.onExit(resolve));
    expect(exitCode).toBe(5);
    expect(said).toMatch(/40 120\s+ready[^]*caught/);
  });

  it("says so where there is no such program", async () => {
    const { socket } = await openProxy([]);
    const args = await bridged(socket, "no-such-program");
    const failed: unknown = await run(process.execPath, args).catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: 127, stderr: expect.stringContaining("no-such-program") });
  });
});
