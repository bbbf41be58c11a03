/** A few moments; all of them are in the deep suite. */
import { pullThePlug } from "./testing/crash-suite.ts";

pullThePlug(7);
