import { mkdir, readFile, rename, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createSay } from "../../infra/texts.ts";
import { createTestHome, type TestHome } from "../../operate/doctor/testing/test-home.ts";
import { createBackupApi } from "../../operate/backup-api.ts";
import type { Manifest } from "./manifest.ts";
import { verifyBackup } from "./verify-backup.ts";

const say = createSay("en");
let home: TestHome;
let place: string;

beforeEach(async () => {
  home = await createTestHome();
  place = home.path("..", "kept");
  await home.talk("agent:main:main", "hello");
  await home.write("config.json5", "{ owners: ['telegram:42'] }");
  const api = createBackupApi({ ...home.parts, version: "1", signal: new AbortController().signal });
  await api.create({ directory: place, withKey: false });
});
afterEach(() => home.remove());

const inBackup = (name: string) => join(place, name);

async function editManifest(edit: (manifest: Manifest) => unknown): Promise<void> {
  const manifest = JSON.parse(await readFile(inBackup("manifest.json"), "utf8")) as Manifest;
  await writeFile(inBackup("manifest.json"), JSON.stringify(edit(manifest)));
}

/** Makes the manifest fit the file again, as somebody would who wants the damage to pass. */
const reseal = (name: string) =>
  editManifest((manifest) => ({
    ...manifest,
    files: manifest.files.map((file) => (file.name === name ? sealed(name) : file)),
  }));

function sealed(name: string): Manifest["files"][number] {
  const bytes = readFileSync(inBackup(name));
  return { name, size: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") };
}

async function flipByte(name: string, at: number): Promise<void> {
  const bytes = await readFile(inBackup(name));
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  await writeFile(inBackup(name), bytes);
}

it("finds a fresh backup whole", async () => {
  expect(await verifyBackup(place, { say })).toMatchObject({ ok: true, problems: [] });
});

const damages: Array<[string, () => Promise<unknown>, RegExp]> = [
  ["a missing database", () => rm(inBackup("core.db")), /^core\.db is missing\.$/],
  ["a missing config", () => rm(inBackup("config.json5")), /^config\.json5 is missing\.$/],
  ["a flipped byte in the database", () => flipByte("core.db", 5000), /^core\.db was changed/],
  ["a flipped byte in the config", () => flipByte("config.json5", 3), /^config\.json5 was changed/],
  [
    "a truncated database",
    () => truncate(inBackup("core.db"), 4096),
    /^core\.db has 4096 bytes instead of \d+\.$/,
  ],
  ["an extra file", () => writeFile(inBackup("extra"), ""), /^extra does not belong to the backup\.$/],
  [
    "a log beside the database",
    () => writeFile(inBackup("core.db-wal"), "x"),
    /^core\.db-wal does not belong/,
  ],
  ["an extra directory", () => mkdir(inBackup("more")), /^more does not belong/],
  ["no manifest", () => rm(inBackup("manifest.json")), /it has no manifest\.json/],
  ["an empty manifest", () => truncate(inBackup("manifest.json")), /is not JSON/],
  ["a manifest that is cut off", () => truncate(inBackup("manifest.json"), 40), /is not JSON/],
  [
    "a manifest of something else",
    () => writeFile(inBackup("manifest.json"), "[]"),
    /is not a backup manifest/,
  ],
  [
    "a newer format",
    () => editManifest((manifest) => ({ ...manifest, formatVersion: 2 })),
    /format 2; this Pincer knows 1/,
  ],
  [
    "a manifest that points elsewhere",
    () =>
      editManifest((manifest) => ({
        ...manifest,
        files: [{ ...manifest.files[0], name: "../home/core.db" }],
      })),
    /is not a backup manifest/,
  ],
  [
    "counts that do not fit",
    () => editManifest((manifest) => ({ ...manifest, database: { ...manifest.database, sessions: 7 } })),
    /^core\.db has sessions 1 instead of 7\.$/,
  ],
  [
    "a manifest that says there is no database",
    () => editManifest((manifest) => ({ ...manifest, database: null })),
    /contradicts itself/,
  ],
  [
    "a link in a file's place",
    async () => {
      await rm(inBackup("config.json5"));
      await symlink(home.path("config.json5"), inBackup("config.json5"));
    },
    /^config\.json5 cannot be read: .* is not a plain file/,
  ],
  [
    "a link in the manifest's place",
    async () => {
      await rename(inBackup("manifest.json"), home.path("elsewhere.json"));
      await symlink(home.path("elsewhere.json"), inBackup("manifest.json"));
    },
    /manifest\.json is not a plain file/,
  ],
  [
    "a file that is no database under a fitting checksum",
    async () => {
      await writeFile(inBackup("core.db"), "garbage ".repeat(1000));
      await reseal("core.db");
    },
    /^core\.db cannot be used: The database file is damaged/,
  ],
  [
    "a database with loose rows under a fitting checksum",
    async () => {
      const copy = new DatabaseSync(inBackup("core.db"), { enableForeignKeyConstraints: false });
      copy.exec(
        "INSERT INTO entries (tenant_id, session_id, seq, type, time, body_json) VALUES ('t', 's', 1, 'x', '', '{}')",
      );
      copy.close();
      await reseal("core.db");
    },
    /^core\.db is damaged: a row of entries has no parent row$/,
  ],
];

it.each(damages)("says clearly what is wrong with %s", async (_, damage, message) => {
  await damage();
  const { ok, problems } = await verifyBackup(place, { say });
  expect(ok).toBe(false);
  expect(problems[0]).toMatch(message);
});

it("says that a directory that does not exist is no backup", async () => {
  expect((await verifyBackup(home.path("nowhere"), { say })).problems[0]).toMatch(/is not a complete backup/);
});
