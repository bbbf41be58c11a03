/** The tool calls of a turn and how far each has come: pending, running, then done or error. */
export interface ToolCallStart {
  id: string;
  name: string;
  input: unknown;
}

export interface ToolCallEnd {
  id: string;
  result: unknown;
  /** Present: the call failed. */
  error?: string;
}

export type ToolMeta = ToolCallStart &
  (
    | { status: "pending" | "running" }
    | { status: "done"; result: unknown }
    | { status: "error"; result: unknown; error: string }
  );

export interface ToolMetas {
  /** Each of these answers undefined for a call that is further along already. */
  call(call: ToolCallStart): ToolMeta | undefined;
  start(call: ToolCallStart): ToolMeta | undefined;
  end(end: ToolCallEnd): ToolMeta | undefined;
  all(): ToolMeta[];
  /** Forgets the calls that never ran. */
  dropPending(): void;
}

export function createToolMetas(): ToolMetas {
  let metas: ToolMeta[] = [];
  // Models use the same id again in a later step: only the newest call of an id is open.
  const indexOf = (id: string, ...statuses: Array<ToolMeta["status"]>) =>
    metas.findLastIndex((meta) => meta.id === id && statuses.includes(meta.status));
  const put = (index: number, meta: ToolMeta): ToolMeta => {
    if (index < 0) metas.push(meta);
    else metas[index] = meta;
    return meta;
  };
  return {
    call: ({ id, name, input }) =>
      indexOf(id, "pending", "running") < 0 ? put(-1, { id, name, input, status: "pending" }) : undefined,
    // After a restart calls begin whose announcement nobody heard.
    start: ({ id, name, input }) =>
      indexOf(id, "running") < 0
        ? put(indexOf(id, "pending"), { id, name, input, status: "running" })
        : undefined,
    end({ id, result, error }) {
      const index = indexOf(id, "pending", "running");
      const open = metas[index];
      if (!open) return undefined;
      const call: ToolCallStart = { id, name: open.name, input: open.input };
      return put(
        index,
        error === undefined
          ? { ...call, status: "done", result }
          : { ...call, status: "error", result, error },
      );
    },
    all: () => metas.map((meta) => ({ ...meta })),
    dropPending() {
      metas = metas.filter(({ status }) => status !== "pending");
    },
  };
}
