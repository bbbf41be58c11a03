/**
 * Draws docs/images/terminal.svg: types at a real terminal (tmux) running the built product, and turns what the
 * screen shows into a picture. Run it again when the product looks different: `node scripts/terminal-picture.ts`.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { buildIfNeeded } from "./build-if-needed.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const place = mkdtempSync(join(tmpdir(), "pincer-picture-"));
const socket = join(place, "tmux.sock");
const tmux = (...args: string[]) => execFileSync("tmux", ["-S", socket, ...args], { encoding: "utf8" });

await buildIfNeeded();
mkdirSync(join(place, "notes"));
writeFileSync(join(place, "notes", "groceries.md"), "- milk\n- 豆腐\n- bread\n");
const pincer = `'${process.execPath}' '${join(root, "bin", "pincer.mjs")}'`;
const shell = `cd '${place}' && PS1='$ ' PINCER_HOME='${place}/home' ENV= sh -c "alias pincer=\\"${pincer}\\"; exec sh -i"`;
tmux("-f", "/dev/null", "new-session", "-d", "-s", "p", "-x", "92", "-y", "36", shell);
await type(`pincer() { ${pincer} "$@"; }; clear`);
await type("pincer chat --workdir notes");
await type("tool:list");
await type('tool:read {"path":"groceries.md"}');
await type("明天提醒我买豆腐");
await type(",quit");
await type("pincer status");
const lines = tmux("capture-pane", "-p", "-t", "p")
  .trimEnd()
  .split("\n")
  .map((line) => line.replaceAll(place, "~"));
tmux("kill-server");
rmSync(place, { recursive: true });

mkdirSync(join(root, "docs", "images"), { recursive: true });
writeFileSync(join(root, "docs", "images", "terminal.svg"), draw(lines));

async function type(text: string): Promise<void> {
  tmux("send-keys", "-t", "p", "-l", text);
  tmux("send-keys", "-t", "p", "Enter");
  await pause(900);
}

function draw(rows: string[]): string {
  const [cell, line] = [8.4, 19];
  const [width, height] = [Math.round(92 * cell + 32), rows.length * line + 56];
  const escape = (text: string) =>
    text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const colour = (text: string) =>
    /^[$›]/.test(text) ? "#9ece6a" : text.startsWith("  ·") ? "#7dcfff" : "#c0caf5";
  const texts = rows.map(
    (text, index) =>
      `<text x="16" y="${54 + index * line}" fill="${colour(text)}" xml:space="preserve">${escape(text)}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="A conversation with Pincer in the terminal">
<rect width="100%" height="100%" rx="10" fill="#1a1b26"/>
<circle cx="20" cy="18" r="6" fill="#f7768e"/><circle cx="40" cy="18" r="6" fill="#e0af68"/><circle cx="60" cy="18" r="6" fill="#9ece6a"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">
${texts.join("\n")}
</g>
</svg>
`;
}
