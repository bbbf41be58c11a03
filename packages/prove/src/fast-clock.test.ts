import { createHandClock } from "@pincer/sdk/testing";
import { describeCallsAfter } from "../../../src/infra/testing/clock-contract.ts";
import { createFastClock } from "./fast-clock.ts";

describeCallsAfter("a clock that runs fast", () => {
  const real = createHandClock();
  const clock = createFastClock({ origin: real.now(), speed: 10 }, real);
  return { clock, pass: (ms) => real.advance(ms / 10) };
});
