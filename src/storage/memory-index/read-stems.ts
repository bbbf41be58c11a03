/**
 * Words as the index keeps them. Only FTS5 knows what its tokenizer makes of a word, so it is asked: in a database of its own, in memory,
 * because a search writes nothing to the index.
 */
import { DatabaseSync } from "node:sqlite";
import { wordsTokenizer } from "./index-schema.ts";

let asked: DatabaseSync | undefined;

/** The term that each word is kept as, in their order; "" for what is no word. A word is one without spaces. */
export function stemsOf(words: readonly string[]): string[] {
  asked ??= openAsked();
  const stems = words.map(() => "");
  asked.exec("BEGIN");
  try {
    const insert = asked.prepare("INSERT INTO asked (rowid, word) VALUES (?, ?)");
    for (const [at, word] of words.entries()) insert.run(at + 1, word);
    for (const row of asked.prepare("SELECT doc, term FROM asked_terms WHERE offset = 0").all())
      stems[Number(row["doc"]) - 1] = String(row["term"]);
  } finally {
    asked.exec("ROLLBACK");
  }
  return stems;
}

function openAsked(): DatabaseSync {
  const database = new DatabaseSync(":memory:");
  database.exec(`
    CREATE VIRTUAL TABLE asked USING fts5(word, content = '', tokenize = "${wordsTokenizer}");
    CREATE VIRTUAL TABLE asked_terms USING fts5vocab(asked, 'instance');
  `);
  return database;
}
