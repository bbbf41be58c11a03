/** Server-sent events as bytes: where one ends, and what its data says. Cut anywhere, in the midst of a character too. */

const lineFeed = 10;
const carriageReturn = 13;

export interface EventSplitter {
  /** The events that are complete with this piece, each with the blank line that ends it. Throws RangeError for one beyond the limit. */
  push(piece: Uint8Array): Buffer[];
  /** What came after the last complete event, as yet. */
  held(): Buffer;
  /** The same, which is then no longer held. */
  rest(): Buffer;
}

export function createEventSplitter(maxEventBytes: number): EventSplitter {
  let parts: Buffer[] = [];
  let held = 0;
  let lineHasContent = false;

  const takeEvent = (last: Buffer): Buffer => {
    const event = parts.length === 0 ? last : Buffer.concat([...parts, last]);
    parts = [];
    held = 0;
    return event;
  };

  return {
    push(piece) {
      const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
      const events: Buffer[] = [];
      let eventStart = 0;
      let lineStart = 0;
      for (;;) {
        const end = bytes.indexOf(lineFeed, lineStart);
        if (end < 0) break;
        lineHasContent ||= hasContent(bytes, lineStart, end);
        lineStart = end + 1;
        if (!lineHasContent) {
          events.push(takeEvent(bytes.subarray(eventStart, lineStart)));
          eventStart = lineStart;
        }
        lineHasContent = false;
      }
      if (lineStart < bytes.length) lineHasContent ||= hasContent(bytes, lineStart, bytes.length);
      if (eventStart < bytes.length) {
        parts.push(bytes.subarray(eventStart));
        held += bytes.length - eventStart;
        if (held > maxEventBytes) throw new RangeError(`an event of more than ${maxEventBytes} bytes`);
      }
      return events;
    },
    held: () => Buffer.concat(parts),
    rest: () => takeEvent(Buffer.alloc(0)),
  };
}

const hasContent = (bytes: Buffer, from: number, to: number): boolean =>
  to - from > 1 || (to - from === 1 && bytes[from] !== carriageReturn);

/** The value of its data lines; undefined when it has none. */
export function dataOf(event: string): string | undefined {
  const trimmed = event.trimEnd();
  if (trimmed.startsWith("data:") && !/[\r\n]/.test(trimmed)) return valueOf(trimmed);
  const lines = linesOf(event).filter(isData);
  return lines.length === 0 ? undefined : lines.map(valueOf).join("\n");
}

/** Undefined when it is not JSON. */
export function jsonOf(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    // The caller knows what to do with such an event.
    return undefined;
  }
}

export const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** The same event with other data; its name, id and comments stay. */
export function withData(event: string, data: string): string {
  const others = linesOf(event).filter((line) => line !== "" && !isData(line));
  return `${[...others, `data: ${data}`].join("\n")}\n\n`;
}

const linesOf = (event: string): string[] => event.split(/\r\n|\n|\r/);
const isData = (line: string): boolean => line === "data" || line.startsWith("data:");
const valueOf = (line: string): string => (line.charAt(5) === " " ? line.slice(6) : line.slice(5));
