import { endianness } from 'node:os'

/**
 * The filter for system calls of a caged command, as the kernel reads it; nothing for a processor whose numbers are not
 * known here. What mounts and namespaces can't forbid it forbids: sockets of the file system lead out of every cage whose
 * files can be seen, keyrings are not in any namespace, and io_uring does the same past every filter.
 *
 * Of our own, since that of the sandbox library is applied by a helper in a second set of namespaces, and leaves the first
 * process of the cage outside of the filter: whoever can write to that one's memory has a way out.
 */
export function seccompFilter(architecture: string = process.arch): Buffer | undefined {
  const at = ARCHITECTURES.findIndex(({ name }) => name === architecture)
  const processor = ARCHITECTURES[at]
  if (!processor || endianness() !== 'LE') return undefined
  const number = (call: string) => CALLS[call]?.[at]
  const refuse = (calls: readonly string[], verdict: number) =>
    calls.flatMap((call) => {
      const known = number(call)
      return known === undefined ? [] : when(known, [answer(verdict)])
    })
  return assemble([
    load(ARCHITECTURE),
    ...unless(processor.audit, [answer(KILL)]),
    load(NUMBER),
    // Numbers of a second table, which would be compared with none of those below.
    ...(processor.name === 'x64' ? whenAtLeast(SECOND_TABLE, [answer(ERRNO + ENOSYS)]) : []),
    ...refuse(FORBIDDEN, ERRNO + EPERM),
    // Its flags are in memory, where no filter looks: who asks for it falls back to the older call.
    ...refuse(['clone3'], ERRNO + ENOSYS),
    ...forCall(number('clone'), [load(argument(0)), ...whenAny(NEW_NAMESPACES, [answer(ERRNO + EPERM)])]),
    ...forCall(number('unshare'), [load(argument(0)), ...whenAny(NEW_NAMESPACES | NEW_TIME, [answer(ERRNO + EPERM)])]),
    ...forCall(number('ioctl'), [
      load(argument(1)),
      ...when(TIOCSTI, [answer(ERRNO + EPERM)]),
      ...when(TIOCLINUX, [answer(ERRNO + EPERM)]),
    ]),
    ...forCall(number('socket'), [
      load(argument(0)),
      ...when(NETLINK, [load(argument(2)), ...when(ROUTES, [answer(ALLOW)]), ...when(DIAGNOSES, [answer(ALLOW)])]),
      load(argument(0)),
      ...when(INET, only([STREAM, DATAGRAM])),
      ...when(INET6, only([STREAM, DATAGRAM])),
      answer(ERRNO + EPERM),
    ]),
    // A pair of datagram sockets can be sent anywhere; those of streams know only each other.
    ...forCall(number('socketpair'), only([STREAM, SEQUENCE])),
    answer(ALLOW),
  ])
}

function only(types: readonly number[]): Instruction[] {
  return [load(argument(1)), mask(TYPE), ...types.flatMap((type) => when(type, [answer(ALLOW)])), answer(ERRNO + EPERM)]
}

const ARCHITECTURES = [
  { name: 'x64', audit: 0xc000003e },
  { name: 'arm64', audit: 0xc00000b7 },
] as const

/** Numbers of system calls, on x64 and on arm64. */
const CALLS: Readonly<Record<string, readonly [x64: number, arm64?: number]>> = {
  acct: [163, 89],
  add_key: [248, 217],
  adjtimex: [159, 171],
  bpf: [321, 280],
  clock_adjtime: [305, 266],
  clock_settime: [227, 112],
  clone: [56, 220],
  clone3: [435, 435],
  delete_module: [176, 106],
  finit_module: [313, 273],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fsopen: [430, 430],
  fspick: [433, 433],
  init_module: [175, 105],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  io_uring_setup: [425, 425],
  ioctl: [16, 29],
  ioperm: [173],
  iopl: [172],
  kexec_file_load: [320, 294],
  kexec_load: [246, 104],
  keyctl: [250, 219],
  mount: [165, 40],
  mount_setattr: [442, 442],
  move_mount: [429, 429],
  open_by_handle_at: [304, 265],
  open_tree: [428, 428],
  open_tree_attr: [467, 467],
  perf_event_open: [298, 241],
  pivot_root: [155, 41],
  quotactl: [179, 60],
  quotactl_fd: [443, 443],
  reboot: [169, 142],
  request_key: [249, 218],
  setdomainname: [171, 162],
  sethostname: [170, 161],
  setns: [308, 268],
  settimeofday: [164, 170],
  socket: [41, 198],
  socketpair: [53, 199],
  swapoff: [168, 225],
  swapon: [167, 224],
  syslog: [103, 116],
  umount2: [166, 39],
  unshare: [272, 97],
  userfaultfd: [323, 282],
  vhangup: [153, 58],
}

const HANDLED = new Set(['clone', 'clone3', 'ioctl', 'socket', 'socketpair', 'unshare'])
const FORBIDDEN = Object.keys(CALLS).filter((call) => !HANDLED.has(call))

const NUMBER = 0
const ARCHITECTURE = 4
const SECOND_TABLE = 0x40000000
const argument = (place: number) => 16 + 8 * place

const ALLOW = 0x7fff0000
const KILL = 0x80000000
const ERRNO = 0x00050000
const EPERM = 1
const ENOSYS = 38

/** Mounts, control groups, names, IPC, users, processes, networks. */
const NEW_NAMESPACES = 0x00020000 | 0x02000000 | 0x04000000 | 0x08000000 | 0x10000000 | 0x20000000 | 0x40000000
const NEW_TIME = 0x80
const TIOCSTI = 0x5412
const TIOCLINUX = 0x541c
const INET = 2
const INET6 = 10
const NETLINK = 16
const ROUTES = 0
const DIAGNOSES = 4
const TYPE = 0xf
const STREAM = 1
const DATAGRAM = 2
const SEQUENCE = 5

interface Instruction {
  readonly code: number
  readonly value: number
  readonly ifTrue?: number
  readonly ifFalse?: number
}

const load = (offset: number): Instruction => ({ code: 0x20, value: offset })
const mask = (bits: number): Instruction => ({ code: 0x54, value: bits })
const answer = (verdict: number): Instruction => ({ code: 0x06, value: verdict })

/** What follows is for one value, for all others, for those with any of the bits, for those from one on. */
const when = (value: number, then: readonly Instruction[]) => [
  { code: 0x15, value, ifTrue: 0, ifFalse: then.length },
  ...then,
]
const unless = (value: number, then: readonly Instruction[]) => [
  { code: 0x15, value, ifTrue: then.length, ifFalse: 0 },
  ...then,
]
const whenAny = (value: number, then: readonly Instruction[]) => [
  { code: 0x45, value, ifTrue: 0, ifFalse: then.length },
  ...then,
]
const whenAtLeast = (value: number, then: readonly Instruction[]) => [
  { code: 0x35, value, ifTrue: 0, ifFalse: then.length },
  ...then,
]

/** Once an argument was loaded the number is gone: so it is loaded again behind what looks at one call. */
function forCall(known: number | undefined, then: readonly Instruction[]): Instruction[] {
  return known === undefined ? [] : when(known, [...then, load(NUMBER)])
}

function assemble(instructions: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(instructions.length * 8)
  for (const [at, { code, value, ifTrue = 0, ifFalse = 0 }] of instructions.entries()) {
    bytes.writeUInt16LE(code, at * 8)
    bytes.writeUInt8(ifTrue, at * 8 + 2)
    bytes.writeUInt8(ifFalse, at * 8 + 3)
    bytes.writeUInt32LE(value >>> 0, at * 8 + 4)
  }
  return bytes
}
