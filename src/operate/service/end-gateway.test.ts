import { createHandClock } from "@pincer/sdk/testing";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { tryLock } from "../../config/home-lock.ts";
import { failure } from "../../infra/failure.ts";
import { endGateway, type EndGatewayParts } from "./end-gateway.ts";
import type { ServiceRecord } from "./service-record.ts";

let directory: string;
beforeEach(() => (directory = mkdtempSync(join(tmpdir(), "pincer-end-"))));
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const record = { pid: 4711 } as ServiceRecord;
const unreachable = async () => {
  throw failure("gateway/unreachable", "gateway.no-socket", { pid: 4711, path: "x" });
};

function parts(given: Partial<EndGatewayParts>): EndGatewayParts {
  return {
    environment: { PINCER_HOME: directory },
    version: "1",
    signal: new AbortController().signal,
    connect: unreachable,
    ...given,
  };
}

it("GW-07 tells a gateway that does not answer to end, where it is surely the recorded one, and waits for it", async () => {
  const release = await tryLock(directory, "gateway.lock");
  const killed: number[] = [];
  const stopping: number[] = [];
  const outcome = await endGateway(
    parts({
      records: { read: async () => record, isSurely: () => true },
      kill(pid) {
        killed.push(pid);
        release?.();
      },
    }),
    (pid) => stopping.push(pid),
  );
  expect({ outcome, killed, stopping }).toEqual({
    outcome: { type: "stopped", pid: 4711 },
    killed: [4711],
    stopping: [4711],
  });
});

it.each([
  ["it is not certain whose pid that is", { read: async () => record, isSurely: () => false }],
  ["nothing is recorded", { read: async () => undefined, isSurely: () => true }],
] satisfies Array<[string, EndGatewayParts["records"]]>)(
  "GW-07 kills nobody when %s",
  async (_why, records) => {
    const killed: number[] = [];
    const ending = endGateway(parts({ records, kill: (pid) => void killed.push(pid) }), () => {});
    await expect(ending).rejects.toMatchObject({ code: "gateway/unreachable" });
    expect(killed).toEqual([]);
  },
);

it("GW-07 ends one that waits until it can serve again, which answers nobody and holds no lock", async () => {
  let now: ServiceRecord | undefined = record;
  const killed: number[] = [];
  const outcome = await endGateway(
    parts({
      connect: async () => undefined,
      records: { read: async () => now, isSurely: () => true },
      kill(pid) {
        killed.push(pid);
        now = undefined;
      },
    }),
    () => {},
  );
  expect({ outcome, killed }).toEqual({ outcome: { type: "stopped", pid: 4711 }, killed: [4711] });
});

it("GW-07 says so when one that waits does not end", async () => {
  let time = 0;
  const clock = {
    ...createHandClock(),
    now: () => time,
    monotonic: () => time,
    sleep: async (ms: number) => void (time += ms),
  };
  const outcome = await endGateway(
    parts({
      clock,
      connect: async () => undefined,
      records: { read: async () => record, isSurely: () => true },
      kill: () => {},
    }),
    () => {},
  );
  expect(outcome).toMatchObject({ type: "still-running", pid: 4711 });
});

it("GW-07 is content where none runs", async () => {
  const outcome = await endGateway(
    parts({
      connect: async () => undefined,
      records: { read: async () => undefined, isSurely: () => false },
    }),
    () => {},
  );
  expect(outcome).toEqual({ type: "not-running" });
});
