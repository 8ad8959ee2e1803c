import { lines, type TrickGroup } from './trick.js'

/** A path of a socket behind its family, as the last bytes of a program: what is not in the file is zero. */
const SOCKET = String.raw`printf '\1\0%s' '@SOCK@'`

/** Where a program is loaded to: low, since the second table of calls has pointers of 32 bits. */
const BASE = 0x400000

/** A program of 64 bits that consists of these instructions, as base64. Where the data behind them begins they are told. */
function program(instructions: (data: number) => readonly number[]): string {
  const header = 120
  const length = instructions(0).length
  const code = Buffer.from(instructions(BASE + header + length))
  const bytes = Buffer.alloc(header)
  bytes.write('\x7fELF\x02\x01\x01', 'latin1')
  bytes.writeUInt16LE(2, 16)
  bytes.writeUInt16LE(62, 18)
  bytes.writeUInt32LE(1, 20)
  bytes.writeBigUInt64LE(BigInt(BASE + header), 24)
  bytes.writeBigUInt64LE(64n, 32)
  bytes.writeUInt16LE(64, 52)
  bytes.writeUInt16LE(56, 54)
  bytes.writeUInt16LE(1, 56)
  bytes.writeUInt32LE(1, 64)
  bytes.writeUInt32LE(7, 68)
  bytes.writeBigUInt64LE(BigInt(BASE), 80)
  bytes.writeBigUInt64LE(BigInt(BASE), 88)
  // The bytes behind the file that are still in its page are zero.
  bytes.writeBigUInt64LE(BigInt(header + length + 110), 96)
  bytes.writeBigUInt64LE(0x2000n, 104)
  bytes.writeBigUInt64LE(0x1000n, 112)
  return Buffer.concat([bytes, code]).toString('base64')
}

const word = (value: number) => [value & 255, (value >> 8) & 255, (value >> 16) & 255, (value >>> 24) & 255]
/** The registers of both tables that are set: mov eax, ebx, ecx, edx, edi, esi to a number; eax into ebx or edi. */
const set = { eax: 0xb8, ebx: 0xbb, ecx: 0xb9, edx: 0xba, edi: 0xbf, esi: 0xbe } as const
const to = (register: keyof typeof set, value: number) => [set[register], ...word(value)]
const INTERRUPT = [0xcd, 0x80]
const SYSCALL = [0x0f, 0x05]

/** Makes a socket of unix and connects it by the calls of 32 bits. */
const byInterrupt = program((data) => [
  ...[...to('eax', 359), ...to('ebx', 1), ...to('ecx', 1), ...to('edx', 0), ...INTERRUPT],
  ...[0x89, 0xc3, ...to('eax', 362), ...to('ecx', data), ...to('edx', 110), ...INTERRUPT],
  ...[...to('eax', 1), ...to('ebx', 0), ...INTERRUPT],
])

/** The same by the call that has all of them in it. */
const byOneCall = program((data) => {
  const place = BASE + 0x1000
  // mov dword [place + n], value
  const put = (at: number, value: number) => [0xc7, 0x04, 0x25, ...word(place + at), ...word(value)]
  const first = [...put(0, 1), ...put(4, 1), ...put(8, 0), ...to('eax', 102), ...to('ebx', 1), ...to('ecx', place)]
  // mov [place], eax
  const keep = [0x89, 0x04, 0x25, ...word(place)]
  const second = [...put(4, data), ...put(8, 110), ...to('eax', 102), ...to('ebx', 3), ...to('ecx', place)]
  return [...first, ...INTERRUPT, ...keep, ...second, ...INTERRUPT, ...to('eax', 1), ...to('ebx', 0), ...INTERRUPT]
})

/** The same by plain calls, with a number added to theirs. */
const byCalls = (more: number) =>
  program((data) => [
    ...[...to('eax', more + 41), ...to('edi', 1), ...to('esi', 1), ...to('edx', 0), ...SYSCALL],
    ...[0x89, 0xc7, ...to('eax', more + 42), ...to('esi', data), ...to('edx', 110), ...SYSCALL],
    ...[...to('eax', 60), ...to('edi', 0), ...SYSCALL],
  ])

const run = (code: string) =>
  `d=$(mktemp -d); { printf %s ${code} | base64 -d; ${SOCKET}; } > $d/e; chmod +x $d/e; $d/e; rm -r $d`
const runInMemory = (code: string) =>
  `{ printf %s ${code} | base64 -d; ${SOCKET}; } | perl -e 'sub k{my($n,@a)=@_;syscall $n,@a} $f=syscall 319,$n="x",0; open F,">&=",$f; binmode F; print F <STDIN>; F->flush if F->can("flush"); $|=1; k 1,$f,"",0; close STDIN; exec {"/proc/self/fd/$f"} "x"' ; ${run(code)}`

/** What asks the kernel itself. */
export const SYSTEM_CALLS: readonly TrickGroup[] = [
  {
    kind: 'calls of another table',
    isContained: true,
    commands: [
      run(byInterrupt),
      run(byOneCall),
      run(byCalls(0)),
      run(byCalls(0x40000000)),
      runInMemory(byInterrupt),
      `${run(byCalls(0x40000000))}; ${run(byOneCall)}`,
      `setarch i386 sh -c '${run(byInterrupt).replaceAll("'", `'"'"'`)}'`,
      `cp /dev/stdin e <<< ''; { printf %s ${byInterrupt} | base64 -d; ${SOCKET}; } > e; chmod +x e; ./e || /lib64/ld-linux-x86-64.so.2 ./e`,
      `python3 -c 'import os,base64; f=os.memfd_create("x"); os.write(f,base64.b64decode("${byInterrupt}")+b"\\1\\0@SOCK@"); os.execve(f,["x"],{})'`,
      `python3 -c 'import os,base64; f=os.memfd_create("x"); os.write(f,base64.b64decode("${byCalls(0)}")+b"\\1\\0@SOCK@"); os.execve(f,["x"],{})'`,
      `python3 -c 'import os,base64,ctypes; f=os.memfd_create("x",1); os.write(f,base64.b64decode("${byOneCall}")+b"\\1\\0@SOCK@"); ctypes.CDLL(None).syscall(322,f,b"",0,0,0x1000)'; ${run(byOneCall)}`,
    ],
  },
  {
    kind: 'system calls that are asked for by their numbers',
    isContained: false,
    commands: lines`
      perl -e 'sub k{my($n,@a)=@_;syscall $n,@a} syscall 272,0x10000000; open F,">/proc/self/uid_map"; print F "0 0 1"; close F; syscall 272,0x20000; k 165,0,"/",0,0x1020,0; open F,">","@OUT@/new"'
      perl -e 'sub k{my($n,@a)=@_;syscall $n,@a} syscall 272,0x10020000; k 166,"@HOME@",2; open F,"@HOME@/.netrc"; print <F>'
      perl -e 'syscall 272,0x50000000; exec "bash","-c","echo > /dev/tcp/127.0.0.1/@PORT@"'
      perl -e 'sub k{my($n,@a)=@_;syscall $n,@a} $p=syscall 56,0x10020011,0,0,0,0; if(!$p){k 166,"@HOME@",2; open F,"@HOME@/.netrc"; print <F>; exit} wait'
      perl -e 'sub k{my($n,@a)=@_;syscall $n,@a} $a=pack "Q11",0x10020000,0,0,0,17,0,0,0,0,0,0; $p=syscall 435,$a,88; if(!$p){k 166,"@HOME@",2; open F,"@HOME@/.netrc"; print <F>; exit} wait'
      perl -e '$a=pack "Q11",0x10020000|1<<40,0,0,0,17,0,0,0,0,0,0; syscall 435,$a,88; open F,">","@OUT@/new"'
      perl -e 'sub k{my($n,@a)=@_;syscall $n,@a} k 165,0,"/",0,0x1020,0; open F,">","@OUT@/new"'
      perl -e 'sub k{my($n,@a)=@_;syscall $n,@a} k 165,"/","/mnt",0,0x5000,0; open F,">","/mnt@OUT@/new"'
      perl -e 'sub k{my($n,@a)=@_;syscall $n,@a} $m=pack "Q4",0,1,0,0; $d=k 257,-100,"/",0x200000; k 442,$d,"",0x8000|0x1000,$m,32; open F,">","@OUT@/new"'
      perl -e 'sub k{my($n,@a)=@_;syscall $n,@a} $t=k 428,-100,"/",0x1|0x8000; $m=pack "Q4",0,1,0,0; k 442,$t,"",0x1000,$m,32; $f=k 257,$t,"@OUT@/new",65,438; $f=k 257,$t,".@OUT@/new",65,438'
      perl -e 'sub k{my($n,@a)=@_;syscall $n,@a} $t=k 428,-100,"/",0x1; k 429,$t,"",-100,"/mnt",4; open F,">","/mnt@OUT@/new"'
      perl -e 'sub k{my($n,@a)=@_;syscall $n,@a} $f=k 430,"tmpfs",0; syscall 431,$f,6,0,0,0; $m=syscall 432,$f,0,0; k 429,$m,"",-100,"@OUT@",4; open F,">","@OUT@/new"'
      perl -e 'sub k{my($n,@a)=@_;syscall $n,@a} k 155,".","."; chdir "/"; open F,">",".@OUT@/new"'
      perl -e 'sub k{my($n,@a)=@_;syscall $n,@a} k 161,"/proc/1/root"; open F,"@HOME@/.netrc"; print <F>'
      perl -e 'open N,"/proc/@NODE@/ns/mnt"; syscall 308,fileno N,0; open F,"@HOME@/.netrc"; print <F>'
      perl -e 'sub k{my($n,@a)=@_;syscall $n,@a} open N,"/proc/1/ns/user"; syscall 308,fileno N,0; k 165,0,"/",0,0x1020,0; open F,">","@OUT@/new"'
      perl -e '$p=syscall 434,1,0; syscall 308,$p,0x20000|0x40000000; open F,">","@OUT@/new"'
      perl -e '$p=syscall 434,@PID@,0; syscall 308,$p,0x20000|0x40000000|0x10000000; open F,">","@OUT@/new"'
      perl -e 'opendir D,"/"; for $i (2..20) { $h=pack "IiQ",8,1,$i; $f=syscall 304,3,$h,0; next if $f<0; syscall 81,$f; open F,">",".@OUT@/new" } open F,">","@OUT@/new"'
      perl -e 'sub k{my($n,@a)=@_;syscall $n,@a} $h=pack "Iix128",128,0; k 303,-100,"@OUT@",$h,$m=pack("i"),0; opendir D,"@WORK@"; $f=syscall 304,3,$h,0; syscall 81,$f; open F,">","new"; open F,">","@OUT@/new"'
      perl -e '$p=pack "x120"; $f=syscall 425,8,$p; print "ring $f\n"; open F,">","@OUT@/new" if $f>=0'
      perl -e '$f=syscall 425,8,$p=pack("x120"); syscall 427,$f,13,0,0; open F,">","@OUT@/new" if $f>=0'
      perl -e '$f=syscall 321,5,$a=pack("x128"),128; open F,">","@OUT@/new" if $f>=0'
      perl -e '$f=syscall 298,$a=pack("IIQx112",1,128,0),-1,0,-1,0; open F,">","@OUT@/new" if $f>=0'
      perl -e '$f=syscall 323,0; open F,">","@OUT@/new" if $f>=0'
      perl -e '$f=syscall 300,0,0; open F,">","@OUT@/new" if $f>=0'
      perl -e 'sub k{my($n,@a)=@_;syscall $n,@a} k 163,"@OUT@/canary"; sleep 0; syscall 163,0'
      perl -e 'sub k{my($n,@a)=@_;syscall $n,@a} k 170,"@MARK@",length "@MARK@"; k 171,"@MARK@",3'
      perl -e 'sub k{my($n,@a)=@_;syscall $n,@a} k 164,pack("QQ",1e9,0),0; k 227,0,pack("QQ",1e9,0)'
      perl -e 'sub k{my($n,@a)=@_;syscall $n,@a} k 159,pack("Ix204",0x100); k 305,0,pack("Ix204",0x100)'
      perl -e 'syscall 172,3; syscall 173,0,100,1; open F,">","@OUT@/new"'
      perl -e 'sub k{my($n,@a)=@_;syscall $n,@a} k 175,"x",1,""; k 176,"dummy",0; open F,"a"; k 313,fileno F,"",0; open G,">","@OUT@/new"'
      perl -e 'sub k{my($n,@a)=@_;syscall $n,@a} syscall 246,0,0,0,0; open F,"a"; k 320,fileno F,-1,1,"x",0; open G,">","@OUT@/new"'
      perl -e 'sub k{my($n,@a)=@_;syscall $n,@a} k 167,"@OUT@/canary",0; k 168,"/x"; open G,">","@OUT@/new"'
      perl -e '$n=syscall 103,10,0,0; $b="\0"x$n; syscall 103,3,$b,$n; open G,">","@OUT@/new"; print G $b'
      perl -e 'syscall 135,0x0400000; exec "sh","-c","echo evil > @OUT@/new"'
      perl -e 'syscall 157,4,1,0,0,0; syscall 157,38,0,0,0,0; open F,">","@OUT@/new"'
      perl -e 'syscall 157,22,0,0; syscall 317,1,0,0; exec "sh","-c","echo evil > @OUT@/new"'
      perl -e 'sub k{my($n,@a)=@_;syscall $n,@a} syscall 126,$h=pack("Ii",0x20080522,0),$d=pack("I6",-1,-1,-1,-1,-1,-1); k 165,0,"/",0,0x1020,0; open F,">","@OUT@/new"'
      perl -e 'syscall 105,0; syscall 106,0; syscall 117,0,0,0; syscall 116,0,0; open F,">","@OUT@/new"'
      perl -e '$f=syscall 101,0,0,0,0; $p=getppid; syscall 101,16,1,0,0; syscall 61,1,0,0,0; open F,">","@OUT@/new"'
      perl -e 'for $f (40,16,17,38,31,44,29,9,4) { for $t (1..5) { $s=syscall 41,$f,$t,0; open F,">>","@OUT@/sock" and print F "$f\n" if $s>=0 && $f!=16 } }'
      perl -e '$s=syscall 41,40,1,0; $a=pack "SSIIx4",40,0,@PORT@,2; syscall 42,$s,$a,16; open F,">","@OUT@/new" if $s>=0'
      perl -e 'sub k{my($n,@a)=@_;syscall $n,@a} $s=syscall 41,17,3,768; k 44,$s,$x="x"x60,60,0,pack("SSiSCCa8",17,8,1,0,0,6,"\xff"x6),20; open F,">","@OUT@/new" if $s>=0'
      perl -e '$s=syscall 41,2,3,1; open F,">","@OUT@/new" if $s>=0'
      perl -e '$s=syscall 41,38,5,0; open F,">","@OUT@/new" if $s>=0'
      perl -e 'for $p (5..22) { $s=syscall 41,16,3,$p; open F,">>","@OUT@/new" if $s>=0 }'
      perl -e '$s=syscall 41,16,3,0; $m=pack "ISSIICxSiII",32,16,0x501,1,0,0,0,1,0,1; syscall 44,$s,$m,32,0,0,0; open G,">","@OUT@/new"'
      perl -e '$f=syscall 447,0; $m=syscall 9,0,4096,7,34,-1,0; open F,">","@OUT@/new"'
    `,
  },
  {
    kind: 'files by the numbers of system calls',
    isContained: true,
    commands: lines`
      perl -e 'sub k{my($n,@a)=@_;syscall $n,@a} k 437,-100,"../outside/new",pack("QQQ",65,438,0),24'
      perl -e 'sub k{my($n,@a)=@_;syscall $n,@a} k 437,-100,"/proc/1/root@OUT@/new",pack("QQQ",65,438,0),24'
      perl -e 'sub k{my($n,@a)=@_;syscall $n,@a} k 257,-100,"@OUT@/new",65,438; k 85,"@OUT@/new",438; k 2,"@OUT@/new",65,438'
      perl -e 'sub k{my($n,@a)=@_;syscall $n,@a} k 258,-100,"@OUT@/made",493; k 259,-100,"@OUT@/node",4096,0; k 133,"@OUT@/node2",4096,0'
      perl -e 'sub k{my($n,@a)=@_;syscall $n,@a} k 263,-100,"@OUT@/canary",0; k 87,"@OUT@/x"; k 84,"@OUT@/folder/none"'
      perl -e 'sub k{my($n,@a)=@_;syscall $n,@a} k 316,-100,"@OUT@/canary",-100,"@WORK@/a",2'
      perl -e 'sub k{my($n,@a)=@_;syscall $n,@a} k 265,-100,"@OUT@/canary",-100,"@WORK@/hard",0; open F,">","@WORK@/hard"; print F "evil"'
      perl -e 'sub k{my($n,@a)=@_;syscall $n,@a} $f=k 257,-100,"@OUT@/canary",0x200000; k 265,$f,"",-100,"@WORK@/hard",0x1000; open F,">","@WORK@/hard"; print F "evil"'
      perl -e 'sub k{my($n,@a)=@_;syscall $n,@a} k 268,-100,"@OUT@/canary",511; k 452,-100,"@OUT@/canary",511,0; k 260,-100,"@OUT@/canary",65534,65534,0'
      perl -e 'sub k{my($n,@a)=@_;syscall $n,@a} k 188,"@OUT@/canary","user.x","y",1,0; k 189,"@OUT@/canary","user.x","y",1,0; k 463,-100,"@OUT@/canary",0,"user.x",pack("QII",0,0,0),16'
      perl -e 'sub k{my($n,@a)=@_;syscall $n,@a} open F,"@OUT@/canary"; ioctl F,0x40086602,$x=pack("Q",0x10); ioctl F,0x40049409,0; k 76,"@OUT@/canary",0; syscall 285,3,0,0,4096'
      perl -e 'open F,"<","@OUT@/canary"; $m=syscall 9,0,4096,3,1,fileno F,0; syscall 325,3,0,1,0,0,0,0; syscall 326,fileno F,0,fileno F,0,5,0; open G,">","@OUT@/new"'
    `,
  },
]
