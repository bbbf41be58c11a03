import { describe, expect, it } from "vitest";
import { createLocalEmbedder } from "./local-embedder.ts";

/** Where the real package was installed, with the command that Pincer gives. */
const directory = process.env.PINCER_LOCAL_EMBEDDER_DIR;

describe.skipIf(!directory)("the real words", () => {
  it("MEM-07 finds most lines that answer a question in other words", async () => {
    const embedder = createLocalEmbedder({ type: "local", directory: directory ?? "", idleMs: 60_000 });
    const { signal } = new AbortController();
    const lines = [
      "We adopted a puppy from the shelter on Saturday",
      "The rent for the apartment goes up in March",
      "My sister plays the violin in an orchestra",
      "The car needs new tires before winter",
    ];
    const questions = [
      "what pet did they get",
      "how much is the flat",
      "who makes music",
      "repair of the vehicle",
    ];
    const vectors = await embedder.embed(lines, "document", signal);
    const asked = await embedder.embed(questions, "query", signal);
    const nearest = asked.map((question) => {
      const scores = vectors.map((vector) =>
        vector.reduce((sum, each, index) => sum + each * (question[index] ?? 0), 0),
      );
      return scores.indexOf(Math.max(...scores));
    });
    await embedder.close();
    const found = nearest.filter((line, index) => line === index);
    expect(found.length).toBeGreaterThanOrEqual(3);
  });
});
