/** What is remembered: finding it, and standing behind it or not. */
import { Type, type TObject } from "typebox";
import type {
  MemoryIndexView,
  MemorySearchView,
  MemoryStatusView,
  MemoryWindow,
  UnconfirmedLineView,
} from "./memory-views.ts";
import { change, limit, ofAgent, read, type Method } from "./method.ts";

export const memoryMethods = {
  /** How much is indexed, how far it is behind, and whose vectors are used; of one agent, or of all. */
  "memory.status": read(ofAgent),
  /** What the owner may find of an agent, best first; writes nothing. */
  "memory.search": read({ ...ofAgent, text: Type.String({ minLength: 1, maxLength: 10_000 }), limit }),
  /** Lines of a place that a search named, as the owner may read them. */
  "memory.get": read({
    ...ofAgent,
    path: Type.String({ minLength: 1, maxLength: 1024 }),
    startLine: Type.Optional(Type.Integer({ minimum: 1 })),
    endLine: Type.Optional(Type.Integer({ minimum: 1 })),
  }),
  /** Brings the index up to date and answers when it is, or when the connection closes; `memory.status` tells meanwhile how far it is. */
  "memory.index": change({
    ...ofAgent,
    rebuild: Type.Optional(Type.Boolean()),
    embed: Type.Optional(Type.Boolean()),
  }),
  /** Lines that were learnt from others and wait for the owner's word; each has a ref that stays while the line does. */
  "memory.unconfirmed": read(ofAgent),
  /** The owner stands behind a line: `ref`, or with `all` every one that waits. */
  "memory.confirm": change({
    ...ofAgent,
    ref: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    all: Type.Optional(Type.Boolean()),
  }),
  /** Deletes a line that waits. */
  "memory.drop": change({ ...ofAgent, ref: Type.String({ minLength: 1, maxLength: 64 }) }),
} as const satisfies Record<string, Method<TObject>>;

export interface MemoryResults {
  "memory.status": MemoryStatusView;
  "memory.search": MemorySearchView;
  "memory.get": MemoryWindow;
  "memory.index": MemoryIndexView;
  "memory.unconfirmed": { lines: UnconfirmedLineView[] };
  "memory.confirm": { confirmed: UnconfirmedLineView[] };
  "memory.drop": { dropped: UnconfirmedLineView };
}
