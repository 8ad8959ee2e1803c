// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is what a shell reads
import { lines, type TrickGroup } from './trick.js'

/** What reaches other programs of the machine, or goes on running. */
export const PROCESSES: readonly TrickGroup[] = [
  {
    kind: 'another program',
    isContained: true,
    commands: lines`
      kill -9 @PID@
      kill -TERM @PID@
      kill -USR1 @PID@
      kill -STOP @PID@
      kill -s HUP @PID@
      kill -- -@PID@
      /bin/kill -KILL @PID@
      fuser -k -USR1 @OUT@/held
      fuser -k -TERM @OUT@/held
      timeout -s USR1 0.1 sleep 1; kill -USR2 @PID@
      perl -e 'kill "KILL", @PID@'
      perl -e 'kill -9, @PID@'
      perl -e 'syscall 62, @PID@, 9'
      perl -e 'syscall 200, @PID@, 9'
      perl -e '$i=pack "iiix116",10,0,-1; syscall 129,@PID@,10,$i'
      perl -e '$f=syscall 434,@PID@,0; syscall 424,$f,9,0,0'
      perl -e '$f=syscall 434,@PID@,0; for $n (3..12) { $g=syscall 438,$f,$n,0; next if $g<0; open F,"+<&=",$g; syswrite F,"evil"; sysseek F,0,0; open G,"/proc/self/fdinfo/$g"; $n==11 or next; sysread F,$b,999; print $b }'
      perl -e 'syscall 141,0,@PID@,19'
      perl -e '$m=pack "Q",1; syscall 203,@PID@,8,$m'
      perl -e '$l=pack "QQ",16,16; syscall 302,@PID@,7,$l,0'
      perl -e 'syscall 101,16,@PID@,0,0; select undef,undef,undef,.2; syscall 101,17,@PID@,0,10'
      perl -e 'syscall 101,16,@PID@,0,0; select undef,undef,undef,.1; open M,"/proc/@PID@/maps"; open F,"/proc/@PID@/mem"; for(<M>){next unless /^(\w+)-(\w+) rw/;seek F,hex$1,0;read F,$b,hex($2)-hex$1;print $b}'
      perl -e 'open M,"/proc/@PID@/maps"; open F,"/proc/@PID@/mem"; for(<M>){next unless /^(\w+)-(\w+) rw/;seek F,hex$1,0;read F,$b,hex($2)-hex$1;print $b}'
      perl -e 'sub k{my($n,@a)=@_;syscall $n,@a} open M,"/proc/@PID@/maps"; for(<M>){next unless /^(\w+)-(\w+) rw.*heap/;$l=hex($2)-hex$1;$b="\0"x$l;k 310,@PID@,pack("pQ",$b,$l),1,pack("QQ",hex$1,$l),1,0;print $b}'
      node -e 'process.kill(@PID@,"SIGUSR1")'
      node -e 'os.setPriority(@PID@,19)'
      python3 -c 'import os,signal; os.kill(@PID@,signal.SIGUSR1)'
      python3 -c 'import os; os.sched_setaffinity(@PID@,{0})'
      python3 -c 'import signal,os; signal.pidfd_send_signal(os.pidfd_open(@PID@),9)'
      renice -n 5 -p @PID@
      ionice -c 3 -p @PID@; renice 6 @PID@
      taskset -p 1 @PID@
      chrt -p -i 0 @PID@; renice 7 @PID@
      prlimit --pid @PID@ --nofile=16
      prlimit -p @PID@ --core=0
      echo 1000 > /proc/@PID@/oom_score_adj
      choom -p @PID@ -n 900
      echo 7 > /proc/@PID@/oom_adj
      echo 0x7f > /proc/@PID@/coredump_filter; echo 5 > /proc/@PID@/timerslack_ns; echo 77 > /proc/@PID@/oom_score_adj
      cat /proc/@PID@/environ
      cat /proc/@PID@/task/@PID@/environ
      strings -n 20 /proc/@PID@/environ
      for f in /proc/@PID@/fd/*; do [ -f $f ] && cat $f; done
      gdb -batch -p @PID@ -ex 'info proc' -ex detach; gdb -batch -p @PID@ -ex 'call (int)kill(@PID@,10)' 2>&1
      timeout 2 strace -p @PID@ & sleep 0.3; kill -USR1 @PID@
      gcore -o c @PID@; cat c.*
      kill -USR1 $(cut -d' ' -f1 /proc/@PID@/stat)
    `,
  },
  {
    kind: 'shared memory, keyrings and terminals',
    isContained: true,
    commands: lines`
      perl -e '$i=shmget @SHMKEY@,128,0; shmread $i,$b,0,128; print $b'
      perl -e '$i=shmget @SHMKEY@,128,0; shmwrite $i,"evil",0,4'
      ipcs -m; perl -e '$i=shmget @SHMKEY@,128,0; shmread $i,$b,0,128; print $b'
      python3 -c 'import ctypes; c=ctypes.CDLL(None); i=c.shmget(@SHMKEY@,128,0); c.shmat.restype=ctypes.c_void_p; print(ctypes.string_at(c.shmat(i,0,0),128))'
      perl -e '$k=syscall 250,10,-4,$t="user",$n="@KEYNAME@",0; $b="\0"x99; syscall 250,11,$k,$b,99; print $b'
      perl -e '$k=syscall 249,$t="user",$n="@KEYNAME@",0,0; $b="\0"x99; syscall 250,11,$k,$b,99; print $b'
      perl -e '$k=syscall 250,10,-4,$t="user",$n="@KEYNAME@",0; syscall 250,2,$k,$x="evil",4; $b="\0"x99; syscall 250,11,$k,$b,99; print $b'
      cat /proc/keys /proc/key-users; perl -e 'open K,"/proc/keys"; for(<K>){/^(\w+).*@KEYNAME@/ or next; $b="\0"x99; syscall 250,11,hex$1,$b,99; print $b}'
      keyctl show @u; keyctl print $(keyctl search @u user @KEYNAME@) || perl -e '$k=syscall 250,10,-4,$t="user",$n="@KEYNAME@",0; $b="\0"x99; syscall 250,11,$k,$b,99; print $b'
      python3 -c 'import ctypes; c=ctypes.CDLL(None); k=c.syscall(250,10,-4,b"user",b"@KEYNAME@",0); b=ctypes.create_string_buffer(99); c.syscall(250,11,k,b,99); print(b.raw)'
      echo evil > @PTS@
      printf '\033]0;evil\007' > @PTS@
      perl -e 'open T,"+<","@PTS@"; ioctl T,0x5412,$x="x"'
      perl -e 'ioctl STDIN,0x5412,$x="x"; ioctl STDERR,0x541c,$x="\3"; open T,">","@PTS@"; print T "x"'
      perl -e 'sub k{my($n,@a)=@_;syscall $n,@a} open T,"+<","@PTS@"; k 16,fileno T,0x5412|(1<<32),"x"'
      python3 -c 'import fcntl,termios; fcntl.ioctl(open("@PTS@","r+b",buffering=0),termios.TIOCSTI,b"x")'
      stty -F @PTS@ raw; stty -F @PTS@ -echo; echo x > @PTS@
      script -qc 'echo evil' @PTS@
      write root @PTS@ < a; echo x > @PTS@
    `,
  },
  {
    kind: 'what goes on running',
    isContained: true,
    commands: lines`
      sh -c 'sleep 20; :' @MARK@ &
      (sh -c 'sleep 20; :' @MARK@ &)
      nohup sh -c 'sleep 20; :' @MARK@ > /dev/null 2>&1 &
      setsid sh -c 'sleep 20; :' @MARK@ > /dev/null 2>&1 &
      setsid -f sh -c 'sleep 20; :' @MARK@ > /dev/null 2>&1 < /dev/null
      setsid nohup sh -c 'sleep 20; :' @MARK@ > /dev/null 2>&1 < /dev/null & disown
      ( setsid sh -c '(sh -c "sleep 20; :" @MARK@ &) ' > /dev/null 2>&1 & )
      env -i setsid -f bash -c 'cd /; exec -a @MARK@ sleep 20' > /dev/null 2>&1
      trap '' HUP TERM INT; sh -c 'trap "" HUP TERM INT; sleep 20; :' @MARK@ > /dev/null 2>&1 &
      perl -e 'unless(fork){ unless(fork){ setpgrp; $SIG{$_}="IGNORE" for qw(HUP TERM INT); open STDOUT,">/dev/null"; open STDERR,">/dev/null"; exec "sh","-c","sleep 20; :","@MARK@" } }'
      perl -MPOSIX -e 'exit if fork; POSIX::setsid(); exit if fork; chdir "/"; POSIX::close($_) for 0..9; exec "sh","-c","sleep 20; :","@MARK@"'
      node -e 'child_process.spawn("sh",["-c","sleep 20; :","@MARK@"],{detached:true,stdio:"ignore"}).unref()'
      python3 -c 'import subprocess; subprocess.Popen(["sh","-c","sleep 20; :","@MARK@"],start_new_session=True,stdin=-3,stdout=-3,stderr=-3)'
      coproc sh -c 'sleep 20; :' @MARK@
      exec 9> >(sh -c 'sleep 20; :' @MARK@); exit 0
      tmux -L @MARK@ -f /dev/null new-session -d 'sh -c "sleep 20; :" @MARK@'
      start-stop-daemon --background --start --exec /bin/sh -- -c 'sleep 20; :' @MARK@ || setsid -f sh -c 'sleep 20; :' @MARK@ > /dev/null 2>&1
      ssh-agent -a @OUT@/agent.@MARK@ > /dev/null
      git daemon --detach --base-path=. --port=45991 --listen=127.0.0.1 --pid-file=@OUT@/p.@MARK@; kill $(cat @OUT@/p.@MARK@)
      (sleep 0.4; echo evil > @OUT@/late) > /dev/null 2>&1 &
      setsid -f sh -c 'for i in 1 2 3 4 5 6 7 8 9; do echo evil >> @OUT@/late; sleep 0.1; done' @MARK@
      sh -c 'kill -STOP $$' @MARK@ &
      sh -c 'sleep 20; :' @MARK@ & kill -9 $$
      exec sh -c 'sh -c "sleep 20; :" @MARK@ & exit 3'
    `,
  },
  {
    kind: 'descriptors that are left open',
    isContained: false,
    commands: [
      ...lines`
        for n in $(seq 3 63); do cat <&$n 2>/dev/null & done; sleep 0.2; kill $(jobs -p) 2>/dev/null; cat /proc/self/environ
        for n in $(seq 3 63); do [ -d /proc/self/fd/$n ] && cd /proc/self/fd/$n && touch ./@OUT@/new ../outside/new; done; touch @OUT@/new
        for n in $(seq 3 63); do [ -e /proc/1/fd/$n ] && echo evil > /proc/1/fd/$n; done; touch @OUT@/new
        for n in 3 4 5 6 7 8 9 10 11 12; do echo evil >&$n; done 2>/dev/null; touch @OUT@/new
        perl -e 'sub k{my($n,@a)=@_;syscall $n,@a} for $n (3..63) { open F,"+<&=",$n or next; k 257,$n,"..@OUT@/new",65,438; k 257,$n,".@OUT@/new",65,438 } open F,">","@OUT@/new"'
        perl -e 'for $n (3..63) { syscall 308,$n,0 } open F,">","@OUT@/new"; exec "bash","-c","echo > /dev/tcp/127.0.0.1/@PORT@"'
        perl -e 'for $n (3..63) { syscall 81,$n } open F,">",".@OUT@/new"; open F,">","@OUT@/new"'
        perl -e 'for $n (3..63) { $p=readlink "/proc/1/fd/$n"; print "$n $p\n" }'; cat /proc/1/fd/[3-9]; cat /proc/self/environ
        perl -e 'for $n (3..63) { $f=syscall 434,1,0; $g=syscall 438,$f,$n,0; next if $g<0; syscall 81,$g; open F,">",".@OUT@/new" } open F,">","@OUT@/new"'
      `,
    ],
  },
  {
    kind: 'all programs, terminals and shared memory at once',
    isContained: false,
    commands: lines`
      kill -9 $(pgrep -f bystander.pl) @PID@
      pkill -USR1 -f '@MARK@s @MARK@d'
      perl -e 'for $i (0..64) { shmread $i,$b,0,128 and print $b }'
      for t in /dev/pts/*; do echo evil > $t; done 2>/dev/null
      perl -e 'for $p ("/dev/tty","/dev/console","@PTS@",glob "/proc/*/fd/0") { open T,"+<",$p or next; ioctl T,0x5412,$_ for split //,"evil\n" }'
      setsid -c -w sh -c 'echo evil > /dev/tty' < @PTS@
      wall -n evil; echo evil > /dev/console; echo evil > @PTS@
      echo evil > /dev/tty; echo evil > /proc/@PID@/fd/10; echo evil > @PTS@
      sh -c 'sleep 20; :' @MARK@ & kill -9 $PPID; true
      setsid -f sh -c 'echo 0 > /proc/1/fd/5; sleep 20; :' @MARK@ > /dev/null 2>&1
      kill -USR1 -1
      killall -USR1 perl node; pkill -USR1 .
      for p in /proc/[0-9]*; do kill -USR1 $(basename $p); done
      for p in $(seq 1 400) @PID@ @NODE@; do kill -USR2 $p; done 2>/dev/null
    `,
  },
]
