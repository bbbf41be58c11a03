/** Every moment. */
import { pullThePlug } from "./testing/crash-suite.ts";

pullThePlug(1);
