/** What holds for every wall, whatever it is made of. */
import { expect, it } from "vitest";
import { createSay } from "../../infra/texts.ts";
import { createBubblewrap } from "./bubblewrap.ts";
import { createContainer } from "./container.ts";
import { createLandlock } from "./landlock.ts";
import { createMicrovm } from "./microvm.ts";
import { createSeatbelt } from "./seatbelt.ts";
import { fakeMachine } from "./testing/fake-machine.ts";
import type { Enclosure, ProgramCall, Wall } from "./wall.ts";

const machine = fakeMachine({ programs: {} });
const say = createSay("en");
const engine = {
  kind: "docker",
  file: "/usr/bin/docker",
  environment: { PATH: "/usr/bin" },
  version: "docker 28",
} as const;
const bubblewrap = {
  machine,
  say,
  file: "/usr/bin/bwrap",
  version: "bubblewrap 0.9.9",
  abilities: { forbidsNamespaces: true, boundsMemory: true },
  perl: "/usr/bin/perl",
  choom: "/usr/bin/choom",
};
const container = { machine, say, engine, image: "debian:12-slim", memoryMb: 512, pids: 64 };

const local: Wall[] = [
  createBubblewrap(bubblewrap),
  createLandlock({ machine, say, perl: "/usr/bin/perl", version: 7 }),
  createSeatbelt({ machine, say, file: "/usr/bin/sandbox-exec" }),
];
const inContainers: Wall[] = [createContainer(container), createMicrovm(container, "runsc")];
const walls = [...local, ...inContainers];

const call: ProgramCall = { file: "sh", args: ["-c", "ls"], cwd: "/srv/work", environment: { LANG: "C" } };
const enclosure: Enclosure = { workdir: "/srv/work", readable: [], closed: [], network: { type: "none" } };

it.each(walls)(
  "SAFE-04 $kind refuses Pincer's home as a workdir, in which nothing could be hidden",
  (wall) => {
    const home = { ...enclosure, readable: ["/srv"], closed: ["/data", "/srv/work"] };
    expect(() => wall.enclose(call, home, "p_1")).toThrow(/Pincer's own home/);
  },
);

it.each(walls.filter(({ kind }) => kind !== "bubblewrap"))(
  "SAFE-04 $kind refuses a workdir in which the way to Pincer's home could be renamed",
  (wall) => {
    const around = { ...enclosure, closed: ["/srv/work/deep/home"] };
    expect(() => wall.enclose(call, around, "p_1")).toThrow(/cannot hide \/srv\/work\/deep\/home/);
  },
);

it.each(local)(
  "SAFE-04 $kind shows no value of the environment among its words, which every user can read",
  (wall) => {
    const environment = { LANG: "C", SOME_TOKEN: "tell-nobody" };
    const enclosed = wall.enclose({ ...call, environment }, enclosure, "p_1");
    expect([enclosed.file, ...enclosed.args].join(" ")).not.toContain("tell-nobody");
    expect(enclosed.environment).toMatchObject(environment);
  },
);

it.each(local)("SAFE-04 $kind hands on nothing that would steer what puts it up", (wall) => {
  const steering = [
    "LD_PRELOAD",
    "DYLD_INSERT_LIBRARIES",
    "GCONV_PATH",
    "MALLOC_TRACE",
    "PERL5OPT",
    "PERL5LIB",
    "PERL5DB",
  ];
  const environment = Object.fromEntries(steering.map((name) => [name, "/srv/work/evil"]));
  const enclosed = wall.enclose({ ...call, environment: { LANG: "C", ...environment } }, enclosure, "p_1");
  expect(Object.values(enclosed.environment)).not.toContain("/srv/work/evil");
});

it.each(walls)("$kind takes nothing of this process's environment", (wall) => {
  process.env["PINCER_TEST_PLANTED"] = "planted";
  const { args, environment } = wall.enclose(call, enclosure, "p_1");
  delete process.env["PINCER_TEST_PLANTED"];
  expect(JSON.stringify([args, environment])).not.toContain("planted");
});
