/**
 * The program of the local embedder's process. It is handed over as text, so that it runs from the sources and from the bundle alike:
 * the function uses nothing from outside itself. It reads questions as lines of JSON, answers with lines of JSON, and ends with its input.
 *
 * The package holds 341,000 words as 300 MB of JSON, which nobody should parse at every start. The 100,000 most frequent ones find as much,
 * so they are read once, piece by piece, and kept as a file of 12 MB.
 */

export interface LocalQuestion {
  id: number;
  texts: readonly string[];
}

/** `vectors`: 32-bit floats of all texts one after another, in base64. */
export type LocalAnswer = { id: number; size: number; vectors: string } | { id: number; error: string };

/** For `node -e`; its arguments are the words as the package has them, and the file in which they are kept. */
export const localProgram = `(${answerQuestions.toString()})()`;

function answerQuestions(): void {
  const fs = process.getBuiltinModule("node:fs");
  const { StringDecoder } = process.getBuiltinModule("node:string_decoder");
  const [, packageFile = "", keptFile = ""] = process.argv;
  const mostWords = 100_000;
  const kind = "pincer-words-1";

  interface Words {
    ranks: Map<string, number>;
    size: number;
    /** Of each word: its largest component, and its components as parts of 127 of it. */
    scales: Float32Array;
    components: Int8Array;
  }
  let words: Words | undefined;

  function answer({ id, texts }: LocalQuestion): LocalAnswer {
    try {
      words ??= readKept() ?? readPackage();
    } catch (error) {
      return { id, error: error instanceof Error ? error.message : String(error) };
    }
    const { size } = words;
    const all = new Float32Array(texts.length * size);
    for (const [index, text] of texts.entries())
      addText(words, text, all.subarray(index * size, (index + 1) * size));
    return { id, size, vectors: Buffer.from(all.buffer).toString("base64") };
  }

  /** The mean of its words. A word counts the less the more often people say it: a / (a + p), with p as Zipf has it. */
  function addText({ ranks, size, scales, components }: Words, text: string, sum: Float32Array): void {
    for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
      const rank = ranks.get(word);
      if (rank === undefined) continue;
      const frequency = 1 / ((rank + 1) * 13.3);
      const weight = ((0.001 / (0.001 + frequency)) * (scales[rank] ?? 0)) / 127;
      for (let index = 0; index < size; index++)
        sum[index] = (sum[index] ?? 0) + weight * (components[rank * size + index] ?? 0);
    }
  }

  function readKept(): Words | undefined {
    if (!fs.existsSync(keptFile)) return undefined;
    const file = fs.readFileSync(keptFile);
    const end = file.indexOf("\n");
    const head = JSON.parse(file.toString("utf8", 0, Math.max(end, 0)) || "{}") as {
      kind?: string;
      size: number;
      words: string[];
    };
    const count = head.words?.length ?? 0;
    const isWhole = head.kind === kind && file.length === end + 1 + count * (4 + head.size);
    if (!isWhole) return undefined;
    const scales = new Float32Array(
      file.buffer.slice(file.byteOffset + end + 1, file.byteOffset + end + 1 + count * 4),
    );
    const components = new Int8Array(file.buffer, file.byteOffset + end + 1 + count * 4, count * head.size);
    return {
      ranks: new Map(head.words.map((word, rank) => [word, rank])),
      size: head.size,
      scales,
      components,
    };
  }

  /** Entries look like `"word":[numbers…, length, rank]`, the frequent ones not always first. */
  function readPackage(): Words {
    const file = fs.openSync(packageFile, "r");
    try {
      const piece = Buffer.alloc(1 << 20);
      const decoder = new StringDecoder("utf8");
      const next = () => decoder.write(piece.subarray(0, fs.readSync(file, piece)));
      let text = next();
      const numberOf = (name: string) => Number(new RegExp(`"${name}"\\s*:\\s*(\\d+)`).exec(text)?.[1]);
      const size = numberOf("dimensions");
      const count = Math.min(numberOf("size"), mostWords);
      if (!(size > 0 && count > 0)) throw new Error(`${packageFile} does not begin like a file of words`);
      const found = {
        names: Array<string>(count),
        scales: new Float32Array(count),
        components: new Int8Array(count * size),
      };
      const entry = /[\s,]*"((?:[^"\\]|\\.)*)"\s*:\s*\[([^\]]*)\]/y;
      let isAmongVectors = false;
      let missing = count;
      while (missing > 0) {
        if (!isAmongVectors) {
          const begin = /"vectors"\s*:\s*\{/.exec(text);
          isAmongVectors = begin !== null;
          text = begin ? text.slice(begin.index + begin[0].length) : text.slice(-32);
        }
        let used = 0;
        entry.lastIndex = 0;
        for (let match = isAmongVectors ? entry.exec(text) : null; match; match = entry.exec(text)) {
          used = entry.lastIndex;
          const [, written = "", list = ""] = match;
          const rank = Number(list.slice(list.lastIndexOf(",") + 1));
          if (!(rank < count) || found.names[rank] !== undefined) continue;
          found.names[rank] = JSON.parse(`"${written}"`) as string;
          missing--;
          const numbers = list.split(",", size).map(Number);
          const largest = Math.max(...numbers.map(Math.abs));
          found.scales[rank] = largest;
          for (const [index, each] of numbers.entries())
            found.components[rank * size + index] = largest > 0 ? Math.round((each / largest) * 127) : 0;
        }
        const more = missing > 0 ? next() : "";
        if (missing > 0 && more === "") throw new Error(`${packageFile} ends too early`);
        text = text.slice(used) + more;
      }
      keep(found.names, size, found.scales, found.components);
      const ranks = new Map(found.names.map((word, rank) => [word, rank]));
      return { ranks, size, scales: found.scales, components: found.components };
    } finally {
      fs.closeSync(file);
    }
  }

  function keep(names: string[], size: number, scales: Float32Array, components: Int8Array): void {
    const unfinished = `${keptFile}.${process.pid}`;
    try {
      const head = `${JSON.stringify({ kind, size, words: names })}\n`;
      fs.writeFileSync(
        unfinished,
        Buffer.concat([Buffer.from(head), Buffer.from(scales.buffer), Buffer.from(components.buffer)]),
      );
      fs.renameSync(unfinished, keptFile);
    } catch {
      // A folder that cannot be written to: the next start reads the package once more.
      fs.rmSync(unfinished, { force: true });
    }
  }

  let unread = "";
  process.stdin.setEncoding("utf8");
  process.stdin.on("data", (text: string) => {
    const lines = (unread + text).split("\n");
    unread = lines.pop() ?? "";
    for (const line of lines)
      process.stdout.write(`${JSON.stringify(answer(JSON.parse(line) as LocalQuestion))}\n`);
  });
  process.stdin.on("end", () => process.exit(0));
}
