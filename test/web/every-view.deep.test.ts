import { describeEveryView, otherLooks } from "./testing/every-view.ts";

describeEveryView(otherLooks);
