/** Memory: searching it, and confirming lines or deleting them. */
import { Type } from "typebox";
import type {
  MemoryIndexView,
  MemorySearchView,
  MemoryStatusView,
  MemoryWindow,
  UnconfirmedLineView,
} from "./memory-views.ts";
import { answer, limit, method, ofAgent } from "./method.ts";

export const memoryMethods = {
  /** How much is indexed, how far the index is behind, and which embedder is used; for one agent, or for all. */
  "memory.status": method({
    params: ofAgent,
    result: answer<MemoryStatusView>(),
    effect: "read",
    permission: "state.view",
    scope: "agent",
  }),
  /** Searches an agent's memory as the owner, best hit first; writes nothing. */
  "memory.search": method({
    params: { ...ofAgent, text: Type.String({ minLength: 1, maxLength: 10_000 }), limit },
    result: answer<MemorySearchView>(),
    effect: "read",
    permission: "sessions.view",
    scope: "agent",
  }),
  /** Lines of a place that a search returned, as the owner may read them. */
  "memory.get": method({
    params: {
      ...ofAgent,
      path: Type.String({ minLength: 1, maxLength: 1024 }),
      startLine: Type.Optional(Type.Integer({ minimum: 1 })),
      endLine: Type.Optional(Type.Integer({ minimum: 1 })),
    },
    result: answer<MemoryWindow>(),
    effect: "read",
    permission: "sessions.view",
    scope: "agent",
  }),
  /**
   * Updates the index and answers when that is done, or when the connection closes; `memory.status` shows the
   * progress.
   */
  "memory.index": method({
    params: {
      ...ofAgent,
      rebuild: Type.Optional(Type.Boolean()),
      embed: Type.Optional(Type.Boolean()),
    },
    result: answer<MemoryIndexView>(),
    effect: "change",
    permission: "memory.write",
    scope: "agent",
  }),
  /** Unconfirmed lines, learnt from others; each has a ref that is stable as long as the line exists. */
  "memory.unconfirmed": method({
    params: ofAgent,
    result: answer<{ lines: UnconfirmedLineView[] }>(),
    effect: "read",
    permission: "sessions.view",
    scope: "agent",
  }),
  /** Confirms a line: `ref`, or all unconfirmed ones with `all`. */
  "memory.confirm": method({
    params: {
      ...ofAgent,
      ref: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
      all: Type.Optional(Type.Boolean()),
    },
    result: answer<{ confirmed: UnconfirmedLineView[] }>(),
    effect: "change",
    // Notes of strangers become part of every prompt as Pincer's own words: only the owner may confirm them.
    permission: "owner.speak",
    scope: "agent",
  }),
  /** Deletes an unconfirmed line. */
  "memory.drop": method({
    params: { ...ofAgent, ref: Type.String({ minLength: 1, maxLength: 64 }) },
    result: answer<{ dropped: UnconfirmedLineView }>(),
    effect: "change",
    permission: "memory.write",
    scope: "agent",
  }),
};
