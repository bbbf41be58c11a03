/** What is remembered: finding it, and standing behind it or not. */
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
  /** How much is indexed, how far it is behind, and whose vectors are used; of one agent, or of all. */
  "memory.status": method({
    params: ofAgent,
    result: answer<MemoryStatusView>(),
    effect: "read",
    permission: "state.view",
    scope: "agent",
  }),
  /** What the owner may find of an agent, best first; writes nothing. */
  "memory.search": method({
    params: { ...ofAgent, text: Type.String({ minLength: 1, maxLength: 10_000 }), limit },
    result: answer<MemorySearchView>(),
    effect: "read",
    permission: "sessions.view",
    scope: "agent",
  }),
  /** Lines of a place that a search named, as the owner may read them. */
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
  /** Brings the index up to date and answers when it is, or when the connection closes; `memory.status` tells meanwhile how far it is. */
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
  /** Lines that were learnt from others and wait for the owner's word; each has a ref that stays while the line does. */
  "memory.unconfirmed": method({
    params: ofAgent,
    result: answer<{ lines: UnconfirmedLineView[] }>(),
    effect: "read",
    permission: "sessions.view",
    scope: "agent",
  }),
  /** The owner stands behind a line: `ref`, or with `all` every one that waits. */
  "memory.confirm": method({
    params: {
      ...ofAgent,
      ref: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
      all: Type.Optional(Type.Boolean()),
    },
    result: answer<{ confirmed: UnconfirmedLineView[] }>(),
    effect: "change",
    // What strangers had noted becomes what the house itself says in every prompt: only the owner vouches for it.
    permission: "owner.speak",
    scope: "agent",
  }),
  /** Deletes a line that waits. */
  "memory.drop": method({
    params: { ...ofAgent, ref: Type.String({ minLength: 1, maxLength: 64 }) },
    result: answer<{ dropped: UnconfirmedLineView }>(),
    effect: "change",
    permission: "memory.write",
    scope: "agent",
  }),
};
