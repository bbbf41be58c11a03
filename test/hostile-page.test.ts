import { testSeed } from "../scripts/test-seed.ts";
import { describeHostilePage } from "./testing/hostile-page.ts";

describeHostilePage({ parts: 3, seed: testSeed });
