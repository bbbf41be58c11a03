import { createHandClock } from "@pincer/sdk/testing";
import { expect, it } from "vitest";
import { createSay } from "../../infra/texts.ts";
import { createWallChooser, type WallWish } from "./choose-wall.ts";
import { fakeMachine, type FakeMachine } from "./testing/fake-machine.ts";
import type { WallProfile } from "./wall.ts";

const container = { engine: "auto", image: "debian:12-slim", memoryMb: 512, pids: 64 } as const;
const wish = (profile: WallProfile): WallWish => ({ profile, container, microvm: { runtime: "auto" } });

function chooser(machine: FakeMachine, language: "en" | "zh" = "en") {
  const clock = createHandClock();
  const choose = createWallChooser({
    machine,
    say: createSay(language),
    clock,
    environment: {},
    trial: "/srv/trial",
  });
  return { choose, clock };
}

it("X29 takes bubblewrap first, and tries it out with a program that does nothing", async () => {
  const machine = fakeMachine({ programs: { bwrap: 0, perl: 0 }, landlock: 7 });
  const choice = await chooser(machine).choose(wish("local"));
  expect(choice).toMatchObject({ type: "walled", wall: { kind: "bubblewrap" } });
  expect(machine.ran.at(-1)?.args).toContain("true");
});

it("goes on with an older bubblewrap, and says what that cannot do", async () => {
  const old = ({ args }: { args: readonly string[] }) =>
    args[0] === "--version"
      ? { status: 0, said: "bubblewrap 0.4.1" }
      : args.some((word) => ["--disable-userns", "--size"].includes(word))
        ? { status: 1, said: "bwrap: Unknown option" }
        : { status: 0, said: "" };
  const choice = await chooser(fakeMachine({ programs: { bwrap: old, perl: 0 } })).choose(wish("local"));
  expect(choice).toMatchObject({
    type: "walled",
    wall: { gaps: expect.arrayContaining([expect.stringContaining("can create user namespaces")]) },
  });
});

it("X29 takes Landlock where bubblewrap may not make namespaces", async () => {
  const machine = fakeMachine({ programs: { bwrap: 1, perl: 0 }, landlock: 5 });
  const choice = await chooser(machine).choose(wish("local"));
  expect(choice).toMatchObject({ type: "walled", wall: { kind: "landlock", description: "Landlock 5" } });
  expect(choice).toMatchObject({
    wall: { gaps: expect.arrayContaining([expect.stringContaining("send signals")]) },
  });
});

it.each([
  { what: "too old a kernel", machine: fakeMachine({ programs: { bwrap: 1, perl: 0 }, landlock: 2 }) },
  { what: "Perl is missing", machine: fakeMachine({ programs: { bwrap: 1 }, landlock: 7 }) },
  {
    what: "another processor",
    machine: fakeMachine({ programs: { bwrap: 1, perl: 0 }, landlock: 7, arch: "riscv64" }),
  },
])("X29 has no wall with $what, and explains Ubuntu's namespaces", async ({ machine }) => {
  const choice = await chooser(machine).choose(wish("local"));
  expect(choice).toMatchObject({
    type: "unwalled",
    reason: expect.stringContaining("no permission"),
    next: expect.stringContaining("apparmor_restrict_unprivileged_userns"),
  });
});

it("says in Chinese what to install where there is nothing", async () => {
  const choice = await chooser(fakeMachine({ programs: {} }), "zh").choose(wish("local"));
  expect(choice).toMatchObject({ type: "unwalled", next: expect.stringContaining("请安装 bubblewrap") });
});

it("takes Seatbelt on macOS alone, and nothing elsewhere", async () => {
  const mac = fakeMachine({ programs: { "sandbox-exec": 0, bwrap: 0 }, platform: "darwin" });
  expect(await chooser(mac).choose(wish("local"))).toMatchObject({ wall: { kind: "seatbelt" } });
  const windows = fakeMachine({ programs: {}, platform: "win32" });
  expect(await chooser(windows).choose(wish("local"))).toMatchObject({ type: "unwalled" });
});

it("has no wall where the owner wants none, and looks for none", async () => {
  const machine = fakeMachine({ programs: { bwrap: 0 } });
  expect(await chooser(machine).choose(wish("none"))).toMatchObject({ type: "unwalled", profile: "none" });
  expect(machine.ran).toEqual([]);
});

it("says so where it cannot even be tried out", async () => {
  const parts = { say: createSay("en"), clock: createHandClock(), environment: {}, trial: "/srv/a,b" };
  const choose = createWallChooser({ ...parts, machine: fakeMachine({ programs: { docker: 0 } }) });
  expect(await choose(wish("container"))).toMatchObject({
    type: "unwalled",
    reason: expect.stringContaining("/srv/a,b"),
  });
});

it("remembers a wall for good, and the lack of one for a minute", async () => {
  const machine = fakeMachine({ programs: { bwrap: 0, perl: 0 } });
  const { choose, clock } = chooser(machine);
  await Promise.all([choose(wish("local")), choose(wish("local"))]);
  const runs = machine.ran.length;
  await clock.advance(3_600_000);
  await choose(wish("local"));
  expect(machine.ran).toHaveLength(runs);

  const programs: Record<string, number> = {};
  const bare = chooser(fakeMachine({ programs }));
  expect(await bare.choose(wish("local"))).toMatchObject({ type: "unwalled" });
  programs["bwrap"] = 0;
  expect(await bare.choose(wish("local"))).toMatchObject({ type: "unwalled" });
  await bare.clock.advance(60_001);
  expect(await bare.choose(wish("local"))).toMatchObject({ type: "walled" });
});

it("SAFE-03 takes the engine that answers, and never fetches an image by itself", async () => {
  const podman = fakeMachine({ programs: { docker: 1, podman: 0 } });
  expect(await chooser(podman).choose(wish("container"))).toMatchObject({ wall: { kind: "container" } });
  expect(podman.ran.some(({ args }) => args.includes("pull"))).toBe(false);
  expect(podman.ran.at(-1)?.args).toContain("--pull=never");

  const withoutImage = ({ args }: { args: readonly string[] }) => ({
    status: args[0] === "image" ? 1 : 0,
    said: "",
  });
  const lacking = await chooser(fakeMachine({ programs: { docker: withoutImage } })).choose(
    wish("container"),
  );
  expect(lacking).toMatchObject({ type: "unwalled", next: "Fetch it: docker pull debian:12-slim" });

  const none = await chooser(fakeMachine({ programs: {} })).choose(wish("container"));
  expect(none).toMatchObject({ type: "unwalled", reason: "No container can be run: not installed." });
});

it("SAFE-03 starts an engine that finds its own programs in the system's directories alone", async () => {
  const machine = fakeMachine({ programs: { podman: 0 } });
  const environment = { PATH: "/srv/work/node_modules/.bin:/usr/bin", HOME: "/home/me", API_KEY: "k" };
  const parts = { say: createSay("en"), clock: createHandClock(), environment, trial: "/srv/trial" };
  const choice = await createWallChooser({ ...parts, machine })(wish("container"));
  expect(choice).toMatchObject({ type: "walled" });
  const given = machine.ran.map((call) => call.environment);
  expect(given.every(({ HOME }) => HOME === "/home/me")).toBe(true);
  expect(given.flatMap(Object.keys)).not.toContain("API_KEY");
  const searched = given.flatMap(({ PATH = "" }) => PATH.split(":"));
  expect(searched).toContain("/usr/bin");
  expect(searched).not.toContain("/srv/work/node_modules/.bin");
});

it("X29 runs small virtual machines where a runtime for them is, and says so where none is", async () => {
  const machine = fakeMachine({ programs: { docker: 0, runsc: 0 } });
  expect(await chooser(machine).choose(wish("microvm"))).toMatchObject({ wall: { kind: "microvm" } });
  expect(machine.ran.at(-1)?.args).toContain("--runtime=runsc");
  const none = await chooser(fakeMachine({ programs: { docker: 0 } })).choose(wish("microvm"));
  expect(none).toMatchObject({ type: "unwalled", reason: expect.stringContaining("runsc") });
});

it("refuses an image whose name would be read as an option", async () => {
  const machine = fakeMachine({ programs: { docker: 0 } });
  const { choose } = chooser(machine);
  const bad = { ...wish("container"), container: { ...container, image: "--privileged" } };
  expect(await choose(bad)).toMatchObject({ type: "unwalled" });
  expect(machine.ran).toEqual([]);
});
