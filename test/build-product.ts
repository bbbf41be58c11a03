import { buildIfNeeded } from "../scripts/build-if-needed.ts";

/** Whole-product tests run what users run: the built product. */
export default async function setup(): Promise<void> {
  if (!process.env["PINCER_TEST_SOURCES"]) await buildIfNeeded();
}
