// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is what a shell reads
import { KNOWS_CALLS, type Tongue } from './tongue.js'

type Say = (tongue: Tongue) => string

const HOSTS = ['127.0.0.1', 'localhost', '127.1', '0', '0.0.0.0', '0x7f.1', '2130706433', '017700000001', '127.0.0.1']

/** What reaches who listens on a port outside of the cage. */
const TO_PORT: readonly ((host: string, tongue: Tongue) => string)[] = [
  (host) => `echo > /dev/tcp/${host}/@PORT@`,
  (host, { word }) => `p=${word(`/dev/tcp/${host}/@PORT@`)}; echo > "$p"`,
  (host) => `exec 9<>/dev/tcp/${host}/@PORT@; echo evil >&9`,
  (host) => `cat < /dev/tcp/${host}/@PORT@`,
  (host) => `bash -c 'echo > "/dev/tcp/$0/$1"' ${host} @PORT@`,
  () => 'echo evil > /dev/udp/127.0.0.1/@UDP@',
  () => 'echo > /dev/tcp/::1/@PORT6@',
  (host, { word }) => `curl -s -m 1 ${word(`http://${host}:@PORT@/`)}`,
  (host, { word }) => `curl -s -m 1 --noproxy '' ${word(`http://${host}:@PORT@/`)}`,
  (host, { word }) => `curl -s -m 1 --noproxy '*' ${word(`http://${host}:@PORT@/`)}`,
  (host, { word }) => `curl -s -m 1 --noproxy '' -p ${word(`http://${host}:@PORT@/`)}`,
  (host, { word }) => `curl -s -m 1 -x ${word(`http://${host}:@PORT@`)} http://example.test/`,
  (host, { word }) => `curl -s -m 1 -x ${word(`socks5h://${host}:@PORT@`)} http://example.test/`,
  (host, { word }) => `curl -s -m 1 --noproxy '' -x "$ALL_PROXY$all_proxy" ${word(`http://${host}:@PORT@/`)}`,
  (host, { word }) => `curl -s -m 1 --connect-to ${word(`::${host}:@PORT@`)} http://example.test/`,
  (host, { word }) => `curl -s -m 1 ${word(`telnet://${host}:@PORT@`)} < /dev/null`,
  (host, { word }) => `wget -q -T 1 -t 1 -O- ${word(`http://${host}:@PORT@/`)}`,
  (host, { word }) => `wget -q -T 1 -t 1 --no-proxy -O- ${word(`http://${host}:@PORT@/`)}`,
  (host, { word }) => `git ls-remote ${word(`http://${host}:@PORT@/x`)} 2>&1`,
  (host, { word }) => `git ls-remote ${word(`git://${host}:@PORT@/x`)} 2>&1`,
  (host) => `openssl s_client -connect ${host}:@PORT@ < /dev/null`,
  (host, { word }) => `perl -MIO::Socket::INET -e ${word(`IO::Socket::INET->new("${host}:@PORT@")`)}`,
  () => 'perl -MSocket -e \'socket S,2,1,0; connect S,pack_sockaddr_in(@PORT@,inet_aton("127.0.0.1"))\'',
  () => 'perl -MSocket -e \'socket S,2,2,0; send S,"x",0,pack_sockaddr_in(@UDP@,inet_aton("127.0.0.1"))\'',
  (_, { word }) => `node -e ${word('net.connect(@PORT@,"127.0.0.1",()=>process.exit()).on("error",()=>0)')}`,
  (_, { word }) => `node -e ${word('dgram.createSocket("udp4").send("x",@UDP@,"127.0.0.1",()=>process.exit())')}`,
  (host, { word }) => `python3 -c ${word(`import socket; socket.create_connection(("${host}",@PORT@),1)`)}`,
  () => "tclsh <<< 'socket 127.0.0.1 @PORT@'",
  (host) =>
    `printf 'CONNECT ${host}:@PORT@ HTTP/1.1\\r\\n\\r\\n' | { p=\${HTTP_PROXY:-http://x:1}; exec 9<>/dev/tcp/127.0.0.1/\${p##*:} && cat >&9 && timeout 0.3 cat <&9; }`,
]

const SOCKETS = [
  ...['@SOCK@', '@SOCK@', '@HSOCK@', '@RSOCK@', '@WSOCK@', '.s', 'links/out/.s', '../outside/.s'],
  ...['/proc/self/root@SOCK@', '/proc/1/root@SOCK@', '/proc/@PID@/root@SOCK@', '/proc/self/cwd/.s'],
]

/** What reaches who listens on a socket in the file system, or without a name. */
const TO_SOCKET: readonly ((path: string, tongue: Tongue) => string)[] = [
  (path, { word }) => `curl -s -m 1 --unix-socket ${word(path)} http://x/`,
  (path, { word }) => `p=${word(path)}; curl -s -m 1 --unix-socket "$p" http://x/`,
  () => 'curl -s -m 1 --abstract-unix-socket @ABSTRACT@ http://x/',
  (path, { word }) => `perl -MIO::Socket::UNIX -e 'IO::Socket::UNIX->new(Peer=>shift)' ${word(path)}`,
  (path, { word }) => `perl -MSocket -e 'socket S,1,1,0; connect S,pack_sockaddr_un(shift)' ${word(path)}`,
  () => 'perl -MSocket -e \'socket S,1,1,0; connect S,pack_sockaddr_un("\\0@ABSTRACT@")\'',
  () => 'perl -MSocket -e \'socket S,1,2,0; send S,"x",0,pack_sockaddr_un("\\0@ABSTRACTD@")\'',
  () => 'perl -MSocket -e \'socket S,1,2,0; send S,"x",0,pack_sockaddr_un("@DGRAM@")\'',
  () => 'perl -MSocket -e \'socketpair A,B,1,2,0; send A,"x",0,pack_sockaddr_un("@DGRAM@")\'',
  () =>
    'perl -MSocket -e \'socketpair A,B,1,5,0; connect A,pack_sockaddr_un("@SOCK@")\'; perl -MSocket -e \'socket S,1,5,0; connect S,pack_sockaddr_un("@SOCK@"); socket T,1,1,0; connect T,pack_sockaddr_un("@SOCK@")\'',
  (path, { word }) => `node -e 'net.connect(process.argv[1],()=>process.exit()).on("error",()=>0)' ${word(path)}`,
  () => 'node -e \'net.connect("\\0@ABSTRACTN@",()=>process.exit()).on("error",()=>0)\'',
  (path, { word }) =>
    `python3 -c 'import socket,sys; socket.socket(socket.AF_UNIX).connect(sys.argv[1])' ${word(path)}`,
  () => 'python3 -c \'import socket; socket.socket(socket.AF_UNIX).connect("\\0@ABSTRACT@")\'',
  (path, { word }) =>
    `echo evil > ${word(path)}; perl -MSocket -e 'socket S,1,1,0; connect S,pack_sockaddr_un(shift)' ${word(path)}`,
  ...(KNOWS_CALLS
    ? [
        () => 'perl -e \'$n=pack "S a108",1,"@SOCK@"; $f=syscall 41,1,1,0; syscall 42,$f,$n,110\'',
        () =>
          'perl -e \'$n=pack "S a108",1,"@SOCK@"; $f=syscall 0x40000029,1,1,0; $f=syscall 41,1,1,0 if $f<0; syscall 42,$f,$n,110\'',
        () =>
          'perl -e \'$n=pack "S a108",1,"@SOCK@"; for $f (3..60) { syscall 42,$f,$n,110 } $f=syscall 41,1,1,0; syscall 42,$f,$n,110\'',
        () =>
          'perl -e \'$r=syscall 425,8,$p=pack("x120"); $f=syscall 41,1,1,0; $n=pack "S a108",1,"@SOCK@"; syscall 42,$f,$n,110\'',
      ]
    : []),
]

export const network: Say = (tongue) =>
  tongue.happens(0.5)
    ? tongue.pick(TO_PORT)(tongue.pick(HOSTS), tongue)
    : tongue.pick(TO_SOCKET)(tongue.pick(SOCKETS), tongue)

const SLEEPER = "sh -c 'sleep 20; :' @MARK@"

/** What goes on running when the command has ended. */
const LEFT_BEHIND: readonly string[] = [
  `${SLEEPER} &`,
  `(${SLEEPER} &)`,
  `( ( ${SLEEPER} & ) & )`,
  `nohup ${SLEEPER} > /dev/null 2>&1 &`,
  `setsid ${SLEEPER} > /dev/null 2>&1 &`,
  `setsid -f ${SLEEPER} > /dev/null 2>&1 < /dev/null`,
  `setsid nohup ${SLEEPER} > /dev/null 2>&1 < /dev/null & disown`,
  `trap '' HUP TERM INT; sh -c 'trap "" HUP TERM INT; sleep 20; :' @MARK@ > /dev/null 2>&1 &`,
  `coproc ${SLEEPER}`,
  `exec 9> >(${SLEEPER}); true`,
  `sh -c 'kill -STOP $$; :' @MARK@ &`,
  `${SLEEPER} <(sleep 20) > /dev/null 2>&1 & disown -a`,
  `echo "$(${SLEEPER} > /dev/null 2>&1 & echo started)"`,
  '(sleep 0.2; echo evil > @OUT@/late) > /dev/null 2>&1 &',
  "setsid -f sh -c 'for i in 1 2 3 4 5 6 7 8 9; do echo evil >> @OUT@/late; sleep 0.1; done' @MARK@ > /dev/null 2>&1",
  `perl -e 'unless(fork){ unless(fork){ setpgrp; $SIG{$_}="IGNORE" for qw(HUP TERM INT); open STDOUT,">/dev/null"; open STDERR,">/dev/null"; exec "sh","-c","sleep 20; :","@MARK@" } }'`,
  `perl -MPOSIX -e 'exit if fork; POSIX::setsid(); exit if fork; POSIX::close($_) for 0..9; exec "sh","-c","sleep 20; :","@MARK@"'`,
  `node -e 'child_process.spawn("sh",["-c","sleep 20; :","@MARK@"],{detached:true,stdio:"ignore"}).unref()'`,
  `python3 -c 'import subprocess; subprocess.Popen(["sh","-c","sleep 20; :","@MARK@"],start_new_session=True,stdin=-3,stdout=-3,stderr=-3)'`,
]

export const leftBehind: Say = ({ pick }) => pick(LEFT_BEHIND)

/** What is done to the program beside the cage. */
const TO_PROGRAM: readonly string[] = [
  ...['kill -9 @PID@', 'kill -USR1 @PID@', 'kill -STOP @PID@', 'kill -s HUP -- @PID@', '/bin/kill -TERM @PID@'],
  ...['kill -- -@PID@', 'fuser -k -USR1 @OUT@/held', 'perl -e \'kill "KILL", @PID@\'', "perl -e 'kill -9, @PID@'"],
  ...['renice -n 5 -p @PID@', 'taskset -p 1 @PID@', 'prlimit --pid @PID@ --nofile=16', 'choom -p @PID@ -n 900'],
  ...['echo 1000 > /proc/@PID@/oom_score_adj', 'echo x > /proc/@PID@/comm; kill -USR2 @PID@'],
  ...['node -e \'process.kill(@PID@,"SIGUSR1")\'', "node -e 'os.setPriority(@PID@,19)'"],
  ...["python3 -c 'import os,signal; os.kill(@PID@,signal.SIGUSR1)'", 'xargs kill -USR1 <<< @PID@'],
  ...[
    'echo evil > @FIFO@',
    'timeout 1 tee @FIFO2@ < a',
    'echo evil > links/out/pipe',
    'echo evil > @PTS@',
    'printf evil | dd of=@PTS@ status=none',
  ],
  ...[
    'for n in 3 4 5 6 7 8 9 10 11 12; do echo evil > /proc/@PID@/fd/$n; done',
    'for f in /proc/@PID@/fd/*; do [ -f $f ] && cat $f; done',
  ],
  ...[
    'for p in /proc/[0-9]*; do echo evil > $p/root@OUT@/canary; done',
    'for p in /proc/[0-9]*; do cat $p/root@HOME@/.netrc; done',
  ],
  'perl -e \'$i=shmget @SHMKEY@,128,0; shmread $i,$b,0,128; print $b; shmwrite $i,"evil",0,4\'',
  ...(KNOWS_CALLS
    ? [
        "perl -e 'syscall 62, @PID@, 9'",
        "perl -e '$f=syscall 434,@PID@,0; syscall 424,$f,9,0,0'",
        "perl -e 'syscall 141,0,@PID@,19'",
        'perl -e \'$m=pack "Q",1; syscall 203,@PID@,8,$m; syscall 200,@PID@,10\'',
        'perl -e \'syscall 101,16,@PID@,0,0; select undef,undef,undef,.1; open F,"/proc/@PID@/environ"; print <F>; syscall 101,17,@PID@,0,10\'',
        'perl -e \'open M,"/proc/@PID@/maps"; open F,"/proc/@PID@/mem"; for(<M>){next unless /^(\\w+)-(\\w+) rw.*(heap|stack)/;seek F,hex$1,0;read F,$b,hex($2)-hex$1;print grep /TOKEN/, split /\\0/, $b}\'',
        'perl -e \'$f=syscall 434,@PID@,0; for $n (3..12) { $g=syscall 438,$f,$n,0; next if $g<0; open F,"+<&=",$g; syswrite F,"evil" } syscall 62,@PID@,10\'',
        'perl -e \'$k=syscall 250,10,-4,$t="user",$n="@KEYNAME@",0; syscall 250,2,$k,$x="evil",4; $b="\\0"x99; syscall 250,11,$k,$b,99; print $b\'',
      ]
    : []),
]

export const otherProgram: Say = ({ pick }) => pick(TO_PROGRAM)
