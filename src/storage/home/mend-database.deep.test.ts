process.env["PINCER_DAMAGE_SHARE"] = "1";
await import("./mend-database.test.ts");
