/**
 * Where the arguments of tool calls wait until a call is complete. The library that reads the stream is given a stand-in instead: it
 * would parse all that is there again with each small piece, and repair what is broken instead of refusing it.
 */
const standInKey = "pincer-arguments";

export interface ShelvedArguments {
  /** JSON that stands for them in the stream. */
  readonly standIn: string;
  /** Exactly as it came; empty once it is too long. */
  text(): string;
  isTooLong(): boolean;
  append(piece: string): void;
  /** What the server says all of them are. */
  replace(text: string): void;
  /** Whether the stand-in was given out. */
  isAnnounced: boolean;
}

export interface ArgumentBuffer {
  open(): ShelvedArguments;
  /** By what came out of the library: the text of the stand-in, or what it was parsed to. Undefined: it stands for nothing here. */
  find(standIn: unknown): ShelvedArguments | undefined;
  /** Whether any of them grew beyond the limit. */
  isOverflowing(): boolean;
}

export function createArgumentBuffer(maxBytes: number): ArgumentBuffer {
  const all: ShelvedArguments[] = [];
  let overflows = false;

  function open(): ShelvedArguments {
    let text = "";
    let bytes = 0;
    let isTooLong = false;
    const take = (piece: string): void => {
      if (isTooLong) return;
      bytes += Buffer.byteLength(piece);
      if (bytes <= maxBytes) text += piece;
      else {
        text = "";
        isTooLong = overflows = true;
      }
    };
    const shelved: ShelvedArguments = {
      standIn: JSON.stringify({ [standInKey]: all.length }),
      text: () => text,
      isTooLong: () => isTooLong,
      append: take,
      replace(whole) {
        text = "";
        bytes = 0;
        take(whole);
      },
      isAnnounced: false,
    };
    all.push(shelved);
    return shelved;
  }

  return {
    open,
    find: (standIn) => all[numberIn(standIn)],
    isOverflowing: () => overflows,
  };
}

function numberIn(standIn: unknown): number {
  if (typeof standIn === "string") {
    const match = /^\{"pincer-arguments":(\d+)\}$/.exec(standIn);
    return match ? Number(match[1]) : -1;
  }
  if (typeof standIn !== "object" || standIn === null || Object.keys(standIn).length !== 1) return -1;
  const value: unknown = Reflect.get(standIn, standInKey);
  return typeof value === "number" ? value : -1;
}
