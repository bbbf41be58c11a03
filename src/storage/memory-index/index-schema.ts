/**
 * The tables of `index.db`. Everything in it is made from memory files and conversations and can be made again, so a version that is not
 * ours is thrown away and the index is filled anew; only vectors are worth keeping, and they are found again by what they were made of.
 */
export const indexSchemaVersion = 1;

/** What FTS5 makes of words: folded and stemmed. */
export const wordsTokenizer = "porter unicode61 remove_diacritics 2";

export const indexSchema = `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

  CREATE TABLE sources (
    source_id INTEGER PRIMARY KEY,
    tenant_id TEXT NOT NULL,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    session_key TEXT,
    path TEXT NOT NULL,
    stamp TEXT NOT NULL,
    UNIQUE (tenant_id, name)
  );

  -- position: dense from 0 within the source, in the order of its lines; neighbours are found by it.
  -- hash: of what a vector is made of.
  CREATE TABLE lines (
    line_id INTEGER PRIMARY KEY,
    source_id INTEGER NOT NULL,
    position INTEGER NOT NULL,
    line INTEGER NOT NULL,
    text TEXT NOT NULL,
    who TEXT,
    time TEXT,
    label TEXT,
    hash BLOB NOT NULL
  );
  CREATE INDEX lines_of_source ON lines (source_id, position);
  CREATE INDEX lines_by_hash ON lines (hash);

  -- rowid = line_id. body: the words, as search terms; head: who and when. Neighbours are looked at when somebody searches, so that
  -- a line that changes touches one row. A row is taken out with the very terms that were put in: only so do they leave the file at once.
  CREATE VIRTUAL TABLE words USING fts5(
    body, head, content = '', tokenize = "${wordsTokenizer}"
  );
  INSERT INTO words (words, rank) VALUES ('secure-delete', 1);
  -- How many lines each term is in, by column; and where it is, which is how a search reads them.
  CREATE VIRTUAL TABLE words_terms USING fts5vocab(words, 'col');
  CREATE VIRTUAL TABLE words_places USING fts5vocab(words, 'instance');

  -- code: one bit per dimension, for a first look at all of them; vector: one byte per dimension, for a second at the best. Both empty
  -- where the embedder takes no such text. used_at: when a line last had it, or when it was made.
  CREATE TABLE vectors (
    embedder TEXT NOT NULL,
    hash BLOB NOT NULL,
    code BLOB NOT NULL,
    vector BLOB NOT NULL,
    used_at INTEGER NOT NULL,
    UNIQUE (hash, embedder)
  );
  CREATE INDEX vectors_by_use ON vectors (used_at, embedder, hash);
`;
