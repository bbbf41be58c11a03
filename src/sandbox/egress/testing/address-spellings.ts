/** Ways to write an address: those that must not be reached, and those that may. */

/** Names of the world outside, as somebody may have registered them. */
export const resolvable = {
  "example.org": ["93.184.216.34", "2606:2800:21f:cb07:6820:80da:af6b:8b2c"],
  "xn--mnchen-3ya.example": ["93.184.216.35"],
  "127.0.0.1.nip.io": ["127.0.0.1"],
  "10-0-0-1.sslip.io": ["10.0.0.1"],
  "7f000001.nip.io": ["127.0.0.1"],
  "localtest.me": ["127.0.0.1", "::1"],
  "lvh.me": ["127.0.0.1"],
  "metadata.google.internal": ["169.254.169.254"],
  metadata: ["169.254.169.254"],
  "instance-data.ec2.internal": ["169.254.169.254"],
  "metadata.platformequinix.com": ["192.80.8.124", "169.254.255.1"],
  "metadata.azure.example": ["168.63.129.16"],
  "half.example": ["93.184.216.34", "10.1.2.3"],
  "half6.example": ["93.184.216.34", "fd00::1"],
  "mapped.example": ["::ffff:10.0.0.1"],
  "zone.example": ["fe80::1%eth0"],
  "odd.example": ["0x7f.1"],
  "nat64.example": ["64:ff9b::7f00:1"],
  "host.docker.internal": ["172.17.0.1"],
  "kubernetes.default.svc": ["10.96.0.1"],
  "router.lan": ["192.168.1.1"],
  "printer.local": ["169.254.3.4"],
  "nobody.example": [],
  // A name server that lies: these are this machine by definition.
  localhost: ["93.184.216.34"],
  "a.localhost": ["93.184.216.34"],
};

/** Hosts that must not be reached, each in an address as somebody would smuggle it in. */
export const closedHosts = [
  // Loopback, in the ways that readers of addresses accept.
  ...words("127.0.0.1 127.0.0.1. 127.1 127.0.1 0177.0.0.1 0177.0.0.01 0x7f.0.0.1 0x7f.0x0.0x0.0x1 0X7F.1"),
  ...words(
    "0x7f000001 0x7F000001 2130706433 017700000001 127.0.0.0x1 127.00.00.01 127.0x0.1 127.127.127.127",
  ),
  ...words("127.255.255.254 0x7f.1 127.0.0.1%2e %31%32%37.0.0.1 %31%32%37%2e%30%2e%30%2e%31 127%2E0%2E0%2E1"),
  ...words(
    "１２７.0.0.1 127。0。0。1 127．0．0．1 127｡0｡0｡1 ①②⑦.⓪.⓪.① １２７．１ ０x7f.1 𝟏𝟐𝟕.𝟎.𝟎.𝟏 127.0.0.1\u00ad",
  ),
  ...words("1\u200b27.0.0.1 00000177.0.0.1"),
  // Nothing, and everything here.
  ...words("0 0.0.0.0 0x0 00 0.0 0.1.2.3 0.0.0.0. 000.000.000.000 [::] [0:0:0:0:0:0:0:0]"),
  // Loopback as IPv6.
  ...words("[::1] [0:0:0:0:0:0:0:1] [0000:0000:0000:0000:0000:0000:0000:0001] [::0001] [::0:1] [::0.0.0.1]"),
  ...words(
    "[::ffff:127.0.0.1] [::FFFF:127.0.0.1] [::ffff:7f00:1] [0:0:0:0:0:ffff:7f00:0001] [::ffff:7f00:0001]",
  ),
  ...words("[::ffff:0:127.0.0.1] [::127.0.0.1] [::7f00:1] [64:ff9b::127.0.0.1] [64:ff9b::7f00:1]"),
  ...words("[64:ff9b:1::7f00:1] [2002:7f00:1::] [2002:7f00:0001::1] [2001:0:7f00:1::] [2001::80ff:fffe]"),
  ...words("[2606:2800::5efe:127.0.0.1] [2606:2800::200:5efe:7f00:1] [::ffff:0.0.0.0] [::ffff:0:0]"),
  // Private networks.
  ...words(
    "10.0.0.1 10.255.255.255 10.1 012.0.0.1 0xa.0.0.1 0x0a000001 167772161 0xA.1 10。0。0。1 172.16.0.1",
  ),
  ...words("172.31.255.255 0xac100001 2886729729 172.16.1 0254.020.0.1 172.17.0.1 192.168.0.1 192.168.1.1"),
  ...words("192.168.1 0xc0a80001 3232235521 0300.0250.0.1 192.168.257 192.168.0.1. [::ffff:10.0.0.1]"),
  ...words("[::ffff:a00:1] [::10.0.0.1] [64:ff9b::10.0.0.1] [2002:a00:1::] [2002:c0a8:101::1]"),
  ...words("[::ffff:192.168.1.1] [::ffff:172.16.0.1] [64:ff9b::c0a8:101] [2001:db8::5efe:10.0.0.1]"),
  // Link-local, and where clouds keep their secrets.
  ...words("169.254.169.254 169.254.169.254. 0xa9fea9fe 2852039166 0251.0376.0251.0376 169.254.43518"),
  ...words(
    "0xa9.0xfe.0xa9.0xfe 169.0xfea9fe [::ffff:169.254.169.254] [::ffff:a9fe:a9fe] [64:ff9b::a9fe:a9fe]",
  ),
  ...words("[2002:a9fe:a9fe::] 169.254.170.2 169.254.0.1 [fd00:ec2::254] [FD00:EC2::254] 168.63.129.16"),
  ...words("0xa83f8110 100.100.100.200 192.0.0.192 [fe80::a9fe:a9fe] [fd20:ce::254] １６９.254.169.254"),
  // Shared, for benchmarks, for documentation, reserved, broadcast, multicast.
  ...words(
    "100.64.0.1 100.127.255.254 0x64400001 198.18.0.1 198.19.255.255 192.0.2.1 198.51.100.7 203.0.113.9",
  ),
  ...words("192.0.0.1 192.0.0.8 192.88.99.1 240.0.0.1 250.1.2.3 255.255.255.255 4294967295 0xffffffff"),
  ...words("037777777777 224.0.0.1 239.255.255.250 233.252.0.1 192.31.196.1 192.52.193.1 192.175.48.1"),
  ...words("[::ffff:100.64.0.1] [::ffff:224.0.0.1] [::ffff:255.255.255.255]"),
  // IPv6 that is not out in the world.
  ...words(
    "[fe80::1] [FE80::1] [febf::1] [fec0::1] [feff::1] [fc00::1] [fd12:3456:789a::1] [FDFF::1] [ff02::1]",
  ),
  ...words(
    "[ff0e::1] [ff05::1:3] [100::1] [100:0:0:1::1] [2001:db8::1] [2001:DB8:ffff::1] [3fff::1] [2001::1]",
  ),
  ...words(
    "[2001:2::1] [2001:10::1] [2001:20::1] [2001:1::1] [5f00::1] [4000::1] [8000::1] [e000::1] [1::1]",
  ),
  ...words("[0100::] [64:ff9b:1:fffe::1] [2002:e000:1::] [::8.8.8.8]"),
  // Names that are this machine, or lead to it.
  ...words(
    "localhost LOCALHOST LocalHost localhost. a.localhost a.b.localhost. ⓛocalhost ｌｏｃａｌｈｏｓｔ",
  ),
  ...words("localho\u00adst loc%61lhost %6c%6f%63%61%6c%68%6f%73%74 ℒocalhost localhost%2e ſ.localhost"),
  ...words("127.0.0.1.nip.io 10-0-0-1.sslip.io 7F000001.nip.io localtest.me lvh.me LVH.me."),
  ...words(
    "metadata.google.internal METADATA.google.internal. metadata metadata. instance-data.ec2.internal",
  ),
  ...words("metadata.platformequinix.com metadata.azure.example half.example half6.example mapped.example"),
  ...words("zone.example odd.example nat64.example host.docker.internal kubernetes.default.svc router.lan"),
  ...words("printer.local"),
];

function words(text: string): string[] {
  return text.split(" ");
}

/** Whole addresses that must not be reached, or are none. */
export const closedUrls = [
  // The part before the @ is no host, and what looks like one behind a backslash neither.
  "http://example.org@127.0.0.1/",
  "http://example.org:80@127.0.0.1/",
  "http://user:key@example.org/",

  "http://@127.0.0.1/",
  "http://:@127.0.0.1/",
  "http://a@example.org/",
  "https://example.org%40@10.0.0.1/",
  "http://127.0.0.1\\@example.org/",
  "http://127.0.0.1#@example.org/",
  "http://127.0.0.1?@example.org/",
  "http://10.0.0.1:80@127.0.0.1/",
  // Slashes, blanks and breaks that readers drop.

  "http:127.0.0.1",
  "http:/127.0.0.1/",
  "http:///127.0.0.1/",
  "http:\\\\127.0.0.1\\",
  "http:////127.0.0.1/",

  " http://127.0.0.1/",
  "http://127.0.0.1/ ",
  "ht\ntp://127.0.0.1/",
  "http://127.0.\t0.1/",
  "http://12\r\n7.0.0.1/",
  "\u0000http://127.0.0.1/",
  "HTTP://127.0.0.1/",
  "hTTpS://[::1]/",
  "https:127.1",
  // Other services of hosts that may be reached.

  "http://example.org:22/",
  "http://example.org:25/",
  "http://example.org:6379/",
  "http://example.org:0/",

  "https://example.org:6667/",
  "http://example.org:11211/",
  "http://example.org:65536/",
  "http://example.org:-1/",

  "http://example.org:0x50/",
  "http://example.org:8o/",
  "http://127.0.0.1:80/",
  "http://127.0.0.1:08080/",
  // Not of the web.

  "file:///etc/passwd",
  "ftp://example.org/",
  "gopher://example.org/",
  "data:text/plain,a",
  "javascript:1",
  "ws://example.org/",
  "wss://example.org/",
  "dict://example.org/",
  "ldap://example.org/",
  "about:blank",

  "blob:http://example.org/1",
  "view-source:http://example.org/",
  "http+unix://socket/",
  "unix:/run/docker.sock",
  // None at all.

  "",
  "/",
  "//example.org/",
  "//127.0.0.1/",
  "example.org",
  "127.0.0.1",
  "http://",
  "http://[",
  "http://[::1",
  "http://::1/",

  "http://[::1%25lo]/",
  "http://[fe80::1%eth0]/",
  "http://[fe80::1%25eth0]/",
  "http://[127.0.0.1]/",
  "http://[::g]/",

  "http://1.2.3.4.5/",
  "http://256.1.1.1/",
  "http://1.2.3.256/",
  "http://0x100000000/",
  "http://example..org/",

  "http://.example.org/",
  "http://exa mple.org/",
  "http://exa%00mple.org/",
  "http://exa%2fmple.org/",
  "http://./",

  "http://../",
  "http://nobody.example/",
  "http://unknown.example/",
  `http://example.org/${"a".repeat(9000)}`,
];

/** And what of it all is fine: the address that is dialled. */
export const openUrls = [
  ["http://example.org/", "93.184.216.34:80"],
  ["https://example.org:8443/a?b#c", "93.184.216.34:8443"],
  ["HTTP://EXAMPLE.ORG./", "93.184.216.34:80"],
  ["http://ｅｘａｍｐｌｅ.org/", "93.184.216.34:80"],
  ["http://example。org/", "93.184.216.34:80"],
  ["http://ex%61mple.org/", "93.184.216.34:80"],
  ["http://München.example/", "93.184.216.35:80"],
  ["http://example.org:080/", "93.184.216.34:80"],
  ["http://8.8.8.8/", "8.8.8.8:80"],
  ["http://134744072/", "8.8.8.8:80"],
  ["http://0x08.8.8.8:8080/", "8.8.8.8:8080"],
  ["http://[2606:4700:4700::1111]/", "2606:4700:4700::1111:80"],
  ["http://[::ffff:8.8.8.8]/", "8.8.8.8:80"],
  ["http://[64:ff9b::808:808]/", "64:ff9b::808:808:80"],
  ["http://172.32.0.1/", "172.32.0.1:80"],
  ["http://100.128.0.1/", "100.128.0.1:80"],
  ["http://192.169.0.1/", "192.169.0.1:80"],
  // Octal, as every reader of addresses of the web has it.
  ["http://0127.0.0.1/", "87.0.0.1:80"],
  ["http://11.0.0.1/", "11.0.0.1:80"],
] as const;
