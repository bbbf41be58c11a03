process.env["PINCER_LOST_RUNS"] = "300";
await import("./lost-parts.test.ts");
