/** Lines that somebody edits at a terminal, with what of them was pasted. */
import { createInterface, type Interface, type Key, type ReadLineOptions } from "node:readline";
import { StringDecoder } from "node:string_decoder";
import { Transform } from "node:stream";
import { createPasteTracker, wholeOf, type MarkedText } from "@pincer/sdk";
import type { Terminal } from "./command.ts";
import { createPasteFolder, markPastes, type KeysPiece } from "./pasted-text.ts";

export interface EditedLines {
  lines: Interface;
  /** Of the line that is told just now: what of it was pasted. */
  said(line: string): MarkedText;
  /** A line that the arrow keys may bring back. */
  remember(line: MarkedText): void;
  /** Gives the terminal back. Safe to call twice. */
  close(): void;
}

export interface EditedLinesParts {
  stdin: Terminal["stdin"];
  /** Writes to the terminal at once. */
  write(text: string): void;
  /** When it aborts, the terminal is given back, however the process ends. */
  signal: AbortSignal;
}

export function openEditedLines(
  { stdin, write, signal }: EditedLinesParts,
  options: Omit<ReadLineOptions, "input" | "terminal">,
): EditedLines {
  const tracker = createPasteTracker();
  const keys = readKeys(stdin);
  let lines: Interface | undefined;
  let before: LineState = { text: "", caret: 0 };

  /** Before readline sees a key or a paste. */
  function note(): void {
    if (!lines) return;
    before = stateOf(lines);
    // Somebody else than the person changed it: it was cleared for a question.
    if (tracker.spoken().text !== before.text)
      tracker.edit({ text: before.text, start: 0, caret: before.caret, kind: "restored" });
  }
  function follow(kind: "typed" | "pasted" | "restored"): void {
    const { text, caret } = stateOf(opened);
    if (text !== before.text) tracker.edit({ text, start: before.caret, caret, kind });
  }
  keys.input.on("data", () => keys.isPasted() && note());
  keys.input.on("keypress", () => keys.isPasted() || note());
  const opened = createInterface({ ...options, input: keys.input, terminal: true });
  lines = opened;
  keys.input.on("keypress", (stroke: string | undefined, key: Key) => {
    if (!keys.isPasted()) follow(kindOfKey(stroke, key, { before, after: stateOf(opened) }));
  });
  keys.input.on("data", () => keys.isPasted() && follow("pasted"));

  const unmark = markWhileOpen({ lines: opened, keys, write, signal });
  return {
    lines: opened,
    said(line) {
      const { text, pasted } = tracker.spoken();
      // Told while a paste is on its way in: nobody knows what of it was typed.
      return text === line ? { text, pasted } : { text: line, pasted: wholeOf(line) };
    },
    remember: tracker.remember,
    close() {
      unmark();
      opened.close();
      keys.close();
    },
  };
}

/** The terminal marks pastes from now on, until the lines are closed, the process is suspended, or it ends in any way. */
function markWhileOpen({
  lines,
  keys,
  write,
  signal,
}: Omit<EditedLinesParts, "stdin"> & { lines: Interface; keys: Keys }): () => void {
  let isMarking = true;
  const unmark = () => {
    if (!isMarking) return;
    isMarking = false;
    write(markPastes.off);
    process.removeListener("exit", unmark);
    signal.removeEventListener("abort", unmark);
  };
  write(markPastes.on);
  process.on("exit", unmark);
  signal.addEventListener("abort", unmark, { once: true });
  keys.input.prependListener("keypress", (_stroke: unknown, key: Key) => {
    if (key.ctrl && key.name === "z" && isMarking) write(markPastes.off);
  });
  lines.on("SIGCONT", () => {
    if (isMarking) write(markPastes.on);
    // readline pauses its input there, so that somebody may say something first.
    lines.resume();
  });
  return unmark;
}

interface LineState {
  text: string;
  caret: number;
}

const stateOf = ({ line, cursor }: Pick<Interface, "line" | "cursor">): LineState => ({
  text: line,
  caret: cursor,
});

/** What a key did to the line: readline itself knows no more than the line. Pure. */
export function kindOfKey(
  stroke: string | undefined,
  { name = "", ctrl, meta }: Pick<Key, "name" | "ctrl" | "meta">,
  { before, after }: { before: LineState; after: LineState },
): "typed" | "restored" {
  const { text, caret } = before;
  const isStroke = stroke !== undefined && after.text === text.slice(0, caret) + stroke + text.slice(caret);
  // What Tab writes out are names of ours.
  const isOurs = isStroke || name === "tab" || deleting.has(name);
  return isOurs || ((ctrl || meta) && deletingWithControl.has(name)) ? "typed" : "restored";
}

const deleting: ReadonlySet<string> = new Set(["backspace", "delete", "return", "enter"]);
const deletingWithControl: ReadonlySet<string> = new Set(["h", "d", "u", "k", "w", "c"]);

interface Keys {
  input: Transform;
  /** Of the piece that is told just now. */
  isPasted(): boolean;
  close(): void;
}

/** More at once than hands type, on a terminal that marks no pastes. */
const longestStroke = 280;

/** Every piece of what is typed or pasted is told by itself. */
function readKeys(stdin: Terminal["stdin"]): Keys {
  const decoder = new StringDecoder("utf8");
  const fold = createPasteFolder();
  const waiting: KeysPiece[] = [];
  let told: KeysPiece | undefined;
  const input = new Transform({
    readableObjectMode: true,
    transform(chunk: Buffer | string, _encoding, done) {
      for (const piece of fold(typeof chunk === "string" ? chunk : decoder.write(chunk))) {
        waiting.push(piece);
        this.push(piece.text);
      }
      done();
    },
  });
  const { setRawMode } = stdin as { setRawMode?(mode: boolean): unknown };
  Object.assign(input, {
    isTTY: true,
    ...(setRawMode ? { setRawMode: (mode: boolean) => setRawMode.call(stdin, mode) } : {}),
  });
  input.on("data", () => (told = waiting.shift()));
  stdin.pipe(input);
  return {
    input,
    isPasted: () => told !== undefined && (told.isPasted || told.text.length > longestStroke),
    close() {
      stdin.unpipe(input);
      stdin.pause();
    },
  };
}
