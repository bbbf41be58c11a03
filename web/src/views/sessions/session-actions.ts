/** The actions of a session, the same in the list and beside its details. */
import type { MethodName, MethodParams, MethodResults, SessionView } from "@pincer/sdk";
import type { MenuItem } from "../../parts/menu.ts";
import type { Page } from "../../shell/page.ts";
import { chatAddress } from "./session-name.ts";

export interface SessionActions {
  /** Only those that the signed-in person may do. */
  itemsFor(session: SessionView, name: string): MenuItem[];
  mayWrite: boolean;
  mayDelete: boolean;
  rename(session: SessionView): void;
  /** Says what came of it. Undefined where nothing was done. */
  compact(session: SessionView): Promise<void>;
  reset(session: SessionView, name: string): Promise<string | undefined>;
  remove(session: SessionView, name: string): Promise<boolean>;
  download(session: SessionView, format: "markdown" | "jsonl"): void;
}

interface ActionParts {
  page: Page;
  /** Undefined where the gateway refused; that has been said then. */
  ask<Name extends Exclude<MethodName, "connect">>(
    method: Name,
    params: Omit<MethodParams<Name>, "idempotencyKey"> & { idempotencyKey?: string },
  ): Promise<MethodResults[Name] | undefined>;
  /** Lets somebody write a name. */
  rename(session: SessionView): void;
}

export function createSessionActions({ page, ask, rename }: ActionParts): SessionActions {
  const { say } = page;
  const mayWrite = ["owner", "admin", "developer"].includes(page.me.role);
  const mayDelete = ["owner", "admin"].includes(page.me.role);

  async function reset({ sessionKey }: SessionView, name: string): Promise<string | undefined> {
    const detail = say("sessions.reset.detail");
    if (!(await page.confirm(say("sessions.reset.sure", { name }), { detail }))) return undefined;
    const done = await ask("tape.reset", { sessionKey });
    if (done) page.tell(say("sessions.reset.done"), "good");
    return done?.sessionId;
  }

  async function remove({ sessionId, messageCount }: SessionView, name: string): Promise<boolean> {
    const sure = await page.confirm(say("sessions.delete.sure", { name }), {
      detail: say("sessions.delete.detail", { count: messageCount }),
      yes: say("sessions.delete.yes"),
      danger: true,
    });
    if (!sure || !(await ask("sessions.delete", { sessionKey: sessionId }))) return false;
    page.tell(say("sessions.deleted"), "good");
    return true;
  }

  /** A run of its own does the work; what it came to is read from the summary that it left. */
  async function compact({ sessionKey, compactionCount, sessionId }: SessionView): Promise<void> {
    page.tell(say("sessions.compacting"), "good");
    const begun = await ask("agent.run", { input: "/compact", sessionKey, compact: {} });
    if (!begun) return;
    const answer = (await ask("agent.wait", { runId: begun.runId })) as WaitAnswer | undefined;
    if (!answer) return;
    if (answer.error) return page.tell(answer.error.message ?? "", "bad");
    const after = await ask("sessions.find", { sessionKey: sessionId });
    const isSummed = (after?.compactionCount ?? 0) > compactionCount;
    const reason = answer.result ?? "";
    page.tell(say(isSummed ? "sessions.compacted" : "sessions.compact.none", { reason }), "good");
  }

  function download({ sessionId }: SessionView, format: "markdown" | "jsonl"): void {
    const link = document.createElement("a");
    link.href = `/api/sessions/${encodeURIComponent(sessionId)}/export?format=${format}`;
    link.download = "";
    link.click();
  }

  return {
    mayWrite,
    mayDelete,
    rename,
    reset,
    remove,
    compact,
    download,
    itemsFor(session, name) {
      const isOver = session.state === "ended";
      return [
        { label: say("sessions.open"), icon: "chat", choose: () => page.go(chatAddress(session)) },
        {
          label: say("sessions.details"),
          icon: "info",
          choose: () => page.go(`/sessions/${session.sessionId}`),
        },
        { label: say("sessions.rename"), icon: "edit", disabled: !mayWrite, choose: () => rename(session) },
        {
          label: say("sessions.compact"),
          icon: "down",
          disabled: !mayWrite || isOver,
          choose: () => void compact(session),
        },
        {
          label: say("sessions.reset"),
          icon: "retry",
          disabled: !mayWrite || isOver,
          choose: () => void reset(session, name),
        },
        {
          label: say("sessions.export.markdown"),
          icon: "download",
          choose: () => download(session, "markdown"),
        },
        { label: say("sessions.export.json"), icon: "download", choose: () => download(session, "jsonl") },
        {
          label: say("sessions.delete"),
          icon: "trash",
          danger: true,
          disabled: !mayDelete,
          choose: () => void remove(session, name),
        },
      ];
    },
  };
}

interface WaitAnswer {
  result?: string;
  error?: { message?: string } | null;
}
