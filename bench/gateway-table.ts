/** The gateway's figures beside their goals. */
import { few, many, type GatewayFigures } from "./gateway.ts";

const round = (value: number) => Math.round(value * 100) / 100;

export function printGateway(figures: GatewayFigures): void {
  const { startMs, rssMb, early, http, webSocket, firstTurnMs, commandLine, together, streams, earlier } =
    figures;
  const { written, walMb } = figures;
  const rows: Array<[name: string, value: string, goal: string, isMet: boolean | null]> = [];
  const add = (name: string, value: string, goal = "", isMet: boolean | null = null) =>
    rows.push([name, value, goal, isMet]);
  const times = (value: number, bare: number) => round(value / bare);
  const ratio = times(startMs.ready, startMs.bare);
  add("bare node", `${round(startMs.bare)} ms, ${rssMb.bare} MB`);
  add("start until /readyz answers", `${round(startMs.ready)} ms, ${ratio} ×`, "≤ 7 ×", ratio <= 7);
  const idle = times(rssMb.idle, rssMb.bare);
  add("idle memory", `${rssMb.idle} MB, ${idle} ×`, "≤ 2.5 ×", idle <= 2.5);
  const after = times(rssMb.after50, rssMb.bare);
  add("memory after 50 turns", `${rssMb.after50} MB, ${after} ×`, "≤ 2.4 ×", after <= 2.4);
  add("memory at the end", `${rssMb.afterAll} MB`);
  const first = times(firstTurnMs, http.wallMs);
  add("first turn", `${firstTurnMs} ms, ${first} × a warm one`, "≤ 5 ×", first <= 5);
  add("turn over HTTP, 550 before it", `${early.wallMs} ms, ${early.cpuMs} ms CPU`);
  add("turn over HTTP", `${http.wallMs} ms`, "≤ 6 ms", http.wallMs <= 6);
  add("its processor time", `${http.cpuMs} ms`, "≤ 4 ms", http.cpuMs <= 4);
  if (written) {
    const { diskKb, allKb } = written;
    // A file system in memory counts nothing as written.
    const isMet = (diskKb || allKb) <= 100;
    add("it writes", `${diskKb} KB to the disk, ${allKb} KB to files and network`, "≤ 100 KB", isMet);
  }
  add("the database's log after them", `${walMb} MB`, "≤ 8 MB", walMb <= 8);
  add("turn over WebSocket", `${webSocket.wallMs} ms`, "≤ 6 ms", webSocket.wallMs <= 6);
  add("its processor time", `${webSocket.cpuMs} ms`, "≤ 4 ms", webSocket.cpuMs <= 4);
  const ask = times(commandLine.askMs, commandLine.bareMs);
  add("turn by the command line", `${commandLine.askMs} ms, ${ask} ×`, "≤ 4 ×", ask <= 4);
  const status = times(commandLine.statusMs, commandLine.bareMs);
  add("status of a running gateway", `${commandLine.statusMs} ms, ${status} ×`, "≤ 3 ×", status <= 3);
  add("20 sessions at once", `${together.perSecond} turns/s`, "≥ 300", together.perSecond >= 300);
  add("processor time of each", `${together.cpuMs} ms`);
  const { loopP99Ms, mbEach } = streams;
  add(`${streams.count} slow streams: loop p99`, `${loopP99Ms} ms`, "< 50 ms", loopP99Ms < 50);
  add("memory of each", `${mbEach} MB`, "< 0.2 MB", mbEach < 0.2);
  add(
    `CPU after ${many} earlier turns`,
    `${earlier.many} ms, ${earlier.ratio} × of after ${few}`,
    "≤ 1.15 ×",
    earlier.ratio <= 1.15,
  );
  process.stdout.write("\nthe gateway (built, with an instant local model)\n");
  for (const [name, value, goal, isMet] of rows) {
    const verdict = isMet === null ? "" : `  goal ${goal}: ${isMet ? "met" : "MISSED"}`;
    process.stdout.write(`  ${name.padEnd(30)} ${value}${verdict}\n`);
  }
}
