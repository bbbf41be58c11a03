// The staircase: the folders of src/, from the bottom up. A folder imports only from the rows below it.
// Folders on one row do not know each other; `app` connects them.
const rows = [
  ["infra"],
  ["config", "client"],
  ["storage", "sandbox"],
  ["models", "tools", "memory", "skills", "policy"],
  ["gate"],
  ["agent"],
  ["routing"],
  ["channels", "plugins"],
  ["gateway"],
  ["operate"],
  ["app"],
  ["cli"],
];

const downOnly = rows.flatMap((row, height) =>
  row.map((folder) => {
    const above = rows.slice(height + 1).flat();
    const beside = row.filter((other) => other !== folder);
    return {
      name: `${folder}-looks-down-only`,
      severity: "error",
      from: { path: `^src/${folder}/` },
      // "-" is not a folder; it keeps the pattern valid for the top row.
      to: { path: `^src/(${[...above, ...beside, "-"].join("|")})/` },
    };
  }),
);

/** Packages that look at the whole product from outside. The command of the same name loads one when it runs. */
const onDemand = ["prove", "memory-bench"];

const known = rows.flat().join("|");
const forbid = (name, from, to) => ({ name, severity: "error", from, to });

module.exports = {
  forbidden: [
    ...downOnly,
    forbid("every-folder-has-its-step", { path: `^src/(?!(${known})/)[^/]+/` }, {}),
    forbid("no-cycles", {}, { circular: true }),
    forbid(
      "front-doors-do-no-work-themselves",
      { path: "^src/cli/" },
      // Commands that work without a gateway open the home's stores and run its turns themselves.
      { path: "^src/", pathNot: "^src/(cli|app|operate|gateway|routing|storage|client|config|infra)/" },
    ),
    forbid(
      "a-connector-knows-only-the-sdk",
      { path: "^channels/([^/]+)/" },
      { path: "^(src|web|channels)/", pathNot: "^channels/$1/" },
    ),
    forbid("the-core-names-no-connector", { path: "^src/", pathNot: "^src/app/" }, { path: "^channels/" }),
    ...onDemand.map((name) =>
      forbid(
        `${name}-knows-no-front-door`,
        { path: `^packages/${name}/` },
        { path: "^(src/cli|web|channels)/" },
      ),
    ),
    ...onDemand.map((name) =>
      forbid(
        `only-its-command-loads-${name}`,
        {
          path: "^(src|channels|web|packages)/",
          pathNot: `^(src/cli/commands/${name}\\.ts$|packages/${name}/)`,
        },
        { path: `^packages/${name}/` },
      ),
    ),
    forbid("the-sdk-knows-nobody", { path: "^packages/sdk/" }, { path: "^(src|web|channels)/" }),
    forbid(
      "the-browser-knows-only-the-sdk",
      { path: "^web/" },
      // A table of texts that page and gateway both say.
      {
        path: "^(src|channels)/",
        pathNot: "^src/infra/texts/(changes|dry-run|gate-reasons|granted|table)\\.ts$",
      },
    ),
    forbid(
      "the-product-knows-no-tests",
      { path: "^(src|packages)/", pathNot: "(/testing/|\\.test\\.ts$)" },
      { path: "(/testing/|\\.test\\.ts$|^test/|^bench/)" },
    ),
  ],
  options: {
    tsPreCompilationDeps: true, // type imports count: most real-world tangles are made of types
    tsConfig: { fileName: "tsconfig.json" },
    doNotFollow: { path: "node_modules" },
    exclude: { path: "\\.test\\.ts$" },
  },
};
