/**
 * Which questions a program may not even put to the kernel: those that a program of an agent never needs and that holes in walls are made of.
 * Namespaces and the absence of rights keep most of them from doing anything; this is the second lock, and the only one for keys of the session
 * that the gateway was started in, for typing into terminals, for sockets to the machine that hosts this one, and for files that lend their owner's rights.
 * The filter is a program of the kernel's own small language (BPF), as bytes, made for one kind of processor.
 */

/** `local`: sockets that stay in a network of their own. `none`: no socket at all, where the network is shared with the machine. */
export type SocketRule = "local" | "none";

/** Undefined where the numbers of this processor's system calls are not known here. */
export function makeSeccompFilter(arch: string, sockets: SocketRule): Uint8Array | undefined {
  const machine = machines[arch];
  if (!machine) return undefined;
  const { audit, foreign } = machine;
  const number = (name: string): number | undefined => machine.numbers[name];
  const lines: Line[] = [
    load(archOffset),
    jump(ifEqual, audit, 1, 0),
    answer(refuse(ENOSYS)),
    load(numberOffset),
    ...(foreign === undefined ? [] : [jump(ifAtLeast, foreign, 0, 1), answer(refuse(ENOSYS))]),
    ...rulesFor(sockets).flatMap((rule) => linesOf(rule, number(rule.call))),
    answer(allow),
  ];
  return assemble(lines);
}

interface Rule {
  call: string;
  errno: number;
  /** All must hold; without any, the call is refused whatever it asks for. */
  when: Condition[];
}

type Condition = { argument: number; type: "has-any" | "is" | "is-not"; value: number };

const EPERM = 1;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;

const namespaces = 0x7e020000;
const lentRights = 0o6000;
/** O_CREAT and the bit of O_TMPFILE: a file without a name can be given one afterwards. */
const creates = 0o100 | 0o20000000;

function rulesFor(sockets: SocketRule): Rule[] {
  const never = (call: string, errno = EPERM): Rule => ({ call, errno, when: [] });
  const when = (call: string, ...conditions: Condition[]): Rule => ({ call, errno: EPERM, when: conditions });
  const has = (argument: number, value: number): Condition => ({ argument, type: "has-any", value });
  const is = (argument: number, value: number): Condition => ({ argument, type: "is", value });
  const isNot = (argument: number, value: number): Condition => ({ argument, type: "is-not", value });
  const families = [1, 2, 10, 16];
  return [
    ...neverCalled.map((call) => never(call)),
    // What these ask for lies in memory, where a filter cannot look; programs go on with the older call.
    never("clone3", ENOSYS),
    never("openat2", ENOSYS),
    when("unshare", has(0, namespaces | 0x80)),
    when("clone", has(0, namespaces)),
    when("ioctl", is(1, 0x5412)),
    when("ioctl", is(1, 0x541c)),
    when("chmod", has(1, lentRights)),
    when("fchmod", has(1, lentRights)),
    when("fchmodat", has(2, lentRights)),
    when("fchmodat2", has(2, lentRights)),
    when("creat", has(1, lentRights)),
    when("mknod", has(1, lentRights)),
    when("mknodat", has(2, lentRights)),
    when("open", has(1, creates), has(2, lentRights)),
    when("openat", has(2, creates), has(3, lentRights)),
    sockets === "none"
      ? never("socket")
      : { call: "socket", errno: EAFNOSUPPORT, when: families.map((family) => isNot(0, family)) },
  ];
}

const neverCalled = [
  "mount",
  "umount2",
  "pivot_root",
  "chroot",
  "setns",
  "fsopen",
  "fsconfig",
  "fsmount",
  "fspick",
  "move_mount",
  "open_tree",
  "mount_setattr",
  "open_by_handle_at",
  "swapon",
  "swapoff",
  "reboot",
  "acct",
  "quotactl",
  "syslog",
  "settimeofday",
  "clock_settime",
  "init_module",
  "finit_module",
  "delete_module",
  "kexec_load",
  "kexec_file_load",
  "iopl",
  "ioperm",
  "bpf",
  "perf_event_open",
  "userfaultfd",
  "io_uring_setup",
  "io_uring_enter",
  "io_uring_register",
  "keyctl",
  "add_key",
  "request_key",
];

interface Processor {
  audit: number;
  /** From this number on the calls of another set of numbers begin. */
  foreign?: number;
  numbers: Record<string, number>;
}

/** The same on every processor. */
const newer = {
  io_uring_setup: 425,
  io_uring_enter: 426,
  io_uring_register: 427,
  open_tree: 428,
  move_mount: 429,
  fsopen: 430,
  fsconfig: 431,
  fsmount: 432,
  fspick: 433,
  clone3: 435,
  openat2: 437,
  mount_setattr: 442,
  fchmodat2: 452,
};

const machines: Record<string, Processor> = {
  x64: {
    audit: 0xc000003e,
    foreign: 0x40000000,
    numbers: {
      ...newer,
      open: 2,
      ioctl: 16,
      socket: 41,
      clone: 56,
      creat: 85,
      chmod: 90,
      fchmod: 91,
      syslog: 103,
      mknod: 133,
      pivot_root: 155,
      chroot: 161,
      acct: 163,
      settimeofday: 164,
      mount: 165,
      umount2: 166,
      swapon: 167,
      swapoff: 168,
      reboot: 169,
      iopl: 172,
      ioperm: 173,
      init_module: 175,
      delete_module: 176,
      quotactl: 179,
      clock_settime: 227,
      kexec_load: 246,
      add_key: 248,
      request_key: 249,
      keyctl: 250,
      openat: 257,
      mknodat: 259,
      fchmodat: 268,
      unshare: 272,
      perf_event_open: 298,
      open_by_handle_at: 304,
      setns: 308,
      finit_module: 313,
      kexec_file_load: 320,
      bpf: 321,
      userfaultfd: 323,
    },
  },
  arm64: {
    audit: 0xc00000b7,
    numbers: {
      ...newer,
      ioctl: 29,
      mknodat: 33,
      umount2: 39,
      mount: 40,
      pivot_root: 41,
      chroot: 51,
      fchmod: 52,
      fchmodat: 53,
      openat: 56,
      quotactl: 60,
      acct: 89,
      unshare: 97,
      kexec_load: 104,
      init_module: 105,
      delete_module: 106,
      clock_settime: 112,
      syslog: 116,
      reboot: 142,
      settimeofday: 170,
      socket: 198,
      add_key: 217,
      request_key: 218,
      keyctl: 219,
      clone: 220,
      swapon: 224,
      swapoff: 225,
      perf_event_open: 241,
      open_by_handle_at: 265,
      setns: 268,
      finit_module: 273,
      bpf: 280,
      userfaultfd: 282,
      kexec_file_load: 294,
    },
  },
};

/** One line of the kernel's language: what to do, where to go on if so and if not, and a number. */
type Line = readonly [code: number, then: number, otherwise: number, value: number];

const ifEqual = 0x15;
const ifAtLeast = 0x35;
const ifAny = 0x45;
const numberOffset = 0;
const archOffset = 4;
/** The lower half of an argument; what is looked at here has no upper half. */
const argumentOffset = (argument: number) => 16 + 8 * argument;
const allow = 0x7fff0000;
const refuse = (errno: number) => 0x00050000 | errno;

const load = (offset: number): Line => [0x20, 0, 0, offset];
const answer = (value: number): Line => [0x06, 0, 0, value];
const jump = (code: number, value: number, then: number, otherwise: number): Line => [
  code,
  then,
  otherwise,
  value,
];

/** Every way that does not end in the refusal leads to the last line, which has the number of the call in hand again. */
function linesOf({ errno, when }: Rule, number: number | undefined): Line[] {
  if (number === undefined) return [];
  const toLast = (done: number) => 2 * when.length - done + 1;
  return [
    jump(ifEqual, number, 0, toLast(0)),
    ...when.flatMap(({ argument, type, value }, index) => {
      const away = toLast(2 * (index + 1));
      const test = jump(type === "has-any" ? ifAny : ifEqual, value, 0, away);
      const opposite = jump(ifEqual, value, away, 0);
      return [load(argumentOffset(argument)), type === "is-not" ? opposite : test];
    }),
    answer(refuse(errno)),
    load(numberOffset),
  ];
}

function assemble(lines: readonly Line[]): Uint8Array {
  const bytes = new Uint8Array(8 * lines.length);
  const view = new DataView(bytes.buffer);
  for (const [index, [code, then, otherwise, value]] of lines.entries()) {
    view.setUint16(8 * index, code, true);
    view.setUint8(8 * index + 2, then);
    view.setUint8(8 * index + 3, otherwise);
    view.setUint32(8 * index + 4, value >>> 0, true);
  }
  return bytes;
}
