import type { TextTable } from "./table.ts";

/** What programs are kept in by, what that does not keep in, and why there may be nothing. */
export const wallTexts = {
  "walls.bad-path": {
    en: "The path {path} cannot be sandboxed.",
    zh: "无法围绕路径 {path} 建立沙箱。",
  },
  "walls.bad-call": {
    en: "A program without a name, or with an invalid variable name, cannot run in a sandbox.",
    zh: "没有名称的程序，或名称无效的环境变量，无法在沙箱中运行。",
  },
  "walls.workdir-too-wide": {
    en: "{path} is too broad for a workdir: programs in the sandbox could change the system itself.",
    zh: "{path} 范围过大，不能用作工作目录：沙箱中的程序将能改动系统本身。",
  },
  "walls.workdir-too-wide.next": {
    en: "Set agents.defaults.workspace to a dedicated directory.",
    zh: "请在 agents.defaults.workspace 中指定一个单独的目录。",
  },
  "walls.readable-too-wide": {
    en: "tools.exec.readable contains /, the whole machine: programs could read everything.",
    zh: "tools.exec.readable 指定了 /（整台机器）：程序将不受任何隔离。",
  },
  "walls.readable-too-wide.next": {
    en: "List only the directories that programs need in tools.exec.readable, or disable the sandbox with tools.exec.sandbox.",
    zh: "请在 tools.exec.readable 中只列出程序需要的目录，或用 tools.exec.sandbox 关闭沙箱。",
  },
  "walls.workdir-closed": {
    en: "{path} cannot be a workdir: it is Pincer's own home.",
    zh: "{path} 不能用作工作目录：它是 Pincer 自己的主目录。",
  },
  "walls.closed-in-view": {
    en: "This sandbox cannot hide {closed} inside {path}.",
    zh: "此沙箱无法在 {path} 中隐藏 {closed}。",
  },
  "walls.closed-in-view.next": {
    en: "Set another workdir in agents.defaults.workspace, or move Pincer's home. On Linux, bubblewrap can hide it: apt-get install bubblewrap, and tools.exec.sandbox: local.",
    zh: "请在 agents.defaults.workspace 中指定另一个工作目录，或移动 Pincer 的主目录。在 Linux 上 bubblewrap 可以隐藏它：apt-get install bubblewrap，并设置 tools.exec.sandbox: local。",
  },
  "walls.container-path": {
    en: "A container cannot mount the path {path}: its name contains a comma, a colon, a quote or a line break.",
    zh: "无法将路径 {path} 交给容器：其名称包含逗号、冒号、引号或换行。",
  },
  "walls.container-path.next": {
    en: "Rename the directory, or use tools.exec.sandbox: local.",
    zh: "请重命名该目录，或使用 tools.exec.sandbox: local。",
  },
  "walls.bad-name": {
    en: "{name} is not a valid name for a program in a sandbox.",
    zh: "{name} 不能用作沙箱中程序的名称。",
  },

  "walls.gap.no-filter": {
    en: "Perl is missing: system calls are not filtered, and neither processes nor memory are limited.",
    zh: "没有 Perl：系统调用不受过滤，进程数和内存也不受限制。",
  },
  "walls.gap.root-forks": {
    en: "Pincer runs as root, for whom the kernel does not limit the number of processes.",
    zh: "Pincer 以 root 身份运行，内核不限制其进程数量。",
  },
  "walls.gap.namespaces": {
    en: "Programs can create user namespaces, which kernel exploits have often needed.",
    zh: "程序可以自行创建用户命名空间，而内核漏洞往往需要它。",
  },
  "walls.gap.memory": {
    en: "Memory is limited per process, not in total; disk space is not limited.",
    zh: "内存按单个进程限制，而非全部进程合计；磁盘空间不受限制。",
  },
  "walls.gap.landlock-processes": {
    en: "Programs see which other processes run, but not their memory.",
    zh: "程序能看到有哪些其他进程在运行，但看不到其内容。",
  },
  "walls.gap.landlock-signals": {
    en: "This kernel lets programs send signals to your other processes, Pincer among them.",
    zh: "此内核允许程序向你的其他进程（包括 Pincer）发送信号。",
  },
  "walls.gap.landlock-modes": {
    en: "Programs can see which files exist, and change the mode and times of your files, but not read or write them.",
    zh: "程序可以查询有哪些文件，并更改属于你的文件的权限和时间；但不能读写它们。",
  },
  "walls.gap.landlock-network": {
    en: "Programs have no network at all, not even loopback: tools.exec.network.allow has no effect, and local servers do not start.",
    zh: "程序完全没有网络，连自己的也没有：tools.exec.network.allow 不起作用，本地服务器也无法启动。",
  },
  "walls.gap.landlock-steering": {
    en: "Programs can write files that control the assistant; these are restored when the program ends.",
    zh: "程序可以写入引导助手的文件；程序结束后这些文件会被恢复。",
  },
  "walls.gap.landlock-outlive": {
    en: "Background processes of a program may continue if Pincer itself is killed.",
    zh: "若 Pincer 自身被强行终止，程序留在后台的进程可能继续运行。",
  },
  "walls.gap.seatbelt-deprecated": {
    en: "Apple has deprecated sandbox-exec; it still works.",
    zh: "Apple 已将 sandbox-exec 标为弃用；但它仍可使用。",
  },
  "walls.gap.seatbelt-processes": {
    en: "Programs see which other processes run, and neither processes nor memory are limited.",
    zh: "程序能看到有哪些其他进程在运行，进程数和内存也不受限制。",
  },
  "walls.gap.seatbelt-loopback": {
    en: "If hosts are allowed, other programs on this machine could use the same proxy to reach them.",
    zh: "若允许访问某些主机，本机的其他程序也可能使用同一途径。",
  },
  "walls.gap.container-network": {
    en: "If tools.exec.network.allow names hosts, programs start only in images that can run this machine's Node (with glibc, not Alpine), and not in Docker Desktop.",
    zh: "若 tools.exec.network.allow 指定了主机，程序只能在可运行本机 Node 的镜像（使用 glibc，而非 Alpine）中启动，且不能在 Docker Desktop 中启动。",
  },
  "walls.gap.container-disk": {
    en: "Disk space in the workdir is not limited.",
    zh: "工作目录中的磁盘空间不受限制。",
  },

  "walls.none.off": {
    en: "tools.exec.sandbox is none.",
    zh: "tools.exec.sandbox 为 none。",
  },
  "walls.none.linux": {
    en: "Neither bubblewrap nor Landlock works here. bubblewrap: {bubblewrap}. Landlock: {landlock}.",
    zh: "bubblewrap 和 Landlock 在此均不可用。bubblewrap：{bubblewrap}。Landlock：{landlock}。",
  },
  "walls.none.darwin": {
    en: "sandbox-exec does not work here: {reason}.",
    zh: "sandbox-exec 在此不可用：{reason}。",
  },
  "walls.none.platform": {
    en: "There is no sandbox for {platform}.",
    zh: "{platform} 没有可用的沙箱。",
  },
  "walls.none.engine": {
    en: "No container can be run: {reason}.",
    zh: "无法运行容器：{reason}。",
  },
  "walls.none.image": {
    en: "The image {image} is missing.",
    zh: "镜像 {image} 不在本机。",
  },
  "walls.none.bad-image": {
    en: "{image} is not a valid image name.",
    zh: "{image} 不是镜像名称。",
  },
  "walls.none.runtime": {
    en: "No microVM can be run: {runtimes} is missing.",
    zh: "无法运行小型虚拟机：本机没有 {runtimes}。",
  },
  "walls.missing": { en: "not installed", zh: "未安装" },
  "walls.no-perl": { en: "it needs Perl, which is not installed", zh: "需要 Perl，但未安装" },
  "walls.old-kernel": {
    en: "this kernel does not support it, or is too old",
    zh: "此内核没有它，或版本过旧",
  },
  "walls.next.bubblewrap": {
    en: "Install bubblewrap (apt-get install bubblewrap, dnf install bubblewrap, apk add bubblewrap). Until then Pincer asks you before each program, unless you typed it yourself or marked it as safe.",
    zh: "请安装 bubblewrap（apt-get install bubblewrap、dnf install bubblewrap 或 apk add bubblewrap）；在此之前，除你亲自输入或标为安全的程序外，每次运行前都会先问你。",
  },
  "walls.next.namespaces": {
    en: "bubblewrap is installed but may not create user namespaces. Ubuntu 24.04 forbids them: allow them for bwrap with an AppArmor profile (apt-get install apparmor-profiles, then aa-enforce bwrap-userns-restrict), or for all programs with sysctl kernel.apparmor_restrict_unprivileged_userns=0. A container must allow user namespaces. Until then Pincer asks you before each program, unless you typed it yourself or marked it as safe.",
    zh: "bubblewrap 已安装，但无法创建用户命名空间。Ubuntu 24.04 禁止这样做：请用 AppArmor 配置文件允许 bwrap（apt-get install apparmor-profiles，然后 aa-enforce bwrap-userns-restrict），或用 sysctl kernel.apparmor_restrict_unprivileged_userns=0 全部允许。在容器中则需要允许用户命名空间的容器。在此之前，除你亲自输入或标为安全的程序外，每次运行前都会先问你。",
  },
  "walls.next.landlock": {
    en: "Landlock confines less than bubblewrap: install bubblewrap if you can (apt-get install bubblewrap).",
    zh: "Landlock 的隔离弱于 bubblewrap：如有可能请安装后者（apt-get install bubblewrap）。",
  },
  "walls.next.engine": {
    en: "Install docker or podman and start it, or set tools.exec.sandbox to local. Until then Pincer asks you before each program, unless you typed it yourself or marked it as safe.",
    zh: "请安装并启动 docker 或 podman，或将 tools.exec.sandbox 设为 local。在此之前，除你亲自输入或标为安全的程序外，每次运行前都会先问你。",
  },
  "walls.next.image": {
    en: "Fetch it: {engine} pull {image}",
    zh: "请获取它：{engine} pull {image}",
  },
  "walls.next.runtime": {
    en: "Install runsc (gVisor), or Kata Containers with Firecracker, and add it to the runtimes of docker or podman, or set tools.exec.sandbox to local. Until then Pincer asks you before each program, unless you typed it yourself or marked it as safe.",
    zh: "请安装 runsc（gVisor）或带 Firecracker 的 Kata Containers，并加入 docker 或 podman 的运行时，或将 tools.exec.sandbox 设为 local。在此之前，除你亲自输入或标为安全的程序外，每次运行前都会先问你。",
  },
  "walls.next.off": {
    en: "Set tools.exec.sandbox to local to confine programs; now Pincer asks you before each program, unless you typed it yourself or marked it as safe.",
    zh: "将 tools.exec.sandbox 设为 local 即可隔离程序；目前除你亲自输入或标为安全的程序外，每次运行前都会先问你。",
  },
  "walls.report.walled": {
    en: "Programs run in {wall} (profile {profile}).",
    zh: "程序在 {wall} 中运行（配置 {profile}）。",
  },
  "walls.report.gaps": {
    en: "Programs run in {wall} (profile {profile}), with these limits: {gaps}",
    zh: "程序在 {wall} 中运行（配置 {profile}），有以下限制：{gaps}",
  },
  "walls.report.unwalled": {
    en: "There is no sandbox for programs: {reason}",
    zh: "程序没有沙箱可用：{reason}",
  },
  "doctor.sandbox": { en: "sandbox", zh: "沙箱" },
} satisfies TextTable;
