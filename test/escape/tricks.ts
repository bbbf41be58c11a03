/**
 * Ways out, as scripts for `sh`. One that got out prints `ESCAPED`, or something with the canary in it. OUTSIDE, PINCER, WORK, NODE, PORT and DECOY
 * name what there is to reach. `walls` names those that must hold it; without it, all of them.
 */
import type { WallKind } from "../../src/sandbox/walls/wall.ts";

export interface Trick {
  name: string;
  script: string;
  walls?: readonly WallKind[];
}

const namespaces = ["bubblewrap"] as const;
const escaped = "&& echo ESCAPED";
/** Runs a line of JavaScript; `way` is what it connects to. */
const connect = (way: string) =>
  `"$NODE" -e 'const s = require("node:net").connect(${way}); s.on("connect", () => { console.log("ESCAPED"); process.exit() }); s.on("error", () => process.exit(1)); setTimeout(() => process.exit(1), 3000)'`;
/** Answers with what the kernel says to a call by its number. */
const system = (numbers: { x64: number; arm64: number }, ...args: string[]) => {
  const number = process.arch === "arm64" ? numbers.arm64 : numbers.x64;
  return `perl -e 'my $r = syscall(${[number, ...args].join(", ")}); print $r >= 0 || $! != 1 ? "ESCAPED $!" : "refused"'`;
};

export const fileTricks: Trick[] = [
  { name: "reads a file outside", script: `cat "$OUTSIDE/canary.txt"` },
  {
    name: "reads somebody's key",
    script: `cat "$OUTSIDE/.ssh/id_ed25519"; find /home /root /tmp /run /var /etc -name id_ed25519 -exec cat {} + 2>/dev/null`,
  },
  { name: "reads the password hashes", script: `cat /etc/shadow /etc/gshadow ${escaped}` },
  {
    name: "reads keys of the machine",
    script: `ls /etc/ssl/private /etc/ssh /etc/pki/tls/private /etc/sudoers 2>/dev/null | grep . ${escaped}`,
  },
  {
    name: "reads what services keep beside their programs",
    script: `for d in /usr/local/etc /usr/local/src /usr/src /usr/etc; do ls "$d" 2>/dev/null ${escaped}; done`,
  },
  { name: "knows the machine by its id", script: `cat /etc/machine-id ${escaped}`, walls: namespaces },
  { name: "reads Pincer's secrets", script: `cat "$PINCER/secrets.json" ${escaped}` },
  { name: "reads Pincer's database", script: `cat "$PINCER/core.db" "$WORK/../core.db"` },
  { name: "lists Pincer's home", script: `ls -a "$PINCER" | grep -E "secrets|core" ${escaped}` },
  {
    name: "goes up from the workdir",
    script: `cd .. && ls -a | grep -E "secrets|core" ${escaped}; cat ../../../outside/canary.txt`,
  },
  {
    name: "reads through a link",
    script: `ln -sf "$OUTSIDE/canary.txt" link; cat link; ln -sf /etc/shadow shadow; cat shadow ${escaped}`,
  },
  {
    name: "makes a hard link to something outside",
    script: `ln "$OUTSIDE/canary.txt" hard && cat hard; ln "$PINCER/core.db" hard2 && cat hard2`,
  },
  {
    name: "reads through /proc",
    script: `for p in /proc/[0-9]* /proc/self; do cat "$p/root$OUTSIDE/canary.txt" "$p/cwd/../outside/canary.txt"; done`,
  },
  {
    name: "reads the words of other processes",
    script: `cat /proc/[0-9]*/cmdline | tr "\\0" "\\n" | grep ^canary`,
    walls: namespaces,
  },
  {
    name: "reads the environment of other processes",
    script: `cat /proc/[0-9]*/environ | tr "\\0" "\\n" | grep -E "CANARY|PINCER_TEST"`,
  },
  {
    name: "reads the environment of the process that started it",
    script: `env | grep PINCER_TEST ${escaped}; tr "\\0" "\\n" < /proc/1/environ | grep PINCER_TEST ${escaped}`,
  },
  {
    name: "reads the memory of another process",
    script: `head -c 1 "/proc/$DECOY/mem" ${escaped}; cat "/proc/$DECOY/maps" ${escaped}`,
  },
  {
    name: "writes outside",
    script: `(echo broken > "$OUTSIDE/canary.txt") ${escaped}; (: > "$OUTSIDE/new") ${escaped}`,
    walls: ["landlock"],
  },
  { name: "writes into Pincer's home", script: `echo broken > "$PINCER/secrets.json" ${escaped}` },
  {
    name: "empties a file outside",
    script: `perl -e 'truncate("$ENV{OUTSIDE}/canary.txt", 0) and print "ESCAPED"'`,
  },
  {
    name: "moves a file out",
    script: `echo x > mine; mv mine /usr/local/pincer-escape ${escaped}; mv mine "$PINCER/mine" ${escaped}`,
  },
  {
    name: "writes into the system",
    script: `for d in /usr /usr/bin /usr/local /etc /opt /; do (: > "$d/pincer-escape") ${escaped}; done`,
  },
  { name: "writes through a link", script: `ln -sfn /usr/local there; (: > there/pincer-escape) ${escaped}` },
  { name: "makes a device", script: `mknod disk b 8 0 ${escaped}; mknod memory c 1 1 ${escaped}` },
];

const here = `my ($at, $name) = (-100, "lent");`;
const legacy = process.arch === "x64";
/** What makes `lent` a file whose rights are its owner's, in the words of Perl. Numbers that this processor does not have are left out. */
const lendings: Array<{ by: string; perl: string; isHere?: boolean }> = [
  { by: "chmod", perl: `open F, ">", $name; chmod 06755, $name` },
  { by: "fchmod", perl: `open F, ">", $name; chmod 06755, *F` },
  { by: "fchmodat", perl: `open F, ">", $name; syscall(${legacy ? 268 : 53}, $at, $name, 06755)` },
  { by: "fchmodat2", perl: `open F, ">", $name; syscall(452, $at, $name, 06755, 0)` },
  { by: "creat", perl: `syscall(85, $name, 06755)`, isHere: legacy },
  { by: "mknod", perl: `syscall(133, $name, 0106755, 0)`, isHere: legacy },
  { by: "mknodat", perl: `syscall(${legacy ? 259 : 33}, $at, $name, 0106755, 0)` },
  { by: "open", perl: `syscall(2, $name, 0101, 06755)`, isHere: legacy },
  { by: "openat", perl: `syscall(${legacy ? 257 : 56}, $at, $name, 0101, 06755)` },
  { by: "openat2", perl: `my $how = pack("Q3", 0101, 06755, 0); syscall(437, $at, $name, $how, 24)` },
  {
    by: "a file that gets its name afterwards",
    perl: `my $dir = "."; my $f = syscall(${legacy ? 257 : 56}, $at, $dir, ${legacy ? "020200002" : "020040002"}, 06755); my $own = "/proc/self/fd/$f"; syscall(${legacy ? 265 : 37}, $at, $own, $at, $name, 0x400)`,
  },
];

export const lendingTricks: Trick[] = [
  {
    name: "lends its rights by the usual programs",
    script: `umask 0; cp /bin/true lent; chmod 4755 lent; chmod 2755 lent; install -m 4755 /bin/true lent2; mkdir -m 2777 lent3; find . -perm /6000 | grep . ${escaped}`,
  },
  ...lendings
    .filter(({ isHere = true }) => isHere)
    .map(({ by, perl }) => ({
      name: `lends its rights by ${by}`,
      script: `umask 0; perl -e '${here} ${perl}'; find . -perm /6000 | grep . ${escaped}`,
    })),
];

export const kernelTricks: Trick[] = [
  {
    name: "turns a switch of the kernel",
    script: `v=$(cat /proc/sys/kernel/core_pattern); (echo "$v" > /proc/sys/kernel/core_pattern) ${escaped}; v=$(cat /proc/sys/vm/swappiness); (echo "$v" > /proc/sys/vm/swappiness) ${escaped}`,
  },
  { name: "calls for the kernel's help", script: `(echo h > /proc/sysrq-trigger) ${escaped}` },
  {
    name: "mounts something",
    script: `mkdir -p m; mount -t tmpfs none m ${escaped}; mount --bind /usr m ${escaped}; mount -t proc none m ${escaped}`,
  },
  {
    name: "makes the system writable",
    script: `mount -o remount,rw,bind /usr ${escaped}; mount -o remount,rw / ${escaped}`,
    walls: namespaces,
  },
  {
    name: "uncovers what is hidden",
    script: `umount "$PINCER" ${escaped}; umount -l /tmp ${escaped}; umount -l /proc ${escaped}`,
    walls: namespaces,
  },
  {
    name: "changes the root",
    script: `chroot / true ${escaped}; ${system({ x64: 155, arm64: 41 }, `my $a = "."`, `my $b = "."`)}`,
  },
  {
    name: "makes a user namespace",
    script: `unshare -Ur true ${escaped}; unshare -m true ${escaped}; unshare -n true ${escaped}; ${system({ x64: 272, arm64: 97 }, "0x10000000")}`,
  },
  {
    name: "makes a user namespace by clone",
    script: system({ x64: 56, arm64: 220 }, "0x10000011", "0", "0", "0", "0"),
  },
  {
    name: "enters the namespaces of another",
    script: `for p in 1 "$DECOY"; do nsenter -t "$p" -m -- true ${escaped}; nsenter -t "$p" -n -- true ${escaped}; done; ${system({ x64: 308, arm64: 268 }, "0", "0")}`,
  },
  {
    name: "opens raw devices",
    script: `for d in /dev/mem /dev/kmem /dev/port /dev/sda /dev/vda /dev/nvme0n1 /dev/kmsg /dev/vsock; do (: < "$d") ${escaped}; done`,
  },
  { name: "sees the machine's devices", script: `ls /sys/class /sys/kernel ${escaped}` },
  {
    name: "uses keys of the session",
    script: `${system({ x64: 250, arm64: 219 }, "0", "-3", "0")}; ${system({ x64: 248, arm64: 217 }, `my $t = "user"`, `my $d = "pincer"`, `my $v = "x"`, "1", "-3")}`,
  },
  {
    name: "loads a program into the kernel",
    script: `${system({ x64: 321, arm64: 280 }, "0", "0", "0")}; ${system({ x64: 298, arm64: 241 }, "0", "0", "0", "0", "0")}`,
  },
  { name: "handles faults of memory itself", script: system({ x64: 323, arm64: 282 }, "0") },
  { name: "asks by a ring in memory", script: system({ x64: 425, arm64: 425 }, "1", "0") },
  {
    name: "mounts in the newer way",
    script: `${system({ x64: 430, arm64: 430 }, `my $t = "tmpfs"`, "0")}; ${system({ x64: 428, arm64: 428 }, "-100", `my $p = "/"`, "1")}`,
  },
  { name: "opens by a handle", script: system({ x64: 304, arm64: 265 }, "0", "0", "0") },
  {
    name: "has rights",
    script: `grep -E "^Cap(Inh|Prm|Eff|Amb)" /proc/self/status | grep -v 0000000000000000 ${escaped}; grep -q "NoNewPrivs:.0" /proc/self/status ${escaped}`,
  },
  {
    name: "has its memory written down when it crashes",
    script: `ulimit -c unlimited 2>/dev/null ${escaped}; grep "core file" /proc/self/limits | grep -vE " 1 +1 " ${escaped}; sh -c 'kill -SEGV $$'; ls | grep core ${escaped}`,
  },
  {
    name: "types into a terminal",
    script: `echo 'my $x = "x"; my $r = ioctl(STDIN, 0x5412, $x); print $r || $! != 1 ? "ESCAPED" : "refused"' > type.pl; script -qec "perl type.pl" /dev/null`,
  },
  { name: "speaks to the machine's host", script: `perl -e 'socket(S, 40, 1, 0) and print "ESCAPED"'` },
  {
    name: "signals a process of the machine",
    script: `kill -0 "$DECOY" ${escaped}; kill -TERM "$DECOY" ${escaped}; kill -KILL "$DECOY" ${escaped}`,
  },
  {
    name: "traces a process of the machine",
    script: `perl -e 'syscall(${process.arch === "arm64" ? 117 : 101}, 16, $ENV{DECOY} + 0, 0, 0) == 0 and print "ESCAPED"'`,
  },
];

export const networkTricks: Trick[] = [
  {
    name: "reaches the machine's loopback",
    script: connect(`{ port: ${"Number(process.env.PORT)"}, host: "127.0.0.1" }`),
  },
  { name: "reaches the metadata address", script: connect(`{ port: 80, host: "169.254.169.254" }`) },
  {
    name: "reaches the private network",
    script: `${connect(`{ port: 22, host: "10.0.0.1" }`)}; ${connect(`{ port: 80, host: "192.168.0.1" }`)}`,
  },
  {
    name: "asks for a name",
    script: `"$NODE" -e 'require("node:dns").resolve4("example.org", (error) => { if (!error) console.log("ESCAPED"); process.exit() }); setTimeout(() => process.exit(), 3000)'; getent hosts example.org ${escaped}`,
  },
  {
    name: "sends a datagram",
    script: `perl -e 'use Socket; socket(S, AF_INET, SOCK_DGRAM, 0) and send(S, "x", 0, pack_sockaddr_in(53, inet_aton("8.8.8.8"))) and print "ESCAPED"'`,
  },
  {
    name: "reaches a socket of the machine by its path",
    script: connect(`process.env.OUTSIDE + "/outside.sock"`),
  },
  { name: "reaches the gateway's socket", script: connect(`process.env.PINCER + "/gateway.sock"`) },
  {
    name: "reaches a socket of the machine by an abstract name",
    script: connect(`"\\0" + process.env.ABSTRACT`),
  },
  {
    name: "finds sockets of the machine's services",
    script: `ls /var/run/docker.sock /run/docker.sock /run/podman /run/dbus /run/user /tmp/.X11-unix /run/containerd 2>/dev/null | grep . ${escaped}`,
    walls: namespaces,
  },
];

/** What a guard of patterns let through: it does not matter here what starts what. */
export const disguises: Trick[] = [
  {
    name: "make",
    script: `printf 'all:\\n\\t@cat "$(OUTSIDE)/canary.txt" "$(PINCER)/core.db"\\n' > Makefile; make -s`,
  },
  {
    name: "a script of a package",
    script: `printf '{"scripts":{"steal":"cat \\\\"$OUTSIDE/canary.txt\\\\" \\\\"$PINCER/core.db\\\\""}}' > package.json; "$NODE" --run steal; command -v npm >/dev/null && npm run --silent steal`,
  },
  {
    name: "a shell in a shell",
    script: `{ command -v busybox >/dev/null && busybox sh -c 'cat "$OUTSIDE/canary.txt"'; }; env sh -c 'nice sh -c "cat $OUTSIDE/canary.txt"'; perl -e 'exec "cat", "$ENV{OUTSIDE}/canary.txt"'`,
  },
  {
    name: "abbreviated long options",
    script: `echo x > f; sort --outp="/usr/local/pincer-escape" f ${escaped}; sort --outp="$PINCER/core.db" f ${escaped}; tar --cre --fil=/dev/null --checkpoint=1 --checkpoint-act=exec='cat "$OUTSIDE/canary.txt"' f`,
  },
  { name: "line breaks", script: `echo a\ncat "$OUTSIDE/canary.txt"\n\ncat "$PINCER/core.db"` },
  {
    name: "letters that look alike",
    script: `mkdir -p bin; printf '#!/bin/sh\\ncat "$OUTSIDE/canary.txt" "$PINCER/core.db"\\n' > bin/саt; chmod +x bin/саt; PATH="$PWD/bin:$PATH" саt; саt "$OUTSIDE/canary.txt"`,
  },
  {
    name: "text that is decoded first",
    script: `echo Y2F0ICIkT1VUU0lERS9jYW5hcnkudHh0Igo= | base64 -d | sh; $(printf '\\143\\141\\164') "$OUTSIDE/canary.txt"`,
  },
];
