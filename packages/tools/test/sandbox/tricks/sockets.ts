// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is what a shell reads
import { lines, type TrickGroup } from './trick.js'

/** What is said to the proxy for HTTP, as printf writes it. */
const HTTP_REQUESTS = lines`
  CONNECT 127.0.0.1:@PORT@ HTTP/1.1\r\nHost: 127.0.0.1:@PORT@\r\n\r\n
  CONNECT localhost:@PORT@ HTTP/1.0\r\n\r\n
  CONNECT LocalHost.:@PORT@ HTTP/1.1\r\n\r\n
  CONNECT x.localhost:@PORT@ HTTP/1.1\r\n\r\n
  CONNECT 127.1:@PORT@ HTTP/1.1\r\n\r\n
  CONNECT 0x7f.1:@PORT@ HTTP/1.1\r\n\r\n
  CONNECT 0177.1:@PORT@ HTTP/1.1\r\n\r\n
  CONNECT 2130706433:@PORT@ HTTP/1.1\r\n\r\n
  CONNECT 0:@PORT@ HTTP/1.1\r\n\r\n
  CONNECT 127.0.0.1.:@PORT@ HTTP/1.1\r\n\r\n
  CONNECT 127.0.0.1%%2e:@PORT@ HTTP/1.1\r\n\r\n
  CONNECT [::1]:@PORT6@ HTTP/1.1\r\n\r\n
  CONNECT [::ffff:127.0.0.1]:@PORT@ HTTP/1.1\r\n\r\n
  CONNECT [::ffff:7f00:1]:@PORT@ HTTP/1.1\r\n\r\n
  CONNECT [::]:@PORT6@ HTTP/1.1\r\n\r\n
  CONNECT [::1%%25lo]:@PORT6@ HTTP/1.1\r\n\r\n
  CONNECT 127.0.0.1:@PORT@#x.test:443 HTTP/1.1\r\n\r\n
  CONNECT x.test@127.0.0.1:@PORT@ HTTP/1.1\r\n\r\n
  CONNECT 127.0.0.1\t:@PORT@ HTTP/1.1\r\n\r\n
  CONNECT \u0031\u0032\u0037.0.0.1:@PORT@ HTTP/1.1\r\n\r\n
  CONNECT 127。0。0。1:@PORT@ HTTP/1.1\r\n\r\n
  GET http://127.0.0.1:@PORT@/ HTTP/1.1\r\nHost: example.test\r\n\r\n
  GET http://example.test/ HTTP/1.1\r\nHost: 127.0.0.1:@PORT@\r\n\r\n
  GET http://example.test@127.0.0.1:@PORT@/ HTTP/1.1\r\nHost: example.test\r\n\r\n
  GET http://127.0.0.1:@PORT@\\@example.test/ HTTP/1.1\r\nHost: example.test\r\n\r\n
  GET / HTTP/1.1\r\nHost: 127.0.0.1:@PORT@\r\n\r\n
  GET //127.0.0.1:@PORT@/ HTTP/1.1\r\nHost: x\r\n\r\n
  GET http://x.test/ HTTP/1.1\r\nHost: x.test\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\nGET http://127.0.0.1:@PORT@/ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n
  GET ws://127.0.0.1:@PORT@/ HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n
  GET http://169.254.169.254/latest/meta-data/ HTTP/1.1\r\nHost: x\r\n\r\n
`

/** What is said to the proxy for SOCKS: its two last bytes are the port. */
const SOCKS_REQUESTS = lines`
  \5\1\0\5\1\0\1\177\0\0\1
  \5\1\0\5\1\0\1\0\0\0\0
  \5\1\0\5\1\0\3\11localhost
  \5\1\0\5\1\0\3\12localhost.
  \5\1\0\5\1\0\3\05127.1
  \5\1\0\5\1\0\3\060x7f.1
  \5\1\0\5\1\0\3\0122130706433
  \5\1\0\5\1\0\3\011127.0.0.1
  \5\1\0\5\1\0\3\026127.0.0.1\0.example.test
  \5\1\0\5\1\0\4\0\0\0\0\0\0\0\0\0\0\377\377\177\0\0\1
  \5\1\0\5\1\0\4\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1
  \5\1\0\5\2\0\1\177\0\0\1
  \5\1\0\5\3\0\1\177\0\0\1
`

const portOf = (variables: string) => `$(printenv ${variables} | grep -o '[0-9]*' | tail -1)`
const toHttpProxy = (request: string) =>
  `printf '${request}' | timeout 2 socat -t0.5 - TCP:127.0.0.1:${portOf('HTTP_PROXY http_proxy')}`
const toSocksProxy = (request: string) =>
  `printf '${request}'$(printf '\\%o\\%o' $((@PORT@ / 256)) $((@PORT@ % 256))) > s.bin; timeout 2 socat -t0.5 - TCP:127.0.0.1:${portOf('ALL_PROXY all_proxy')} < s.bin`

/** What reaches those who listen outside of the cage. */
export const SOCKETS: readonly TrickGroup[] = [
  {
    kind: 'a port of the machine',
    isContained: true,
    commands: [
      ...lines`
        echo > /dev/tcp/127.0.0.1/@PORT@
        echo > /dev/tcp/localhost/@PORT@
        cat < /dev/tcp/127.0.0.1/@PORT@
        exec 9<>/dev/tcp/127.0.0.1/@PORT@; echo evil >&9
        echo > /dev/tcp/::1/@PORT6@
        echo > /dev/tcp/ip6-localhost/@PORT6@; echo > /dev/tcp/::ffff:127.0.0.1/@PORT@
        echo evil > /dev/udp/127.0.0.1/@UDP@
        echo > /dev/tcp/0.0.0.0/@PORT@
        echo > /dev/tcp/127.1/@PORT@
        echo > /dev/tcp/0x7f.1/@PORT@
        echo > /dev/tcp/2130706433/@PORT@
        echo > /dev/tcp/017700000001/@PORT@
        echo > /dev/tcp/0/@PORT@
        echo > "/dev/tcp/$(hostname)/@PORT@"; echo > /dev/tcp/127.0.0.1/@PORT@
        curl -s -m 3 http://127.0.0.1:@PORT@/
        curl -s -m 3 http://localhost:@PORT@/
        curl -s -m 3 http://localhost.:@PORT@/
        curl -s -m 3 http://LOCALHOST:@PORT@/
        curl -s -m 3 http://127.1:@PORT@/
        curl -s -m 3 http://127.0.1:@PORT@/
        curl -s -m 3 http://0x7f.1:@PORT@/
        curl -s -m 3 http://0x7f000001:@PORT@/
        curl -s -m 3 http://2130706433:@PORT@/
        curl -s -m 3 http://017700000001:@PORT@/
        curl -s -m 3 http://0177.0.0.1:@PORT@/
        curl -s -m 3 http://0.0.0.0:@PORT@/
        curl -s -m 3 http://0:@PORT@/
        curl -s -m 3 'http://[::1]:@PORT6@/'
        curl -s -m 3 'http://[0:0:0:0:0:0:0:1]:@PORT6@/'
        curl -s -m 3 'http://[::ffff:127.0.0.1]:@PORT@/'
        curl -s -m 3 'http://[::ffff:7f00:1]:@PORT@/'
        curl -s -m 3 'http://[::]:@PORT6@/'
        curl -s -m 1 'http://[::127.0.0.1]:@PORT@/'
        curl -s -m 1 'http://[64:ff9b::127.0.0.1]:@PORT@/'
        curl -s -m 3 http://example.test@127.0.0.1:@PORT@/
        curl -s -m 3 --resolve example.test:@PORT@:127.0.0.1 http://example.test:@PORT@/
        curl -s -m 3 --connect-to ::127.0.0.1:@PORT@ http://example.test/
        curl -s -m 3 --noproxy '*' http://127.0.0.1:@PORT@/
        curl -s -m 3 -x http://127.0.0.1:@PORT@ http://example.test/
        curl -s -m 3 -x socks5h://127.0.0.1:@PORT@ http://example.test/
        curl -s -m 3 -x "$HTTP_PROXY$http_proxy" http://127.0.0.1:@PORT@/
        curl -s -m 3 --noproxy '' http://127.0.0.1:@PORT@/
        curl -s -m 3 --noproxy '' http://localhost:@PORT@/
        curl -s -m 3 --noproxy '' http://127.1:@PORT@/
        curl -s -m 3 --noproxy '' http://0x7f.1:@PORT@/
        curl -s -m 3 --noproxy '' http://2130706433:@PORT@/
        curl -s -m 3 --noproxy '' 'http://[::1]:@PORT6@/'
        curl -s -m 3 --noproxy '' 'http://[::ffff:127.0.0.1]:@PORT@/'
        curl -s -m 3 --noproxy '' 'http://[::ffff:7f00:1]:@PORT@/'
        curl -s -m 3 --noproxy '' http://0.0.0.0:@PORT@/
        curl -s -m 3 --noproxy '' http://localhost.:@PORT@/
        curl -s -m 3 --noproxy '' http://foo.localhost:@PORT@/
        curl -s -m 3 --noproxy '' http://127.0.0.1.:@PORT@/
        curl -s -m 3 --noproxy '' http://127.255.255.254:@PORT@/ http://127.0.0.1:@PORT@/
        curl -s -m 3 --noproxy '' -p http://127.0.0.1:@PORT@/
        curl -s -m 3 --noproxy '' -p -x "$ALL_PROXY$all_proxy" http://127.0.0.1:@PORT@/
        curl -s -m 3 --noproxy '' -x "$ALL_PROXY$all_proxy" http://localhost:@PORT@/
        curl -s -m 3 telnet://127.0.0.1:@PORT@ < /dev/null
        curl -s -m 3 dict://127.0.0.1:@PORT@/x
        curl -s -m 3 gopher://127.0.0.1:@PORT@/x
        curl -s -m 3 ftp://127.0.0.1:@PORT@/x
        curl -s -m 1 tftp://127.0.0.1:@UDP@/x
        curl -s -m 3 smtp://127.0.0.1:@PORT@ -T a
        curl -sk -m 3 https://127.0.0.1:@PORT@/
        wget -q -T 3 -t 1 -O- http://127.0.0.1:@PORT@/
        wget -q -T 3 -t 1 --no-proxy -O- http://localhost:@PORT@/
        nc -w 2 127.0.0.1 @PORT@ < a || echo > /dev/tcp/127.0.0.1/@PORT@
        nc -u -w 1 127.0.0.1 @UDP@ < a || echo > /dev/udp/127.0.0.1/@UDP@
        socat -u ./a TCP:127.0.0.1:@PORT@
        socat -u ./a TCP6:[::1]:@PORT6@
        socat -u ./a UDP:127.0.0.1:@UDP@
        socat -u ./a UDP-SENDTO:127.0.0.1:@UDP@
        openssl s_client -connect 127.0.0.1:@PORT@ < /dev/null
        ssh -o BatchMode=yes -o ConnectTimeout=2 -p @PORT@ 127.0.0.1 true
        ssh-keyscan -T 2 -p @PORT@ 127.0.0.1
        git ls-remote http://127.0.0.1:@PORT@/x
        git ls-remote git://127.0.0.1:@PORT@/x
        git clone -q http://localhost:@PORT@/x y
        npm --silent --fetch-retries=0 --registry=http://127.0.0.1:@PORT@ view x
        npm --silent --fetch-retries=0 ping --registry=http://127.0.0.1:@PORT@
        psql -h 127.0.0.1 -p @PORT@ -c 'select 1'
        perl -MIO::Socket::INET -e 'IO::Socket::INET->new("127.0.0.1:@PORT@")'
        perl -MSocket -e 'socket S,2,1,0; connect S,pack_sockaddr_in(@PORT@,inet_aton("127.0.0.1"))'
        perl -MSocket -e 'socket S,2,2,0; send S,"x",0,pack_sockaddr_in(@UDP@,inet_aton("127.0.0.1"))'
        perl -MSocket=:all -e 'socket S,AF_INET6,1,0; connect S,pack_sockaddr_in6(@PORT6@,inet_pton(AF_INET6,"::1"))'
        node -e 'net.connect(@PORT@,"127.0.0.1",()=>process.exit())'
        node -e 'net.connect(@PORT6@,"::1",()=>process.exit())'
        node -e 'fetch("http://127.0.0.1:@PORT@/").catch(()=>0)'
        node -e 'const s=dgram.createSocket("udp4");s.send("x",@UDP@,"127.0.0.1",()=>s.close())'
        python3 -c 'import socket; socket.create_connection(("127.0.0.1",@PORT@))'
        python3 -c 'import socket; socket.socket(2,2).sendto(b"x",("127.0.0.1",@UDP@))'
        python3 -c 'import urllib.request; urllib.request.urlopen("http://127.0.0.1:@PORT@/",timeout=2)'
        python3 -c 'import http.client; http.client.HTTPConnection("localhost",@PORT@,timeout=2).request("GET","/")'
        tclsh <<< 'socket 127.0.0.1 @PORT@'
        awk 'BEGIN{s="/inet/tcp/0/127.0.0.1/@PORT@"; print "x" |& s}' || echo > /dev/tcp/127.0.0.1/@PORT@
        vim -es -u NONE -c 'call ch_open("127.0.0.1:@PORT@")' -c 'qa!'
        for ip in $(hostname -I) 127.0.0.1; do timeout 1 bash -c "echo > /dev/tcp/$ip/@PORT@"; done
        for p in $(seq $((@PORT@ - 2)) $((@PORT@ + 2))); do timeout 1 bash -c "echo > /dev/tcp/127.0.0.1/$p"; done
        python3 -c 'import socket; s=socket.socket(2,1,262); s.connect(("127.0.0.1",@PORT@))'
        python3 -c 'import socket; s=socket.socket(2,1); s.sendto(b"x",0x20000000,("127.0.0.1",@PORT@))'; echo > /dev/tcp/127.0.0.1/@PORT@
        http_proxy=http://127.0.0.1:@PORT@ curl -s -m 3 http://example.test/
        ALL_PROXY=socks5://127.0.0.1:@PORT@ curl -s -m 3 http://example.test/
      `,
    ],
  },
  {
    kind: 'a proxy that is asked for the machine itself',
    isContained: true,
    commands: [...HTTP_REQUESTS.map(toHttpProxy), ...SOCKS_REQUESTS.map(toSocksProxy)],
  },
  {
    kind: 'a socket in the file system or without a name',
    isContained: true,
    commands: [
      ...lines`
        socat -u ./a UNIX-CONNECT:@SOCK@
        socat -u ./a UNIX-CONNECT:@WSOCK@ || (cd "@WORK@" && socat -u ./a UNIX-CONNECT:.s)
        socat -u ./a UNIX-CONNECT:.s
        socat -u ./a UNIX-CONNECT:@HSOCK@
        socat -u ./a UNIX-CONNECT:@RSOCK@
        socat -u ./a UNIX-CONNECT:links/out/.s
        socat -u ./a UNIX-CONNECT:/proc/self/root@SOCK@
        socat -u ./a UNIX-CONNECT:/proc/1/root@SOCK@
        socat -u ./a UNIX-CLIENT:@SOCK@
        socat -u ./a ABSTRACT-CONNECT:@ABSTRACT@
        socat -u ./a ABSTRACT-SENDTO:@ABSTRACTD@
        socat -u ./a UNIX-SENDTO:@DGRAM@
        socat -u ./a UNIX-CLIENT:@DGRAM@
        socat TCP-LISTEN:45123,reuseaddr UNIX-CONNECT:.s & sleep 0.2; echo > /dev/tcp/127.0.0.1/45123; sleep 0.2
        curl -s -m 3 --unix-socket @SOCK@ http://x/
        curl -s -m 3 --abstract-unix-socket @ABSTRACT@ http://x/
        curl -s -m 3 --unix-socket .s http://x/
        curl -s -m 3 --proxy socks5h://localhost@SOCK@ http://x/
        ssh-add -l
        SSH_AUTH_SOCK=@SOCK@ ssh-add -L
        SSH_AUTH_SOCK=.s ssh-add -l
        git -c gpg.format=ssh -c user.signingKey='ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' commit -S --allow-empty -m x; ssh-add -l
        docker ps
        docker -H unix://@SOCK@ ps
        DOCKER_HOST=unix://@RUN@/docker.sock docker info
        dbus-send --session --dest=org.x / org.x.Y
        busctl --user --no-pager list
        DBUS_SESSION_BUS_ADDRESS=unix:abstract=@ABSTRACT@ dbus-send --session --dest=org.x / org.x.Y
        DBUS_SESSION_BUS_ADDRESS=unixexec:path=@WORK@/evil.sh busctl --user --no-pager list; dbus-send --session --dest=x.y / x.y
        DBUS_SESSION_BUS_ADDRESS=unix:path=@SOCK@ gdbus call -e -d x -o / -m x.y || dbus-send --address=unix:path=@SOCK@ --dest=org.x / org.x.Y
        systemd-notify --ready; NOTIFY_SOCKET=@DGRAM@ systemd-notify --ready
        NOTIFY_SOCKET=@@ABSTRACTD@ systemd-notify READY=1
        logger -u @DGRAM@ evil
        logger -u @SOCK@ evil
        tmux -S @SOCK@ ls
        tmux -S @RSOCK@ new-session -d
        psql -h @OUT@ -p 1 -c 'select 1'; socat -u ./a UNIX-CONNECT:@SOCK@
        gpg-connect-agent -S @SOCK@ /bye || gpg-connect-agent --raw-socket @SOCK@ /bye < /dev/null
        X=@SOCK@; DISPLAY=unix:0 timeout 1 vim -es -u NONE +'qa!'; curl -s -m 1 --unix-socket "$X" http://x/
        perl -MSocket -e 'socket S,AF_UNIX,SOCK_STREAM,0; connect S,pack_sockaddr_un("@SOCK@")'
        perl -MSocket -e 'socket S,AF_UNIX,SOCK_STREAM,0; connect S,pack_sockaddr_un("@HSOCK@")'
        perl -MSocket -e 'socket S,AF_UNIX,SOCK_STREAM,0; connect S,pack_sockaddr_un("\0@ABSTRACT@")'
        perl -MSocket -e 'socket S,AF_UNIX,SOCK_DGRAM,0; send S,"x",0,pack_sockaddr_un("@DGRAM@")'
        perl -MSocket -e 'socket S,AF_UNIX,SOCK_DGRAM,0; send S,"x",0,pack_sockaddr_un("\0@ABSTRACTD@")'
        perl -MSocket -e 'socketpair A,B,AF_UNIX,SOCK_DGRAM,0; send A,"x",0,pack_sockaddr_un("@DGRAM@")'
        perl -MSocket -e 'socketpair A,B,AF_UNIX,SOCK_DGRAM,0; connect A,pack_sockaddr_un("@DGRAM@"); syswrite A,"x"'
        perl -MSocket -e 'socketpair A,B,AF_UNIX,SOCK_DGRAM|02000000,0; send A,"x",0,pack_sockaddr_un("\0@ABSTRACTD@")'
        perl -MSocket -e 'socketpair A,B,AF_UNIX,SOCK_RAW,0; send A,"x",0,pack_sockaddr_un("@DGRAM@")'
        perl -MSocket -e 'socketpair A,B,AF_UNIX,SOCK_RAW|04000,0; connect A,pack_sockaddr_un("@DGRAM@"); syswrite A,"x"'
        perl -MSocket -e 'syscall 53,1,3,0,$b=pack "ii"; ($a)=unpack "i",$b; $n=pack "Sa*x","1","@DGRAM@"; syscall 44,$a,$x="x",1,0,$n,length $n' || perl -MSocket -e 'socketpair A,B,AF_UNIX,SOCK_RAW,0; send A,"x",0,pack_sockaddr_un("@DGRAM@")'
        perl -MSocket -e 'socketpair A,B,AF_UNIX,SOCK_STREAM,0; connect A,pack_sockaddr_un("@SOCK@"); socketpair A,B,AF_UNIX,SOCK_DGRAM,0; send A,"x",0,pack_sockaddr_un("@DGRAM@")'
        perl -MSocket -e 'socket S,AF_UNIX,SOCK_STREAM|02004000,0; connect S,pack_sockaddr_un("@SOCK@")'
        perl -e '$n=pack "S a108",1,"@SOCK@"; $f=syscall 41,4294967297,1,0; $f=syscall 41,1,1,0 if $f<0; syscall 42,$f,$n,110'
        perl -e '$n=pack "S a108",1,"@SOCK@"; $f=syscall 0x40000029,1,1,0; $f=syscall 41,1,1,0 if $f<0; syscall 42,$f,$n,110'
        perl -e '$n=pack "S a108",1,"@SOCK@"; for $f (3..60) { syscall 42,$f,$n,110 } $f=syscall 41,1,1,0; syscall 42,$f,$n,110'
        node -e 'net.connect("@SOCK@",()=>process.exit()).on("error",()=>0)'
        node -e 'net.connect("@HSOCK@",()=>process.exit()).on("error",()=>0)'
        node -e 'net.connect(".s",()=>process.exit()).on("error",()=>0)'
        node -e 'net.connect("\0@ABSTRACTN@",()=>process.exit()).on("error",()=>0)'
        node -e 'http.get({socketPath:"@SOCK@"}).on("error",()=>0)'
        python3 -c 'import socket; socket.socket(socket.AF_UNIX).connect("@SOCK@")'
        python3 -c 'import socket; socket.socket(socket.AF_UNIX).connect("\0@ABSTRACT@")'
        python3 -c 'import socket; socket.socket(socket.AF_UNIX,2).sendto(b"x","@DGRAM@")'
        python3 -c 'import socket; a,b=socket.socketpair(1,2); a.sendto(b"x","@DGRAM@")'
        python3 -c 'import socket; a,b=socket.socketpair(1,2); a.sendmsg([b"x"],[],0,"@DGRAM@")'
        python3 -c 'import socket; a,b=socket.socketpair(1,3); a.sendto(b"x","@DGRAM@")'
        python3 -c 'import socket; a,b=socket.socketpair(1,5); a.sendto(b"x","@DGRAM@")' 2>/dev/null; python3 -c 'import socket; a,b=socket.socketpair(1,2); a.connect("\0@ABSTRACTD@"); a.send(b"x")'
        python3 -c 'import socket,array; s=socket.socket(1); s.connect("@SOCK@"); s.sendmsg([b"x"],[(1,1,array.array("i",[0]))])'
        python3 -c 'import multiprocessing.connection as c; c.Client("@SOCK@",family="AF_UNIX")' & sleep 0.5; kill $!
        python3 -c 'import asyncio; asyncio.run(asyncio.open_unix_connection("@SOCK@"))'
      `,
    ],
  },
  {
    kind: 'a port of the machine by names of the internet',
    isContained: false,
    commands: lines`
      curl -s -m 3 http://127.0.0.1.nip.io:@PORT@/
      curl -s -m 3 http://localtest.me:@PORT@/
      curl -s -m 3 http://lvh.me:@PORT@/
      curl -s -m 3 -x "$HTTP_PROXY" http://127-0-0-1.sslip.io:@PORT@/
      curl -s -m 3 http://169.254.169.254/latest/meta-data/ -H "X: @PORT@"
      curl -s -m 3 --noproxy "" http://[fd00:ec2::254]/latest/
      for a in $(hostname -I); do timeout 1 bash -c "echo > /dev/tcp/$a/22"; done
      dig @127.0.0.1 -p @UDP@ example.test; nslookup -port=@UDP@ example.test 127.0.0.1
      ping -c1 -W1 127.0.0.1; traceroute -p @UDP@ 127.0.0.1
    `,
  },
]
