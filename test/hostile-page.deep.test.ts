import { describeHostilePage } from "./testing/hostile-page.ts";

describeHostilePage({ parts: 1 });
