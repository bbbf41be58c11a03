/** The prover's line to a child process: when to begin, where to die, when to stop. */
import type { Socket } from "node:net";
import type { FailpointCut } from "./cut.ts";
import { writeFrame, type FromChild, type LifePlan, type ToChild } from "./network-frames.ts";

export type ChildReport = Extract<FromChild, { type: "report" }>;

/** A process that dies never answers: callers also wait for its end. */
export interface ChildLink {
  pid: number;
  /** Lets it open the home and run; resolves when it is ready. */
  go(plan: LifePlan): Promise<void>;
  /** From now on hits of this point are counted. */
  arm(cut: FailpointCut): void;
  /** Its clock on the wall jumps now. */
  jump(byMs: number): void;
  /** From now on its writes fail as on a full disk, or no longer. */
  fill(isFull: boolean): void;
  /** Resolves when it has nothing left to do. */
  idle(): Promise<void>;
  /** How often each point was passed, and whether the armed one was. */
  counts(): Promise<{ counts: Record<string, number>; reached: boolean }>;
  /** Asks for a clean stop; the process ends then. */
  stop(): void;
  /** Why it ended itself, if it said so. */
  failure(): string | undefined;
  onReport(listener: (report: ChildReport) => void): void;
  /** Resolves when it has hung up: its process has ended, or ends now. */
  closed: Promise<void>;
}

export function createChildLink(
  socket: Socket,
  pid: number,
): { link: ChildLink; onFrame(frame: FromChild): void } {
  const answers = new Map<number, (frame: FromChild) => void>();
  const reportListeners: Array<(report: ChildReport) => void> = [];
  let requests = 0;
  let onReady: (() => void) | undefined;
  let failure: string | undefined;

  function ask<Type extends "idle" | "counts">(type: Type): Promise<Extract<FromChild, { type: Type }>> {
    const request = ++requests;
    return new Promise((resolve) => {
      answers.set(request, (frame) => resolve(frame as Extract<FromChild, { type: Type }>));
      writeFrame(socket, { type: `${type}?`, request } as ToChild);
    });
  }

  const link: ChildLink = {
    pid,
    go: (plan) =>
      new Promise((resolve) => {
        onReady = resolve;
        writeFrame(socket, { type: "go", plan });
      }),
    arm: (cut) => writeFrame(socket, { type: "arm", cut }),
    jump: (byMs) => writeFrame(socket, { type: "jump", byMs }),
    fill: (isFull) => writeFrame(socket, { type: "fill", isFull }),
    idle: async () => void (await ask("idle")),
    counts: () => ask("counts"),
    stop: () => writeFrame(socket, { type: "stop" }),
    failure: () => failure,
    onReport: (listener) => void reportListeners.push(listener),
    closed: new Promise((resolve) => socket.once("close", () => resolve())),
  };
  return {
    link,
    onFrame(frame) {
      if (frame.type === "ready") onReady?.();
      if (frame.type === "failed") failure = frame.code;
      if (frame.type === "report") for (const listener of reportListeners) listener(frame);
      if (frame.type === "idle" || frame.type === "counts") {
        answers.get(frame.request)?.(frame);
        answers.delete(frame.request);
      }
    },
  };
}
