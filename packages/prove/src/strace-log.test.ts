import { expect, it } from "vitest";
import { readStraceLog } from "./strace-log.ts";

const hex = (text: string) =>
  [...Buffer.from(text)].map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("");
const file = (number: number, path: string) => `${number}<${hex(path)}>`;

it("reads writes with their bytes and places", () => {
  const events = readStraceLog([
    `10  openat(AT_FDCWD<${hex("/w")}>, "${hex("/h/a")}", O_WRONLY|O_CREAT|O_TRUNC|O_CLOEXEC, 0666) = ${file(24, "/h/a")}`,
    `10  write(${file(24, "/h/a")}, "${hex("héllo")}", 6) = 6`,
    `10  write(${file(24, "/h/a")}, "${hex("world")}", 5) = 3`,
    `10  pwrite64(${file(21, "/h/core.db")}, "${hex("page")}", 4, 4096) = 4`,
    `10  openat(AT_FDCWD<${hex("/w")}>, "${hex("/h/b")}", O_WRONLY|O_CREAT|O_APPEND|O_CLOEXEC, 0666) = ${file(24, "/h/b")}`,
    `10  write(${file(24, "/h/b")}, "${hex("line\n")}", 5) = 5`,
    `10  ftruncate(${file(21, "/h/core.db")}, 8192) = 0`,
  ]);
  expect(events).toMatchObject([
    { type: "open", path: "/h/a", create: true, truncate: true, append: false },
    { type: "write", path: "/h/a", offset: 0, data: Buffer.from("héllo") },
    { type: "write", path: "/h/a", offset: 6, data: Buffer.from("wor") },
    { type: "write", path: "/h/core.db", offset: 4096, data: Buffer.from("page") },
    { type: "open", path: "/h/b", append: true },
    { type: "write", path: "/h/b", offset: undefined, data: Buffer.from("line\n") },
    { type: "truncate", path: "/h/core.db", length: 8192 },
  ]);
});

it("knows when a call of one thread began and ended among those of others", () => {
  const events = readStraceLog([
    `11  fdatasync(${file(22, "/h/core.db-wal")} <unfinished ...>`,
    `10  pwrite64(${file(22, "/h/core.db-wal")}, "${hex("x")}", 1, 0) = 1`,
    `11  <... fdatasync resumed>)            = 0`,
  ]);
  expect(events).toMatchObject([
    { type: "write", begun: 1, ended: 1 },
    { type: "sync", path: "/h/core.db-wal", begun: 0, ended: 2 },
  ]);
});

it("leaves out what failed and what never ended", () => {
  expect(
    readStraceLog([
      `10  openat(AT_FDCWD<${hex("/w")}>, "${hex("/h/x")}", O_RDONLY) = -1 ENOENT (No such file or directory)`,
      `10  pwrite64(${file(22, "/h/core.db-wal")}, "${hex("x")}", 1, 0) = -1 ENOSPC (No space left on device)`,
      `11  fdatasync(${file(22, "/h/core.db-wal")} <unfinished ...>`,
      `11  +++ killed by SIGKILL +++`,
    ]),
  ).toEqual([]);
});

it("follows names", () => {
  const events = readStraceLog([
    `10  mkdir("${hex("/h/sub")}", 0777) = 0`,
    `10  rename("${hex("/h/a.tmp")}", "${hex("/h/a")}") = 0`,
    `10  renameat2(AT_FDCWD<${hex("/h")}>, "${hex("b.tmp")}", AT_FDCWD<${hex("/h")}>, "${hex("b")}", 0) = 0`,
    `10  unlink("${hex("/h/a")}") = 0`,
    `10  fsync(${file(24, "/h")}) = 0`,
  ]);
  expect(events).toMatchObject([
    { type: "mkdir", path: "/h/sub" },
    { type: "rename", from: "/h/a.tmp", to: "/h/a" },
    { type: "rename", from: "/h/b.tmp", to: "/h/b" },
    { type: "unlink", path: "/h/a" },
    { type: "sync", path: "/h" },
  ]);
});

it("hears what is said on a socket", () => {
  const events = readStraceLog([
    `10  connect(25<UNIX-STREAM:[475676]>, {sa_family=AF_UNIX, sun_path="${hex("/t/net.sock")}"}, 110) = 0`,
    `10  write(25<UNIX-STREAM:[475676->475677]>, "${hex("one\n")}", 4) = 4`,
    `10  writev(25<UNIX-STREAM:[475676->475677]>, [{iov_base="${hex("two\n")}", iov_len=4}, {iov_base="${hex("three\n")}", iov_len=6}], 2) = 10`,
    `10  write(20<${hex("anon_inode:[eventfd]")}>, "${hex("\u0001")}", 8) = 8`,
  ]);
  expect(events).toMatchObject([
    { type: "connect", socket: "475676", path: "/t/net.sock" },
    { type: "say", socket: "475676", data: Buffer.from("one\n") },
    { type: "say", socket: "475676", data: Buffer.from("two\nthree\n") },
  ]);
});
