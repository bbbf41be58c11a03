/**
 * The prover's public face, for `pincer prove`, which loads it on demand. The process that is killed loads only its own side,
 * `@pincer/prove/gateway`.
 */
export type { Fault, FaultKind } from "./check-ledger.ts";
export type { Program } from "./child-process.ts";
export type { TroubleKind } from "./cut.ts";
export { plants } from "./plant.ts";
export { parseSeries, prove, type ProveReport } from "./prove.ts";
export { soak, type SoakReport } from "./soak.ts";
export { canTrace } from "./start-through.ts";
