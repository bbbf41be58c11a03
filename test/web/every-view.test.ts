import { partOf } from "../../scripts/test-seed.ts";
import { describeEveryView, otherLooks, usualLooks } from "./testing/every-view.ts";

describeEveryView([...usualLooks, ...partOf(otherLooks, otherLooks.length)]);
