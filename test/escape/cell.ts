/**
 * A place to try to break out of: a workdir with a wall around it, and outside everything that a program would like to reach, planted for the
 * purpose. Nothing here does harm where it succeeds, so that the suite can be run with a guard taken out.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chown, lchown, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../src/infra/clock.ts";
import { createSay } from "../../src/infra/texts.ts";
import { createWallChooser } from "../../src/sandbox/walls/choose-wall.ts";
import { askLandlock, createLandlock } from "../../src/sandbox/walls/landlock.ts";
import { findMachine, type Machine } from "../../src/sandbox/walls/machine.ts";
import type { Enclosure, ProgramCall, Wall } from "../../src/sandbox/walls/wall.ts";

export type User = "root" | "nobody" | "oneself";

/** Who the suite can run as: root also as one without any rights. */
export const users: User[] = process.getuid?.() === 0 ? ["root", "nobody"] : ["oneself"];

const nobody = 65_534;

export interface Cell {
  wall: Wall;
  workdir: string;
  /** Not in the workdir and not readable; has `canary.txt`, `.ssh/id_ed25519` and a socket `outside.sock`. */
  outside: string;
  /** Pincer's home, inside something that is readable; the workdir lies in it. */
  home: string;
  /** Stands in everything that must not be read. */
  canary: string;
  /** On the machine's loopback; connections are counted. */
  port: number;
  abstractName: string;
  /** How many came through to a socket of the outside. */
  visits(): number;
  /** A process of the machine that carries the canary in its environment and its words. */
  decoy: ChildProcess & { pid: number };
  call(script: string): ProgramCall;
  /** What is started for a script, by whom the cell is for. */
  enclosed(script: string, change?: Change): ProgramCall;
  run(script: string, change?: Change): Promise<Said>;
  start(script: string, change?: Change): ChildProcess;
  /** All that lies in the workdir now belongs to whom the cell is for. */
  give(): Promise<void>;
  remove(): Promise<void>;
}

/** What is different for one run. With another workdir it starts in that. */
export interface Change {
  enclosure?: Partial<Enclosure>;
  call?: Partial<ProgramCall>;
  environment?: Record<string, string>;
}

export interface Said {
  status: number | null;
  text: string;
}

export async function createCell(
  user: User,
  build: (machine: Machine, trial: string) => Promise<Wall | undefined>,
  change: Partial<Machine> = {},
): Promise<Cell | undefined> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "pincer-escape-")));
  const remove = () => rm(root, { recursive: true, force: true });
  const canary = `canary-${randomBytes(8).toString("hex")}`;
  const place = (...names: string[]) => join(root, ...names);
  const [outside, home, workdir] = [place("outside"), place("shown", "home"), place("shown", "home", "work")];
  for (const path of [place("outside", ".ssh"), workdir]) await mkdir(path, { recursive: true });
  const secrets = [
    place("outside", "canary.txt"),
    place("outside", ".ssh", "id_ed25519"),
    place("shown", "home", "secrets.json"),
    place("shown", "home", "core.db"),
  ];
  for (const path of secrets) await writeFile(path, canary);
  await writeFile(place("shown", "harmless.txt"), "harmless");
  if (user === "nobody") {
    for (const entry of await readdir(root, { recursive: true })) await chown(place(entry), nobody, nobody);
    await chown(root, nobody, nobody);
  }
  const found = await findMachine();
  const machine = {
    ...found,
    ...(user === "nobody" ? { uid: nobody, gid: nobody, run: runAsNobody(found) } : {}),
    ...change,
  };
  const wall = await build(machine, workdir);
  if (!wall) {
    await remove();
    return undefined;
  }

  let visits = 0;
  const abstractName = `\0${canary}`;
  const listen = (where: string | { port: number; host: string }) =>
    new Promise<Server>((resolve, reject) => {
      const server = createServer((socket) => {
        visits++;
        socket.on("error", () => {});
        socket.end("HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
      });
      server.once("error", reject);
      if (typeof where === "string")
        server.listen({ path: where, writableAll: !where.startsWith("\0") }, () => resolve(server));
      else server.listen(where, () => resolve(server));
    });
  const servers = [
    await listen({ port: 0, host: "127.0.0.1" }),
    await listen(place("outside", "outside.sock")),
    await listen(place("shown", "home", "gateway.sock")),
    await listen(abstractName),
  ];
  const address = servers[0]?.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const decoyCall = asUser(user, {
    file: process.execPath,
    args: ["-e", 'process.stdin.resume().on("end", () => process.exit())', canary],
    cwd: "/",
    environment: { PINCER_CANARY: canary },
  });
  const decoy = spawn(decoyCall.file, [...decoyCall.args], {
    cwd: "/",
    env: { ...decoyCall.environment },
    // Its input ends with us, and so does it.
    stdio: ["pipe", "ignore", "ignore"],
  });
  if (decoy.pid === undefined) throw new Error("the decoy does not run");

  const started: ChildProcess[] = [];
  const names = {
    OUTSIDE: outside,
    PINCER: home,
    WORK: workdir,
    NODE: machine.node,
    PORT: String(port),
    DECOY: String(decoy.pid),
  };
  const call = (script: string): ProgramCall => ({
    file: "/bin/sh",
    args: ["-c", script],
    cwd: workdir,
    environment: { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: "/root", LANG: "C", ...names },
  });
  let count = 0;
  const enclosed = (script: string, change: Change = {}) => {
    const usual = { workdir, readable: [place("shown")], closed: [home], network: { type: "none" } } as const;
    const enclosure: Enclosure = { ...usual, ...change.enclosure };
    const plain = call(script);
    const environment = { ...plain.environment, ...change.environment };
    const changed = { ...plain, cwd: enclosure.workdir, environment, ...change.call };
    return asUser(user, wall.enclose(changed, enclosure, `${canary}-${++count}`));
  };
  const begin = (program: ProgramCall) => {
    const { file, args, cwd, environment } = program;
    const child = spawn(file, [...args], {
      cwd,
      env: { ...environment },
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    started.push(child);
    return child;
  };
  return {
    wall,
    workdir,
    outside,
    home,
    canary,
    port,
    abstractName,
    visits: () => visits,
    decoy: decoy as ChildProcess & { pid: number },
    call,
    enclosed,
    start: (script, change) => begin(enclosed(script, change)),
    run: (script, change) =>
      new Promise((resolve, reject) => {
        const child = begin(enclosed(script, change));
        let text = "";
        const timer = setTimeout(() => child.kill("SIGKILL"), 60_000);
        child.stdout?.on("data", (chunk: Buffer) => (text += chunk.toString()));
        child.stderr?.on("data", (chunk: Buffer) => (text += chunk.toString()));
        child.on("error", reject);
        const finish = (status: number | null) => {
          clearTimeout(timer);
          resolve({ status, text });
        };
        child.on("close", finish);
        // What was left behind may hold the pipes open for ever.
        child.on("exit", (status) => setTimeout(finish, 20_000, status).unref());
      }),
    async give() {
      if (user !== "nobody") return;
      for (const entry of await readdir(workdir, { recursive: true }))
        await lchown(join(workdir, entry), nobody, nobody);
      await chown(workdir, nobody, nobody);
    },
    async remove() {
      for (const child of [...started, decoy]) child.kill("SIGKILL");
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
      await remove();
    },
  };
}

/** What `local` chooses here, if that is bubblewrap. */
export async function bubblewrapHere(machine: Machine, trial: string): Promise<Wall | undefined> {
  const choose = createWallChooser({
    machine,
    say: createSay("en"),
    clock: systemClock,
    environment: {},
    trial,
  });
  const container = { engine: "auto", image: "debian", memoryMb: 512, pids: 100 } as const;
  const choice = await choose({ profile: "local", container, microvm: { runtime: "auto" } });
  return choice.type === "walled" && choice.wall.kind === "bubblewrap" ? choice.wall : undefined;
}

export async function landlockHere(machine: Machine): Promise<Wall | undefined> {
  const perl = await machine.which("perl");
  if (machine.platform !== "linux" || !perl) return undefined;
  const { said } = await machine.run({ file: perl, args: askLandlock, cwd: "/", environment: {} });
  const version = Number.parseInt(said, 10);
  return version >= 6 ? createLandlock({ machine, say: createSay("en"), perl, version }) : undefined;
}

/** Pids of all processes of the machine that have `word` among their words. */
export async function processesWith(word: string): Promise<number[]> {
  const pids = (await readdir("/proc")).map(Number).filter((pid) => pid > 0 && pid !== process.pid);
  const words = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")),
  );
  return pids.filter((_, index) => words[index]?.split("\0").includes(word));
}

/** What any user of the machine sees of its processes. */
export async function wordsOfAll(): Promise<string[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  return Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")));
}

export async function endAllWith(words: readonly string[]): Promise<void> {
  const pids = (await Promise.all(words.map(processesWith))).flat();
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It went with another one of them.
    }
  }
}

/** Looks again and again until it is so; answers whether it ever was. */
export async function becomes(isSo: () => Promise<boolean>): Promise<boolean> {
  for (let tries = 0; tries < 600; tries++) {
    if (await isSo()) return true;
    await systemClock.sleep(50);
  }
  return false;
}

function asUser(user: User, call: ProgramCall): ProgramCall {
  if (user !== "nobody") return call;
  const become = [`--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups", "--", call.file, ...call.args];
  return { ...call, file: "/usr/bin/setpriv", args: become };
}

const runAsNobody =
  ({ run }: Machine): Machine["run"] =>
  (call) =>
    run(asUser("nobody", call));
