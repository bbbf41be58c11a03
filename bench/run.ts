/** `npm run bench [-- startup|storage|turns|models|gateway|channels|page|context|conversations|memory] [--json]`: measures, prints ratios, and never judges by a clock alone. */
import { loadavg } from "node:os";
import { buildIfNeeded } from "../scripts/build-if-needed.ts";
import { measureStartup, type StartupFigure } from "./startup.ts";

const args = process.argv.slice(2);
const json = args.includes("--json");
const wanted = args.filter((arg) => !arg.startsWith("--"));
const wants = (name: string) => wanted.length === 0 || wanted.includes(name);

await buildIfNeeded();
const before = loadavg()[0];
const report: Record<string, unknown> = { node: process.version, loadBefore: before };

if (wants("startup")) {
  const startup = measureStartup();
  report["startup"] = startup;
  if (!json) printStartup(startup);
}
if (wants("storage")) {
  const { measureStorage, printStorage } = await import("./storage.ts");
  const storage = await measureStorage();
  report["storage"] = storage;
  if (!json) printStorage(storage);
}
if (wants("turns")) {
  const { measureTurnsApart, printTurns } = await import("./turns.ts");
  const turns = measureTurnsApart();
  report["turns"] = turns;
  if (!json) printTurns(turns);
}
if (wants("models")) {
  const { measureModels, printModels } = await import("./models.ts");
  const models = await measureModels();
  report["models"] = models;
  if (!json) printModels(models);
}
if (wants("gateway")) {
  const { measureGateway } = await import("./gateway.ts");
  const { printGateway } = await import("./gateway-table.ts");
  const gateway = await measureGateway();
  report["gateway"] = gateway;
  if (!json) printGateway(gateway);
}
if (wants("channels")) {
  const { measureChannels, printChannels } = await import("./channels.ts");
  const channels = await measureChannels();
  report["channels"] = channels;
  if (!json) printChannels(channels);
}
if (wants("page")) {
  const { measurePage, printPage } = await import("./page.ts");
  const page = await measurePage();
  report["page"] = page;
  if (!json) printPage(page);
}
if (wants("context")) {
  const { measureContext, printContext } = await import("./context.ts");
  const context = await measureContext();
  report["context"] = context;
  if (!json) printContext(context);
}
if (wants("conversations")) {
  const { measureConversations, printConversations } = await import("./conversations.ts");
  const conversations = await measureConversations();
  report["conversations"] = conversations;
  if (!json) printConversations(conversations);
}
if (wants("memory")) {
  const { measureMemoryApart, printMemory } = await import("./memory.ts");
  const memory = measureMemoryApart();
  report["memory"] = memory;
  if (!json) printMemory(memory);
}
report["loadAfter"] = loadavg()[0];
if (json) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
else
  process.stdout.write(
    `\nload ${before?.toFixed(2)} before, ${loadavg()[0]?.toFixed(2)} after, node ${process.version}\n`,
  );

function printStartup(figures: StartupFigure[]): void {
  process.stdout.write("start-up (median of 25, interleaved)\n");
  for (const { name, medianMs, ratio, goal } of figures) {
    const verdict =
      goal === undefined ? "" : ratio <= goal ? `goal ≤ ${goal} ×: met` : `goal ≤ ${goal} ×: MISSED`;
    process.stdout.write(
      `  ${name.padEnd(12)} ${medianMs.toFixed(1).padStart(7)} ms  ${ratio.toFixed(2)} ×  ${verdict}\n`,
    );
  }
}
