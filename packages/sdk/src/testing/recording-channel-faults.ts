/** The ways in which a network fails, injected one by one. */
import { SendError, type SendErrorCode } from "../send-error.ts";

export type ChannelFault =
  /** The next calls fail with this error; nothing is shown. */
  | {
      type: "fail";
      call?: "send" | "edit" | "query";
      code: SendErrorCode;
      /** In the network's words. */
      message?: string;
      times?: number;
      retryAfterMs?: number;
      accountId?: string;
    }
  /** The next calls never answer; `taken` tells whether people see the message all the same. */
  | { type: "hang"; call?: "send" | "edit" | "query"; taken?: boolean; times?: number; accountId?: string }
  /** The connection ends in the middle of the next sends, before or after the network took the message. */
  | { type: "close-in-send"; taken: boolean; times?: number; accountId?: string }
  /** Every message that comes in is delivered twice. */
  | { type: "deliver-twice" }
  /** The next message that comes in is overtaken by the one after it. */
  | { type: "reorder" }
  | { type: "lose-connection"; reason?: string; accountId?: string }
  | { type: "fail-connect"; message?: string; code?: SendErrorCode; times?: number };

interface Call {
  accountId: string;
  signal: AbortSignal;
  /** What the network does when it takes the call. */
  take(): string;
}

export function createFaults(lose: (accountId: string | undefined, reason: string) => void) {
  let pending: Array<{ fault: ChannelFault; left: number }> = [];
  let isDoubling = false;
  let release: (() => void) | undefined;
  let isSwapping = false;

  function next(isIt: (fault: ChannelFault) => boolean): ChannelFault | undefined {
    const found = pending.find(({ fault }) => isIt(fault));
    if (!found) return undefined;
    found.left -= 1;
    if (found.left === 0) pending = pending.filter((other) => other !== found);
    return found.fault;
  }

  return {
    isDoubling: () => isDoubling,
    inject(fault: ChannelFault): void {
      if (fault.type === "deliver-twice") isDoubling = true;
      else if (fault.type === "reorder") isSwapping = true;
      else if (fault.type === "lose-connection")
        lose(fault.accountId, fault.reason ?? "the connection was lost");
      else pending.push({ fault, left: fault.times ?? 1 });
    },
    /** Holds the next message back until another has come. */
    async swap(): Promise<void> {
      if (isSwapping) {
        isSwapping = false;
        await new Promise<void>((resolve) => (release = resolve));
      } else if (release) {
        // The one before goes once this one has been handed over.
        setImmediate(release);
        release = undefined;
      }
    },
    failConnect(): void {
      const fault = next(({ type }) => type === "fail-connect");
      if (fault?.type === "fail-connect")
        throw new SendError(fault.code ?? "unavailable", fault.message ?? "no route");
    },
    /** Does what the network does, or what a fault says. */
    async pass(call: "send" | "edit" | "query", { accountId, signal, take }: Call): Promise<string> {
      const fault = next((each) => concerns(each, call, accountId));
      if (fault?.type === "fail") {
        throw new SendError(fault.code, fault.message ?? `the network says ${fault.code}`, {
          retryAfterMs: fault.retryAfterMs,
        });
      }
      if (fault?.type === "hang") {
        if (fault.taken === true) take();
        return new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason), { once: true });
        });
      }
      if (fault?.type === "close-in-send") {
        if (fault.taken) take();
        lose(accountId, "the connection closed in the middle");
        throw new SendError("closed", "the connection closed in the middle");
      }
      return take();
    },
  };
}

function concerns(fault: ChannelFault, call: "send" | "edit" | "query", accountId: string): boolean {
  const isCall = fault.type === "fail" || fault.type === "hang";
  if (!isCall && fault.type !== "close-in-send") return false;
  if (fault.accountId !== undefined && fault.accountId !== accountId) return false;
  return call === (isCall ? (fault.call ?? "send") : "send");
}
