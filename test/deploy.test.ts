import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { parse } from "yaml";

interface Mount {
  type: string;
  source: string;
  target: string;
  read_only?: boolean;
}

interface Compose {
  services: Record<string, Record<string, unknown> & { volumes: Mount[]; user: string }>;
  volumes: Record<string, unknown>;
}

const compose = parse(await readFile(new URL("../deploy/compose.yaml", import.meta.url), "utf8")) as Compose;
const services = Object.values(compose.services);

it("SAFE-08 mounts the config read-only and a named volume as the workspace", () => {
  const mounts = services.flatMap(({ volumes }) => volumes);
  const config = mounts.find(({ target }) => target.endsWith("/.pincer/config.json5"));
  expect(config).toMatchObject({ type: "bind", source: "./config.json5", read_only: true });
  const workspace = mounts.find(({ target }) => target.endsWith("/.pincer/workspace"));
  expect(workspace).toMatchObject({ type: "volume", source: "workspace" });
  expect(Object.keys(compose.volumes)).toContain("workspace");
});

it("SAFE-08 runs as nobody in particular, with a root that cannot be written and no rights", () => {
  for (const service of services) {
    expect(service.user).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ["ALL"],
      security_opt: ["no-new-privileges:true"],
    });
  }
});

it("mounts no socket of the engine, shares nothing with the machine and asks for no rights", () => {
  for (const { volumes, ...service } of services) {
    expect(volumes.filter(({ source }) => /sock|^\//.test(source))).toEqual([]);
    const asked = Object.keys(service);
    const never = [
      "privileged",
      "network_mode",
      "pid",
      "ipc",
      "cap_add",
      "devices",
      "userns_mode",
      "uts",
      "ports",
    ];
    expect(asked.filter((key) => never.includes(key))).toEqual([]);
  }
});
