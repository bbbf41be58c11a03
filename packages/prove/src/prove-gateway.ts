/**
 * The child's side of the proof: the real gateway with a pretended network, a scripted model and counted tools, and failpoints around
 * everything it touches. It loads its code, waits to be told to go, and dies where it was told to.
 */
import { fdatasync as fdatasyncWithCallback } from "node:fs";
import { createConnection, type Socket } from "node:net";
import { promisify } from "node:util";
import type { Channel, Model, PincerError, Tool } from "@pincer/sdk";
import type { Clock } from "../../../src/infra/clock.ts";
import type { TenantStores } from "../../../src/storage/storage.ts";
import { createFailpoints, type Failpoints } from "./failpoints.ts";
import { createFastClock } from "./fast-clock.ts";
import { createNetworkChannels } from "./network-channel.ts";
import { readFrames, writeFrame, type LifePlan, type ToChild } from "./network-frames.ts";
import { plantInStores } from "./plant.ts";
import { reportProcess } from "./process-report.ts";
import { createProveTools } from "./prove-tools.ts";
import { createProveModel } from "./scripted-model.ts";
import { watchModel, watchStores, watchSync, watchTool } from "./watch-points.ts";

/** What the gateway is given instead of its usual parts. */
export interface ProveExtras {
  channels: Channel[];
  models: Model[];
  tools: Tool[];
  wrapStores(stores: TenantStores): TenantStores;
  fdatasync(descriptor: number): Promise<void>;
  clock: Clock;
}

/** What the proof needs of a running gateway. */
export interface ProvenGateway {
  stop(withinMs?: number): Promise<void>;
  failed: Promise<PincerError>;
  idle(): Promise<void>;
}

export interface ProveGatewayParts {
  socketPath: string;
  /** Which of the processes that the prover started this one is. */
  life: number;
  openGateway(extras: ProveExtras): Promise<ProvenGateway>;
  /** Ends the process as a power switch would. */
  die(): void;
  /** Ends the process with a status, whatever is still open. */
  exit(status: number): void;
  signal: AbortSignal;
}

/** What a process ends with that has lost its disk. */
export const diskLostStatus = 3;

/** Resolves to the exit status after a clean stop. Throws what kept the gateway from starting. */
export async function runProveGateway(parts: ProveGatewayParts): Promise<number> {
  const control = await dial(parts.socketPath);
  const stopAsked = Promise.withResolvers<void>();
  parts.signal.addEventListener("abort", () => stopAsked.resolve());
  // Without its prover it has nothing to live for.
  control.on("close", () => parts.exit(0));

  const plan = await new Promise<LifePlan>((resolve) => {
    readFrames<ToChild>(control, (frame) => (frame.type === "go" ? resolve(frame.plan) : answer(frame)));
    writeFrame(control, { type: "control", life: parts.life, pid: process.pid });
  });
  const clock = createFastClock(plan.clock);
  const failpoints = createFailpoints({ clock, die: parts.die, fullForMs: plan.fullForMs });
  failpoints.arm(plan.cut);
  const gateway = await parts.openGateway(extrasFor(plan, parts, { clock, failpoints })).catch((error) => {
    hangUp(control);
    throw error;
  });
  void gateway.failed.then(async (error) => {
    writeFrame(control, { type: "failed", code: error.code });
    // The bound is short: a disk that is lost takes nothing any more.
    await Promise.race([gateway.stop(100), clock.sleep(500 * plan.clock.speed)]).catch(() => {});
    parts.exit(diskLostStatus);
  });
  if (plan.reportEveryMs) {
    reportProcess(plan.reportEveryMs, (report) => writeFrame(control, { type: "report", ...report }));
  }

  function answer(frame: ToChild): void {
    if (frame.type === "arm") failpoints.arm(frame.cut);
    if (frame.type === "jump") clock.jump(frame.byMs);
    if (frame.type === "fill") failpoints.fill(frame.isFull);
    if (frame.type === "stop") stopAsked.resolve();
    if (frame.type === "idle?") {
      void gateway.idle().then(() => writeFrame(control, { type: "idle", request: frame.request }));
    }
    if (frame.type === "counts?") {
      const { request } = frame;
      const counted = { counts: failpoints.counts(), reached: failpoints.wasReached() };
      writeFrame(control, { type: "counts", request, ...counted });
    }
  }

  writeFrame(control, { type: "ready" });
  await stopAsked.promise;
  // As long as anybody's takes, by the clock on the wall: by this one it would be over before the copies of a busy machine are written.
  await gateway.stop(stopMs * plan.clock.speed);
  writeFrame(control, { type: "stopped" });
  hangUp(control);
  return 0;
}

const stopMs = 10_000;

/** An open connection would keep the process alive. */
function hangUp(control: Socket): void {
  control.removeAllListeners("close");
  control.destroySoon();
}

function extrasFor(
  { plant, directory, pauseMs }: LifePlan,
  { socketPath, die }: ProveGatewayParts,
  { clock, failpoints }: { clock: Clock; failpoints: Failpoints },
): ProveExtras {
  const sync = plant === "no-sync" ? async () => {} : promisify(fdatasyncWithCallback);
  const watched = watchSync(sync, failpoints);
  return {
    channels: createNetworkChannels({ socketPath, failpoints, plant }),
    models: [watchModel(createProveModel({ clock, die, pauseMs }), failpoints)],
    tools: createProveTools(directory).map((tool) => watchTool(tool, failpoints)),
    wrapStores: (stores) => plantInStores(plant, watchStores(stores, failpoints)),
    fdatasync: plant === "deaf-to-sync" ? (descriptor) => watched(descriptor).catch(() => {}) : watched,
    clock,
  };
}

function dial(socketPath: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(socketPath, () => resolve(socket));
    // Once it is connected, `close` tells the rest.
    socket.on("error", reject);
  });
}
