/** Files of the workdir: renamed, sorted, added up, converted. */
import type { Corpus } from "./case.ts";

const expenses = "date,what,euros\n2026-05-01,bread,3.20\n2026-05-02,bus,2.80\n2026-05-03,cinema,11.00\n";

export const cases: Corpus = [
  {
    type: "task",
    id: "task-files-sum-csv",
    kind: "files",
    world: { files: { "expenses.csv": expenses } },
    says: [
      {
        text: "How much did I spend according to expenses.csv?",
        script: [
          {
            call: "exec",
            with: {
              command: "awk -F, 'NR > 1 { sum += $3 } END { printf \"total %.2f\\n\", sum }' expenses.csv",
            },
          },
          { text: "{{seen:/total (17\\.00)/}} euros." },
        ],
      },
    ],
    done: [{ replied: "17.00 euros" }],
  },
  {
    type: "task",
    id: "task-files-rename",
    kind: "files",
    world: { files: { "photos/IMG_1.txt": "one", "photos/IMG_2.txt": "two" } },
    says: [
      {
        text: "Rename the files in photos so that they begin with lake- instead of IMG_.",
        script: [
          { call: "list", with: { path: "photos" } },
          {
            call: "exec",
            with: { command: 'for f in IMG_*; do mv "$f" "lake-${f#IMG_}"; done; ls', cwd: "photos" },
          },
          { text: "Renamed." },
        ],
      },
    ],
    done: [{ file: "photos/lake-1.txt", includes: "one" }, { noFile: "photos/IMG_1.txt" }],
  },
  {
    type: "task",
    id: "task-files-convert",
    kind: "files",
    world: { files: { "expenses.csv": expenses } },
    says: [
      {
        text: "Convert expenses.csv to JSON.",
        script: [
          { call: "read", with: { path: "expenses.csv" } },
          {
            call: "exec",
            with: {
              command:
                "python3 -c \"import csv,json; json.dump(list(csv.DictReader(open('expenses.csv'))), open('expenses.json','w'))\"",
            },
          },
          { text: "See expenses.json." },
        ],
      },
    ],
    done: [{ file: "expenses.json", includes: '"what": "cinema"' }],
  },
  {
    type: "task",
    id: "task-files-clean-up",
    kind: "files",
    world: { files: { "tmp/a.bak": "1", "tmp/b.bak": "2", "tmp/keep.txt": "3" } },
    says: [
      {
        text: "Delete the .bak files in tmp.",
        script: [
          { call: "exec", with: { command: "rm tmp/*.bak && ls tmp" } },
          { text: "Two files deleted." },
        ],
      },
    ],
    done: [{ noFile: "tmp/a.bak" }, { noFile: "tmp/b.bak" }, { file: "tmp/keep.txt" }],
  },
  {
    type: "task",
    id: "task-files-search-text",
    kind: "files",
    world: {
      files: { "contracts/phone.txt": "Notice period: 3 months.", "contracts/gym.txt": "Notice: 4 weeks." },
    },
    says: [
      {
        text: "In which contract is the notice period longest?",
        script: [
          { call: "search", with: { query: "Notice", path: "contracts" } },
          { text: "The phone: {{seen:/3 months/}}." },
        ],
      },
    ],
    done: [{ replied: "3 months" }],
  },
  {
    type: "task",
    id: "task-files-merge",
    kind: "files",
    world: { files: { "week/mon.md": "ran 5 km\n", "week/tue.md": "swam 1 km\n" } },
    says: [
      {
        text: "Merge the notes in week/ into one week.md.",
        script: [
          { call: "exec", with: { command: "cat week/*.md > week.md; cat week.md" } },
          { text: "Merged: {{seen:/ran 5 km/}} and {{seen:/swam 1 km/}}." },
        ],
      },
    ],
    done: [{ file: "week.md", includes: "ran 5 km\nswam 1 km" }],
  },
  {
    type: "task",
    id: "task-files-translate",
    kind: "files",
    world: { files: { "letter.txt": "Sehr geehrte Frau Ada, Ihr Paket ist da.\n" } },
    says: [
      {
        text: "Translate letter.txt into English and save it as letter.en.txt",
        script: [
          { call: "read", with: { path: "letter.txt" } },
          { call: "write", with: { path: "letter.en.txt", content: "Dear Ms Ada, your parcel is here.\n" } },
          { text: "Saved as letter.en.txt." },
        ],
      },
    ],
    done: [
      { result: "read", includes: "Paket" },
      { file: "letter.en.txt", includes: "parcel" },
    ],
  },
  {
    type: "task",
    id: "task-files-counts",
    kind: "files",
    world: { files: { "essay.txt": "one two three four five\n" } },
    says: [
      {
        text: "How many words has essay.txt?",
        script: [
          { call: "exec", with: { command: "wc -w essay.txt" } },
          { text: "{{seen:/(5) essay\\.txt/}} words." },
        ],
      },
    ],
    done: [{ replied: "5 words" }],
  },
  {
    type: "task",
    id: "task-files-send-total",
    kind: "files",
    world: { files: { "expenses.csv": expenses } },
    says: [
      {
        text: "Add up expenses.csv and tell Carla the total.",
        script: [
          {
            call: "exec",
            with: {
              command: "awk -F, 'NR > 1 { sum += $3 } END { printf \"total %.2f\\n\", sum }' expenses.csv",
            },
          },
          {
            call: "message",
            with: { action: "send", to: "carla", text: "We spent {{seen:/total (17\\.00)/}} euros." },
          },
          { text: "Carla knows." },
        ],
      },
    ],
    done: [{ effect: { type: "message", to: "pigeon:503", text: "…17.00 euros" } }],
  },
  {
    type: "task",
    id: "task-files-zh-sum",
    kind: "files",
    world: { files: { "账本.csv": "日期,项目,金额\n5-1,早餐,12\n5-2,地铁,6\n5-3,书,45\n" } },
    says: [
      {
        text: "算一下账本.csv 一共花了多少",
        script: [
          {
            call: "exec",
            with: { command: "awk -F, 'NR > 1 { s += $3 } END { print \"sum\", s }' 账本.csv" },
          },
          { text: "一共 {{seen:/sum (63)/}} 元。" },
        ],
      },
    ],
    done: [{ replied: "63 元" }],
  },
  {
    type: "task",
    id: "task-files-zh-rename",
    kind: "files",
    world: { files: { "downloads/scan001.txt": "租房合同" } },
    says: [
      {
        text: "把 downloads/scan001.txt 改名叫 租房合同.txt，放到 文件 目录里",
        script: [
          { call: "read", with: { path: "downloads/scan001.txt" } },
          { call: "exec", with: { command: "mkdir -p 文件 && mv downloads/scan001.txt 文件/租房合同.txt" } },
          { text: "放好了。" },
        ],
      },
    ],
    done: [{ file: "文件/租房合同.txt" }, { noFile: "downloads/scan001.txt" }],
  },
  {
    type: "task",
    id: "task-files-zh-report",
    kind: "files",
    world: { files: { "周报/张三.md": "完成了登录页\n", "周报/李四.md": "修了三个缺陷\n" } },
    says: [
      {
        text: "把周报目录里的内容汇总成 周报汇总.md",
        script: [
          { call: "list", with: { path: "周报" } },
          {
            calls: [
              { call: "read", with: { path: "周报/张三.md" } },
              { call: "read", with: { path: "周报/李四.md" } },
            ],
          },
          {
            call: "write",
            with: {
              path: "周报汇总.md",
              content: "- 张三：{{seen:/完成了登录页/}}\n- 李四：{{seen:/修了三个缺陷/}}\n",
            },
          },
          { text: "汇总好了。" },
        ],
      },
    ],
    done: [{ file: "周报汇总.md", includes: "李四：修了三个缺陷" }],
  },
];
