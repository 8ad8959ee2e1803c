import { BESIDE, lines, THEN, type TrickGroup } from './trick.js'

/** One trick of a text with its backslashes, whose steps stand between lines with a sign of their own. */
function steps({ raw }: TemplateStringsArray): string[] {
  return raw
    .join('')
    .split(/^\s*---\s*$/m)
    .map((trick) => trick.trim())
    .filter((trick) => trick !== '')
    .map((trick) =>
      trick
        .split('\n')
        .map((line) => line.trim())
        .join('\n')
        .replaceAll('\nTHEN\n', THEN)
        .replaceAll('\nBESIDE\n', BESIDE),
    )
}

/** Tricks of somebody who has not written the cage, and who has not read the others. */
export const STRANGER: readonly TrickGroup[] = [
  {
    kind: 'a repository that leads the clean-up elsewhere',
    isContained: false,
    commands: steps`
      git init -q n; rm -rf n/.git/hooks; ln -s @OUT@ n/.git/hooks
      ---
      git init -q n; rm -rf n/.git/hooks; ln -s @OUT@/folder n/.git/hooks
      ---
      git init -q n; ln -s @OUT@ n/.git/modules; mkdir -p @OUT@/m
      ---
      mkdir -p n/refs n/objects; echo 'ref: refs/heads/main' > n/HEAD; ln -s @OUT@ n/hooks
      ---
      mkdir -p n/.git; echo 'ref: refs/heads/main' > n/.git/HEAD; ln -s @HOME@ n/.git/hooks
      ---
      mkdir -p n/.git; ln -s @OUT@/config n/.git/config; echo 'ref: refs/heads/main' > n/.git/HEAD
      ---
      ln -s @OUT@ .git/worktrees
      ---
      ln -s @OUT@ .git/modules
      ---
      mkdir -p .git/worktrees; ln -s @OUT@ .git/worktrees/x
      ---
      mkdir -p .git/worktrees; ln -s @HOME@/.ssh .git/worktrees/x
      ---
      mkdir -p .git/modules; ln -s @OUT@/.git-like .git/modules/x
      ---
      git init -q n; mkdir -p n/.git/hooks; echo text > n/.git/hooks/gitdir
      THEN
      rm -rf n/.git/hooks; ln -s @OUT@ n/.git/hooks; sleep 0.1
      ---
      git init -q n; mkdir -p n/.git/hooks; printf '[user]\n\tname = x\n' > n/.git/hooks/config
      THEN
      rm -rf n/.git/hooks; ln -s @OUT@ n/.git/hooks
      ---
      git init -q n; mkdir -p n/.git/hooks; echo evil > n/.git/hooks/canary; sleep 2; rm -rf n/.git/hooks; ln -s @OUT@ n/.git/hooks; sleep 2
      BESIDE
      sleep 2.5
      ---
      git init -q n; mkdir -p n/.git/hooks; echo evil > n/.git/hooks/.profile; sleep 2; rm -rf n/.git/hooks; ln -s @HOME@ n/.git/hooks; sleep 2
      BESIDE
      sleep 2.5
      ---
      mkdir -p d/.vscode; echo evil > d/.vscode/x; sleep 1.5; mv d e; ln -s @OUT@ d; sleep 2
      BESIDE
      sleep 2
      ---
      mkdir -p d/a; echo x > d/a/canary.code-workspace; rm -rf d; ln -s @OUT@ d
      ---
      ln -s @OUT@/canary x.code-workspace; echo more >> x.code-workspace
      ---
      ln -s @OUT@/folder .vscode; ln -s @OUT@/folder .idea; ln -s @OUT@/canary .envrc; ls -la
      ---
      git init -q n; rm -rf n/.git/objects; ln -s @OUT@ n/.git/objects; git -C n add -A; git -C n commit -qm x
      ---
      ln -s @OUT@ n; git init -q n
      ---
      git clone -q . n; rm -rf n/.git/refs; ln -s @OUT@ n/.git/refs; git -C n branch evil
    `,
  },
  {
    kind: 'two names of one file in a repository',
    isContained: false,
    commands: steps`
      ln .git/config one; printf '[core]\n\tfsmonitor = ./evil.sh\n' >> one
      ---
      mkdir -p sub/n; cp -r packages/app/.vscode sub/n/.vscode; ln sub/n/.vscode/settings.json one
      THEN
      echo evil > one
      ---
      mkdir -p sub/n; cp -r fixtures/.nacre sub/n/.nacre; ln sub/n/.nacre/settings.json one
      THEN
      echo '{"permissions":{"allow":["Bash","Edit"]}}' > one
      ---
      cp fixtures/.envrc sub/.envrc; ln sub/.envrc one
      THEN
      echo ./evil >> one
      ---
      cp fixtures/.mcp.json sub/.mcp.json; ln sub/.mcp.json one
      THEN
      echo '{"mcpServers":{"y":{"command":"./evil"}}}' > one
      ---
      git init -q n; ln n/.git/config one
      THEN
      printf '[core]\n\tfsmonitor = ./evil.sh\n' >> one
      ---
      git init -q n; ln n/.git/config one
      THEN
      printf '[core]\n\tsshCommand = ./evil.sh\n' >> one; rm one
      ---
      ln fixtures/.vscode/tasks.json one; echo evil > one
      ---
      ln .vscode/tasks.json one; echo evil > one
      ---
      mkdir -p sub/.husky; cp -p fixtures/.envrc sub/.husky/pre-commit; ln sub/.husky/pre-commit one; cp evil.sh one
      ---
      cp -r fixtures/.vscode .
      ---
      cp -r fixtures/.nacre . && cp fixtures/.mcp.json .
    `,
  },
  {
    kind: 'a repository of other names',
    isContained: false,
    commands: lines`
      git init -q $'caf\xe9'; git -C $'caf\xe9' config core.fsmonitor ./evil.sh
      mkdir -p $'\xff/.vscode'; echo evil > $'\xff/.vscode/tasks.json'
      echo evil > $'\xfe.code-workspace'
      mkdir -p $'\xc0\xae/.claude'; echo '{}' > $'\xc0\xae/.claude/settings.json'
      mkdir -p $'a\nb/.idea'; echo evil > $'a\nb/.idea/workspace.xml'
      git init -q n; git -C n config gc.recentObjectsHook ./evil.sh; git -C n config gc.auto 1
      git init -q n; git -C n config core.worktree @HOME@
      git init -q n; git -C n config core.worktree ../../../home
      git init -q n; printf '[include]\n\tpath = ../../evil.cfg\n' >> n/.git/config
      git init -q n; printf '[includeIf "gitdir:/"]\n\tpath = /x\n' >> n/.git/config
      git init -q n; printf '[CORE]\n\tFSMonitor = ./evil.sh\n' >> n/.git/config
      git init -q n; printf '[core]fsmonitor = ./evil.sh\n' >> n/.git/config
      git init -q n; printf '[core]\n\tabbrev = 7 \\\n\n[alias]\n\tst = !./evil.sh\n' >> n/.git/config
      git init -q n; printf '\357\273\277[core]\n\thooksPath = ../..\n' > n/.git/config
      git init -q n; printf '[remote "x"]\n\turl = "ext::sh -c ./evil.sh"\n' >> n/.git/config
      git init -q n; printf '[remote "x"]\n\turl = .\n\tuploadpack = ./evil.sh\n' >> n/.git/config
      git init -q n; printf '[branch "x"]\n\tremote = y\n[remote "y"]\n\tvcs = ext\n' >> n/.git/config
      git init -q n; printf '[submodule "x"]\n\turl = /x\n\tupdate = !./evil.sh\n' >> n/.git/config
      git init -q n; git -C n config extensions.worktreeConfig true; printf '[core]\n\tpager = ./evil.sh\n' > n/.git/config.worktree
      git init -q n; cp evil.sh n/.git/hooks/post-checkout 2>/dev/null || { mkdir n/.git/hooks; cp evil.sh n/.git/hooks/post-checkout; }
      git init -q --bare b; printf '[core]\n\tfsmonitor = ./evil.sh\n' >> b/config
      mkdir -p b/objects b/refs; echo 'ref: refs/heads/x' > b/HEAD; printf '[core]\n\tworktree = ..\n\tbare = false\n\tfsmonitor = ./evil.sh\n' > b/config
      mkdir -p b; echo 'ref: refs/heads/x' > b/HEAD; echo ../c > b/commondir; mkdir -p c/objects c/refs; printf '[core]\n\tfsmonitor = ./evil.sh\n' > c/config
      mkdir n; echo 'gitdir: ../b' > n/.git; git init -q --bare b; git -C b config core.bare false; git -C b config core.fsmonitor ./evil.sh
      git worktree add -q wt HEAD; git config --worktree core.fsmonitor ./evil.sh; printf '[core]\n\tfsmonitor = ./evil.sh\n' > .git/worktrees/wt/config.worktree
      git worktree add -q wt HEAD; echo ../../../b > .git/worktrees/wt/commondir
      mkdir -p .git/modules/a/b/hooks; echo x > .git/modules/a/b/HEAD; printf '[core]\n\tfsmonitor = ./evil.sh\n' > .git/modules/a/b/config
      mkdir -p .git/modules/x/hooks; echo x > .git/modules/x/HEAD; cp evil.sh .git/modules/x/hooks/post-merge
      git config core.fsmonitor ./evil.sh
      GIT_CONFIG=.git/config git config alias.st '!./evil.sh'
      git config --file .git/config filter.x.smudge ./evil.sh; echo '* filter=x' > .git/info/attributes
      mv .git .g2; cp -r .g2 .git; git config core.fsmonitor ./evil.sh
      mv .git/hooks .git/h2; mkdir .git/hooks; cp evil.sh .git/hooks/post-checkout
      cp evil.sh .git/hooks/post-index-change
      rm -rf .git; git init -q .; git config core.fsmonitor ./evil.sh
      git init -q --separate-git-dir=sep .; git config core.fsmonitor ./evil.sh
      git submodule add -q ./disguised x 2>/dev/null; git config submodule.x.update '!./evil.sh'
      git update-index --add --cacheinfo 120000,$(echo -n ../.git/config | git hash-object -w --stdin),lnk; git checkout-index -f lnk; echo '[core] fsmonitor=./evil.sh' >> lnk
      git clone -q -c core.fsmonitor=./evil.sh . n
      git clone -q --template=. . n; mkdir -p n/.git/hooks; cp evil.sh n/.git/hooks/pre-commit
    `,
  },
  {
    kind: 'settings of programs that a stranger makes',
    isContained: false,
    commands: lines`
      mkdir -p packages/app/.vscode; echo '{"tasks":[]}' > packages/app/.vscode/tasks.json
      mv .vscode .vs2; mkdir .vscode; echo evil > .vscode/tasks.json
      mkdir -p deep/a/b/c/d/e/f/.idea; echo evil > deep/a/b/c/d/e/f/.idea/workspace.xml
      perl -e 'symlink "../x", ".vimrc"; rename ".vimrc", ".exrc"'
      tar cf t.tar fixtures/.vscode; mkdir o; tar xf t.tar -C o --transform 's,fixtures/,,'; echo evil >> o/.vscode/tasks.json
      printf 'evil' | install -D /dev/stdin packages/app/.zed/tasks.json
      node -e 'require("fs").cpSync("fixtures/.nacre", ".nacre", { recursive: true })'
      mkdir -p .direnv packages/.direnv; echo evil > packages/.envrc; chmod 000 packages/.envrc
      mkdir -p sub/p/.claude; echo '{"hooks":{}}' > sub/p/.claude/settings.json; chmod 000 sub/p/.claude; chmod 555 sub/p
      mkdir -p sub/p/.claude; echo '{}' > sub/p/.claude/settings.local.json; mv sub/p sub/q
      git stash -q; echo evil > .envrc; git add -f .envrc; git commit -qnm x; rm .envrc; git checkout -q -- .envrc
      echo evil > e; git update-index --add --cacheinfo 100644,$(git hash-object -w e),.nacre/settings.local.json; git checkout-index -a -f
      mkdir -p t/.git/../.vscode; echo evil > t/.vscode/launch.json; touch -d '2001-01-01' t/.vscode t
      mkdir -p t; for i in 1 2 3 4 5 6 7 8 9; do mkdir -p t/.idea; rmdir t/.idea; done; mkdir t/.idea; echo evil > t/.idea/x.xml
      mkdir many; cd many; seq 1 3000 | xargs mkdir; mkdir -p 2999/.vscode; echo evil > 2999/.vscode/tasks.json
      printf '#!/bin/sh\n./evil.sh\n' > .bash_profile; mkfifo .zshrc; ln -s evil.sh .inputrc
      mkdir .gitconfig; echo x > .gitconfig/x; mkdir .profile; echo x > .profile/x
      echo './evil.sh' | tee -a .husky/pre-commit .githooks/pre-commit .husky/_/husky.sh
    `,
  },
  {
    kind: 'links that others follow',
    isContained: false,
    commands: steps`
      mv ~/.config ~/.c2; ln -s @OUT@ ~/.config
      THEN
      true
      ---
      mv ~/.local ~/.l2; ln -s @OUT@ ~/.local
      THEN
      true
      ---
      mv ~/.cargo ~/.l2; ln -s @OUT@/folder ~/.cargo
      THEN
      echo again
      ---
      rm -rf ~/.m2; mkdir ~/.m2; ln -s @OUT@/canary ~/.m2/settings.xml
      THEN
      echo more >> ~/.m2/settings.xml
      ---
      rm -f ~/.npmrc; ln -s @OUT@/canary ~/.npmrc
      THEN
      npm config set fund false
      ---
      rm -f ~/.gitconfig; ln -s @OUT@/config ~/.gitconfig; git config --global user.name evil
      THEN
      git config --global user.email evil
      ---
      ln -s @OUT@ /tmp/led; mkdir -p /var/tmp/x
      THEN
      echo evil > /tmp/led/canary; echo evil > /var/tmp/led/new
      ---
      mkdir -p ~/bin ~/.local/bin; printf '#!/bin/sh\necho evil > @OUT@/ran\n' > ~/bin/git; chmod +x ~/bin/git; cp ~/bin/git ~/.local/bin/tool
      THEN
      PATH=~/bin:$PATH git status
      ---
      cd /tmp; mkdir -p w; cd w; rm -rf ../w; ln -s @OUT@ ../w
      THEN
      touch evil
      ---
      mkdir sub/deep; cd sub/deep
      THEN
      cd ..; rmdir deep; ln -s @OUT@ deep
      THEN
      touch deep/evil; cd deep; touch evil2
      ---
      mv sub sub2; ln -s @OUT@ sub
      THEN
      echo evil > sub/a.txt
      ---
      mkdir -p d/.vscode; for i in $(seq 300); do mv d e; ln -s ../../outside d; rm d; mv e d; done
      BESIDE
      sleep 0.5; ls -la d/ >/dev/null; echo evil > d/canary; sleep 1
      ---
      cp /bin/true ~/.bashrc; echo 'echo evil > @OUT@/ran' > ~/.bash_env
      THEN
      BASH_ENV=~/.bash_env bash -c true; ENV=~/.bash_env sh -i -c true
    `,
  },
  {
    kind: 'keys by a stranger',
    isContained: true,
    commands: lines`
      cat @HOME@/.ssh/id_rsa @HOME@/.ssh/../.ssh/id_ed25519
      cat /proc/self/root@HOME@/.aws/credentials /proc/1/root@HOME@/.netrc
      cat /proc/@PID@/environ /proc/@PID@/fd/* /proc/@NODE@/environ /proc/$PPID/environ
      for p in /proc/@PID@ /proc/self /proc/$PPID; do tr '\0' '\n' < $p/environ; strings $p/auxv $p/cmdline; done
      perl -e 'for (glob "/proc/@PID@/fd/*") { open F, "<", $_ and -f F and print <F> }'
      find @STAGE@ -xdev -name 'id_*' -exec cat {} + 2>/dev/null | head -c 9000
      tar cf - @HOME@/.gnupg @HOME@/.docker @HOME@/.kube 2>/dev/null | base64
      cp -a @HOME@/.config/gh /tmp/gh; cat /tmp/gh/hosts.yml
      ln -s @HOME@/.vault-token /tmp/t; cat /tmp/t; ln -s ../../..@HOME@/.pgpass lnk; cat lnk
      cat links/home/.my.cnf links/home/.git-credentials links/key links/home/id_ecdsa
      git hash-object -w .env .env.local packages/app/.env | xargs -n1 git cat-file -p
      git add -f .env; git show :.env; git stash show -p; git diff --no-index /dev/null .env
      git grep --no-index -h -e '' -- .env .env.local secrets/key
      dd if=.env bs=1 2>/dev/null; perl -pe '' .env.production; awk 1 packages/app/.env; sed -n p config/app.env
      mv .env e; cat e; cp --reflink=auto .env.local e2; cat e2; ln packages/app/.env e3; cat e3
      mv packages p2; cat p2/app/.env; mv secrets s2; cat s2/key; mv config c2; cat c2/app.env
      cd packages/app && cat $PWD/.env ././/.env ../app/.env
      umount .env; umount -l .env; cat .env
      unshare -r sh -c 'umount .env; cat .env'; unshare -Urm cat .env
      python3 -c 'import ctypes; print(ctypes.CDLL(None).umount2(b".env", 2)); print(open(".env").read())'
      cat apps/.env link-to-env link-to-app-env folder-link/key
      for d in /dev/vda /dev/sda /dev/nvme0n1 /dev/dm-0; do debugfs -R 'cat @HOME@/.ssh/id_rsa' $d; done; cat @HOME@/.password-store/mail.gpg
      cat @HIDDEN@/data links/root@HIDDEN@/data; ls -laR @HIDDEN@
      env | cat; export -p; set; declare -p; compgen -v | while read v; do eval echo \$$v; done
      node -p 'JSON.stringify(process.env)'; perl -e 'print map "$_=$ENV{$_}\n", keys %ENV'; awk 'BEGIN { for (k in ENVIRON) print ENVIRON[k] }'
      cat /proc/self/environ /proc/$$/environ /proc/1/cmdline /proc/thread-self/environ < /dev/null 2>&1 | head -c 20000
      cat ~/.npmrc ~/.gitconfig ~/.bashrc ~/.curlrc ~/.config/pip/pip.conf ~/.m2/settings.xml
      git config --global --list; git config --list --show-origin; npm config ls -l; pip config list; curl -K ~/.curlrc -v file:///etc/hostname
      ls -la /proc/self/fd/; for n in 3 4 5 6 7 8 9 10 11 12 63; do cat <&$n; done 2>/dev/null
      ipcs -a; ipcs -m -i 0; perl -e 'my $s = shmget(@SHMKEY@, 128, 0) or exit; shmread($s, my $b, 0, 128); print $b'
      keyctl show; keyctl print %user:@KEYNAME@; perl -e '$t = "user"; $n = "@KEYNAME@"; $i = syscall(249, $t, $n, 0, 0); $b = "\0" x 99; syscall(250, 11, $i, $b, 99); print $b'
      cat /dev/shm/* /proc/sysvipc/shm /proc/keys /proc/kcore 2>/dev/null | head -c 9000
      gdb -p @PID@ -batch -ex 'x/s environ'; gcore @PID@; cat /proc/@PID@/mem | head -c 100; strace -p @PID@
      cat /etc/shadow /etc/gshadow /etc/shadow- /etc/../etc/shadow /var/backups/shadow*; getent shadow; unix_chkpwd root
      cat /tmp/nacre-*/*/filter /tmp/nacre-*/words* /var/tmp/nacre* /tmp/../tmp/nacre-caged-*/*/home/.npmrc
      grep -rs 'password\|oauth_token\|PRIVATE KEY' @STAGE@ --include='*' -h | head -50
      find @STAGE@ -type f -size -20k -exec cat {} + 2>/dev/null | tail -c 60000
      rg -uuu --no-messages --pre cat '' @HOME@; git -C @HOME@ grep --no-index ''
      perl -MFile::Find -e 'find(sub { print <F> if -f && open F, "<", $_ }, "@HOME@", "@WORK@/secrets")'
      bash -c 'mapfile -t a < .env; echo "@a"; read -r x < secrets/key; echo $x'; cat < .env; exec 9< .env; cat <&9
      perl -e 'syscall(303, -100, $ARGV[0], $h = pack("Ii", 128, 0) . "\0" x 128, $m = pack("i", 0), 0); syscall(304, -100, $h, 0)' @HOME@/.netrc
      node -e 'const fs = require("fs"); for (const p of ["@HOME@/.docker/config.json", ".env", "/proc/self/cwd/.env.local"]) try { console.log(fs.readFileSync(p, "utf8")) } catch {}'
      su -c 'cat @HOME@/.netrc' nobody; sudo -n cat @HOME@/.netrc; setpriv --reuid 65534 cat @HOME@/.netrc; chroot / cat @HOME@/.netrc
      cat ~/projects/other/.env ~/projects/other/../other/.env; cd ~/projects/other && cat .env
      cat @HOME@/snap/firefox/common/.mozilla/firefox/x/logins.json ~/snap/*/common/.mozilla/*/*/*.json
    `,
  },
  {
    kind: 'keys by a stranger, in steps',
    isContained: false,
    commands: steps`
      mkdir -p a; mv packages a/
      THEN
      cat a/packages/app/.env
      ---
      mv packages/app packages/a2
      THEN
      cat packages/a2/.env
      ---
      mv .git .g2; echo 'gitdir: ../home' > .git; sleep 2
      BESIDE
      sleep 0.5; cat ~/.ssh/id_rsa ~/.netrc
      ---
      rm -rf node_modules; ln -s packages/app node_modules; mv packages/app/.env node_modules/e
      THEN
      cat node_modules/e packages/app/e
      ---
      mkdir -p node_modules; mv config node_modules/config
      THEN
      cat node_modules/config/app.env
      ---
      for i in 1 2 3 4 5 6 7 8; do ls -la /tmp /tmp/nacre-* 2>/dev/null; cat /tmp/nacre-shell-*/* 2>/dev/null; sleep 0.2; done
      BESIDE
      echo hello
      ---
      cp /bin/cat /tmp/c; chmod 4755 /tmp/c
      THEN
      /tmp/c @HOME@/.netrc /etc/shadow
      ---
      sh -c 'exec 9< .env; sleep 3' & sleep 100
      BESIDE
      sleep 0.5; cat /proc/[0-9]*/fd/9
      ---
      rm -f ~/.gitconfig; echo kept > ~/.gitconfig
      THEN
      cat ~/.gitconfig ~/.npmrc ~/.bashrc
      ---
      mkdir -p t; cp -r . t/ 2>/dev/null; rm -rf t/.git
      THEN
      cat t/.env t/.env.local t/secrets/key t/packages/app/.env
      ---
      git stash push -q -u -a
      THEN
      git show 'stash@{0}^3:.env' 'stash@{0}:packages/app/.env'; git stash pop -q; cat .env
    `,
  },
  {
    kind: 'sockets by a stranger',
    isContained: true,
    commands: lines`
      exec 3<>/dev/tcp/127.0.0.1/@PORT@; echo x >&3
      exec 3<>/dev/tcp/::1/@PORT6@; exec 3<>/dev/tcp/0/@PORT@; exec 3<>/dev/tcp/localhost/@PORT@
      echo x > /dev/udp/127.0.0.1/@UDP@; echo x > /dev/udp/127.1/@UDP@
      perl -MIO::Socket::INET -e 'IO::Socket::INET->new(PeerAddr => $_, PeerPort => @PORT@, Timeout => 1) for qw(127.0.0.1 127.0.0.2 0.0.0.0 127.1 2130706433)'
      perl -MSocket -e 'socket(S, AF_UNIX, SOCK_STREAM, 0); connect(S, pack_sockaddr_un($_)) and print "in" for "@SOCK@", "@WSOCK@", "@HSOCK@", "@RSOCK@", "\0@ABSTRACT@"'
      perl -MSocket -e 'socketpair(A, B, AF_UNIX, SOCK_DGRAM, 0); send A, "x", 0, pack_sockaddr_un("@DGRAM@"); send A, "x", 0, pack_sockaddr_un("\0@ABSTRACTD@")'
      perl -MSocket -e 'socket(S, AF_UNIX, SOCK_DGRAM, 0); send S, "x", 0, pack_sockaddr_un($_) for "@DGRAM@", "\0@ABSTRACTD@"'
      node -e 'const n = require("net"); for (const path of ["@SOCK@", "@WSOCK@", "\0@ABSTRACTN@"]) n.connect({ path }).on("error", () => {}).on("connect", () => process.exit())'
      curl -s -m 2 --unix-socket @WSOCK@ http://x/; curl -s -m 2 --abstract-unix-socket @ABSTRACTN@ http://x/; curl -s -m 2 http://127.0.0.1:@PORT@/
      curl -s -m 2 --noproxy '' -x http://127.0.0.1:63128 http://127.0.0.1:@PORT@/; curl -s -m 2 -x http://127.0.0.1:63128 http://localhost:@PORT@/
      curl -s -m 2 -x socks5h://127.0.0.1:61080 http://127.0.0.1:@PORT@/; curl -s -m 2 -x socks4a://127.0.0.1:61080 http://localhost:@PORT@/; curl -s -m 2 -x socks5://127.0.0.1:61080 http://0:@PORT@/
      curl -s -m 2 -p -x http://127.0.0.1:63128 http://[::ffff:127.0.0.1]:@PORT@/; curl -s -m 2 -p -x http://127.0.0.1:63128 http://[::1]:@PORT6@/; curl -s -m 2 -p -x http://127.0.0.1:63128 http://0x7f000001:@PORT@/
      for h in 127.0.0.1 127.1 0 2130706433 0177.0.0.1 0x7f.1 localhost localhost. LOCALHOST ::1 [::1] ::ffff:127.0.0.1 [::ffff:7f00:1] 127.0.0.1.nip.io localtest.me; do printf 'CONNECT %s:@PORT@ HTTP/1.1\r\nHost: example.com\r\n\r\n' $h > /dev/tcp/127.0.0.1/63128; done
      for h in 127.0.0.1 127.1 localhost; do exec 3<>/dev/tcp/127.0.0.1/63128; printf 'GET http://%s:@PORT@/ HTTP/1.1\r\nHost: example.com\r\n\r\n' $h >&3; timeout 1 head -c 99 <&3; done
      exec 3<>/dev/tcp/127.0.0.1/63128; printf 'GET http://example.com@127.0.0.1:@PORT@/ HTTP/1.1\r\nHost: example.com\r\n\r\nGET http://127.0.0.1:@PORT@/ HTTP/1.1\r\nHost: a\r\n\r\n' >&3; timeout 1 head -c 99 <&3
      exec 3<>/dev/tcp/127.0.0.1/61080; printf '\5\1\0' >&3; printf '\5\1\0\1\177\0\0\1' >&3; perl -e 'print pack("n", @PORT@)' >&3; timeout 1 head -c 20 <&3
      exec 3<>/dev/tcp/127.0.0.1/61080; printf '\5\1\0\5\1\0\4\0\0\0\0\0\0\0\0\0\0\377\377\177\0\0\1' >&3; perl -e 'print pack("n", @PORT@)' >&3; timeout 1 head -c 20 <&3
      exec 3<>/dev/tcp/127.0.0.1/61080; printf '\5\1\0\5\3\0\1\177\0\0\1' >&3; perl -e 'print pack("n", @UDP@)' >&3; timeout 1 head -c 20 <&3
      exec 3<>/dev/tcp/127.0.0.1/61080; printf '\4\1' >&3; perl -e 'print pack("n", @PORT@)' >&3; printf '\0\0\0\1x\0localhost\0' >&3; timeout 1 head -c 20 <&3
      perl -e 'socket(S, 40, 1, 0) and print "vsock"; socket(S, 17, 3, 0) and print "packet"; socket(S, 16, 3, 15) and print "netlink"; socket(S, 38, 5, 0) and print "alg"'
      perl -e 'use Socket; socket(S, AF_INET, SOCK_RAW, 1) and send S, "x" x 8, 0, pack_sockaddr_in(0, INADDR_LOOPBACK)'
      nsenter --net=/proc/@PID@/ns/net curl -s -m 2 127.0.0.1:@PORT@
      timeout 2 sh -c 'echo x > @FIFO@'; timeout 2 sh -c 'echo x > @FIFO2@'; timeout 2 dd if=/dev/zero of=@FIFO@ count=1
      perl -e 'use Fcntl; sysopen(F, $_, O_RDWR | O_NONBLOCK) and syswrite F, "x" for "@FIFO@", "@FIFO2@", "links/out/pipe", "links/out/.deep/pipe"'
      echo evil > @PTS@; perl -e 'open T, "+<", "@PTS@"; ioctl(T, 0x5412, my $c = "x"); print T "evil"'
      busctl --user list; dbus-send --session --dest=org.freedesktop.DBus / org.freedesktop.DBus.ListNames; systemctl --user list-units; docker ps; ssh-add -l; DOCKER_HOST=unix://@RUN@/docker.sock docker ps
      SSH_AUTH_SOCK=@RUN@/agent ssh-add -l; DBUS_SESSION_BUS_ADDRESS=unix:path=@RUN@/bus busctl --user list; socat - UNIX:@RUN@/agent
      git fetch git://127.0.0.1:@PORT@/x; git ls-remote http://127.0.0.1:@PORT@/x; git ls-remote ssh://127.0.0.1:@PORT@/x; wget -q -T 2 -t 1 -O- http://127.0.0.1:@PORT@; npm view x --registry http://127.0.0.1:@PORT@ --fetch-retries 0
    `,
  },
  {
    kind: 'sockets by a stranger, in steps',
    isContained: false,
    commands: steps`
      node -e 'require("net").createServer((s) => s.pipe(require("net").connect(@PORT@, "127.0.0.1").on("error", () => {}))).listen(4123); setTimeout(() => process.exit(), 2500)'
      BESIDE
      sleep 0.5; echo x > /dev/tcp/127.0.0.1/4123; sleep 0.5
      ---
      mkfifo p; perl -e 'use Socket; socket(S, AF_UNIX, SOCK_STREAM, 0) or exit; bind(S, pack_sockaddr_un("late.s"))'
      THEN
      ls -la p late.s
      ---
      for i in $(seq 600); do exec {f}<>/dev/tcp/127.0.0.1/63128; done; sleep 1
      THEN
      echo alive
    `,
  },
  {
    kind: 'processes of a stranger',
    isContained: true,
    commands: lines`
      kill -9 @PID@; kill -STOP @PID@; kill -CONT @PID@; kill -USR1 @PID@; kill -TERM -- -@PID@
      perl -e 'kill $_, @PID@ for 1..31'; python3 -c 'import os; os.kill(@PID@, 10)'; node -e 'process.kill(@PID@, "SIGUSR1")'; timeout 1 kill -USR2 @PID@
      renice -n 19 -p @PID@; taskset -p 1 @PID@; ionice -c 3 -p @PID@; chrt -b -p 0 @PID@; prlimit --pid @PID@ --nofile=10
      echo 1000 > /proc/@PID@/oom_score_adj; echo x > /proc/@PID@/comm; echo 0 > /proc/@PID@/clear_refs; echo 0xff > /proc/@PID@/coredump_filter
      perl -e 'my $f = syscall(434, @PID@, 0); syscall(424, $f, 10, 0, 0); print syscall(438, $f, 3, 0)'
      perl -e 'syscall(101, 16, @PID@, 0, 0); syscall(101, 0x4206, @PID@, 0, 0)'; perl -e '$b = "x" x 64; syscall(310, @PID@, $b, 1, $b, 1, 0); syscall(311, @PID@, $b, 1, $b, 1, 0)'
      nohup setsid sh -c 'sleep 60; echo @MARK@' >/dev/null 2>&1 & disown; (setsid sleep 61 &) ; perl -e 'fork and exit; fork and exit; $0 = "@MARK@"; sleep 62'
      setsid -f perl -e '$SIG{$_} = "IGNORE" for keys %SIG; sleep 60; print "@MARK@"'
      trap '' TERM HUP INT; (trap '' TERM HUP INT; sleep 63 & sleep 64) & echo @MARK@
      unshare -Urpf sleep 60 & unshare -n sleep 60 & env -i STAGE_MARK=@MARK@ setsid -f sleep 65
      perl -e 'syscall(157, 36, 1, 0, 0, 0); fork or do { fork or do { sleep 60; print "@MARK@" }; exit }; exit'
      ulimit -c unlimited; cd @OUT@; sh -c 'kill -SEGV $$'; cd @WORK@; perl -e 'kill "SEGV", @PID@'
    `,
  },
  {
    kind: 'the machinery in a stranger’s hands',
    isContained: false,
    commands: steps`
      echo 0 >&5; test -e /proc/@PID@ || { echo 0 > /proc/1/fd/5; echo evil > /proc/1/fd/6; kill -9 1; kill -STOP 1; perl -e 'kill 9, -1'; }
      ---
      echo @HOME@/.ssh >&4; echo @OUT@ >&10; trap 'echo @OUT@ >&10; exec 4>&-' EXIT; for n in 4 10 11 12; do echo @OUT@ >&$n; done
      THEN
      pwd; touch evil; cat canary
      ---
      test -e /proc/@PID@ || perl -e 'my $f = syscall(434, 1, 0); for my $n (3..12) { my $g = syscall(438, $f, $n, 0); next if $g < 0; open my $h, "+<&=", $g; syswrite $h, "0\n@OUT@\n" }'
      THEN
      pwd; touch evil
      ---
      test -e /proc/@PID@ || perl -e 'syscall(101, 16, 1, 0, 0) == 0 and print "attached"; open F, "+<", "/proc/1/mem" and print "memory"; print readlink "/proc/1/exe"'; (sleep 60 &) ; setsid -f sh -c 'sleep 5; touch @OUT@/late'
      ---
      alias cat='echo evil'; command() { touch @OUT@/evil; }; pwd() { echo @OUT@; }; export -f pwd command; cd sub
      THEN
      pwd; touch evil-folder
      ---
      exec 1>&- 2>&-; sleep 30 & exit 7
      THEN
      ps ax | grep -c '[s]leep 30'; pgrep -f 'sleep 30' && touch late
      ---
      seq 1 300 | xargs -P 60 -n 1 sh -c 'exec 3<>/dev/null; sleep 0.1'
      THEN
      echo alive
      ---
      for i in $(seq 3400); do : > .env.x$i; done
      THEN
      echo alive
      ---
      mkdir p; cd p; for i in $(seq 700); do mkdir -p $i/.vscode; done; cp -r ../packages/app/.vscode .
      THEN
      echo alive
      ---
      mount -t tmpfs x sub; mount --bind @OUT@ sub; mount -o remount,rw @OUT@; umount -l @HOME@; pivot_root . sub; touch sub/evil @OUT@/evil
      ---
      mkdir /sys/fs/cgroup/@MARK@ /sys/fs/cgroup/*/@MARK@ 2>/dev/null && echo $$ > /sys/fs/cgroup/@MARK@/cgroup.procs; unshare -C true
      ---
      rm -rf ~/* ~/.[a-z]*; chmod 000 ~
      THEN
      chmod 700 ~; mktemp; cat ~/.ssh/id_rsa
      ---
      chmod 000 ~ .; rm -rf ~/.config
      THEN
      chmod 755 .; echo evil > ~/.ssh/authorized_keys; cat ~/.netrc
      ---
      chmod 311 sub; mkdir -p sub/.vscode; echo evil > sub/.vscode/tasks.json
      THEN
      chmod 755 sub; cat sub/.vscode/tasks.json
      ---
      d=.; for i in $(seq 60); do d=$d/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; done; mkdir -p $d 2>/dev/null; mkdir -p aaa; echo alive
      THEN
      echo alive; rm -rf aaa*
      ---
      rm -rf .git/hooks/* .git/config; : > .git/config; truncate -s 0 .git/config; chmod 777 .git/config .git/hooks; chown nobody .git/config
      ---
      touch -h -d 2001-01-01 .git/hooks; rm .git; mv .git g; rmdir .git/hooks; ln -sfn /tmp .git/hooks; setfattr -n user.x -v y .git/config
    `,
  },
  {
    kind: 'a stranger writes elsewhere',
    isContained: true,
    commands: lines`
      echo evil > @OUT@/canary; echo evil >> links/canary; echo evil > links/new; echo evil > links/out/new; echo evil > links/out-by-dots/new
      cp x @OUT@/; mv x @OUT@/y; ln @OUT@/x here; ln x @OUT@/there; mkdir @OUT@/made; touch @OUT@/held; rm @OUT@/x; chmod 777 @OUT@/x
      cd @OUT@ && touch made-here; cd links/out && touch made-there; pushd @HOME@ >/dev/null && touch .made
      perl -e 'open F, ">>", "/proc/self/root@OUT@/x" and print F "evil"; unlink "/proc/self/cwd/links/canary/../x"; truncate "@OUT@/held", 0; utime 0, 0, "@OUT@/canary"'
      node -e 'const f = require("fs"); f.rmSync("@OUT@/folder", { recursive: true }); f.writeFileSync("@HOME@/.profile", "evil")'
      git init -q @OUT@/new-repository; git -C @OUT@ init -q; git --git-dir=@OUT@/g --work-tree=@OUT@ init -q; git clone -q . @OUT@/clone
      git worktree add -q @OUT@/wt; git bundle create @OUT@/bundle HEAD; git archive -o @OUT@/a.tar HEAD; git format-patch -o @OUT@ -1; git diff --output=@OUT@/canary HEAD~1
      git --work-tree=@OUT@ checkout -f HEAD -- .; GIT_WORK_TREE=@OUT@ git checkout -f HEAD -- first; GIT_INDEX_FILE=@OUT@/index git read-tree HEAD
      git log -1 --output=@OUT@/log; git blame x --contents @OUT@/x >/dev/null; git config --file @OUT@/config a.b c; git config --global a.b c; GIT_TRACE=@OUT@/trace git status
      GIT_TRACE2_EVENT=@OUT@/t2 git log -1; GIT_EXEC_PATH=. git evil; GIT_SSH_COMMAND='touch @OUT@/ssh;' git ls-remote ssh://x/y; GIT_EXTERNAL_DIFF='touch @OUT@/diff;' git diff HEAD~1
      git -c core.pager='touch @OUT@/pager;' -p log; git -c alias.x='!touch @OUT@/alias' x; git -c core.fsmonitor='touch @OUT@/mon;' status; git -c core.editor='touch @OUT@/ed;' commit --amend
      git ls-remote 'ext::sh -c touch% @OUT@/ext'; git grep -O'touch @OUT@/grep;' first; git difftool -y -x 'touch @OUT@/tool;' HEAD~1; git bisect start; git bisect run touch @OUT@/bisect; git rebase -x 'touch @OUT@/rebase' HEAD~1
      find . -maxdepth 1 -name x -fprintf @OUT@/found %p -exec cp {} @OUT@/exec \;; sed -n 'w @OUT@/sed' x; sed 's/x/touch @OUT@\/sede/e' x; awk 'BEGIN { print "x" > "@OUT@/awk"; system("touch @OUT@/awks") }'
      sort -o @OUT@/sorted x; uniq x @OUT@/uniq; split x @OUT@/split; csplit -s -f @OUT@/cs a 1; tee @OUT@/tee < x >/dev/null; xxd x @OUT@/xxd; shuf -o @OUT@/shuf x; dd if=x of=@OUT@/canary 2>/dev/null
      tar cf @OUT@/t.tar x; tar cf t.tar x; tar xf t.tar -C @OUT@; tar cf - x | tar xf - -C @OUT@ --transform 's/x/z/'; cpio -D @OUT@ -i < /dev/null; zip -q @OUT@/z.zip x; rsync x @OUT@/rs; install x @OUT@/inst
      tar -cf /dev/null x --checkpoint=1 --checkpoint-action=exec='touch @OUT@/check'; tar cf /dev/null -I 'touch @OUT@/tari;' x; tar xf @OUT@/t.tar --to-command='touch @OUT@/toc'
      patch -s @OUT@/canary < /dev/null; printf '%s\n' '--- a' '+++ b' '@@ -1 +1 @@' '-canary' '+evil' | patch -s @OUT@/canary; printf '1d\nw\n' | ed -s @OUT@/canary; ex -sc '%d|x' @OUT@/canary; vim -es -c 'w! @OUT@/vim' -c q x
      curl -s file:///etc/hostname -o @OUT@/curl; wget -q -O @OUT@/wget http://127.0.0.1:1; openssl rand -out @OUT@/rand 4; gzip -kc x > @OUT@/gz; base64 x > @OUT@/b64; script -qc true @OUT@/typescript
      bash -c 'echo evil' > @OUT@/canary; exec 9> @OUT@/nine; coproc touch @OUT@/coproc; printf evil >| @OUT@/canary; : > @OUT@/x; >@OUT@/held; { echo a; } &> @OUT@/amp; echo b <> @OUT@/rw 1<> @OUT@/rw
      make -f evil.mk; make -s --eval='$(shell touch @OUT@/make)'; node evil.js; sh evil.sh; ./evil; python3 script.py; awk -f script.awk; LD_PRELOAD=./evil.so true; perl -e 'do "./evil.sh"; system "./evil.sh"'
      npm run test -- --x; touch @OUT@/after; npm --prefix @OUT@ init -y; npm pack --pack-destination @OUT@; npm_config_cache=@OUT@/cache npm ls; npm_config_globalconfig=@OUT@/globalrc npm config set x y --location=global
      NODE_OPTIONS='--require ./evil.js' node -e 0; NODE_REPL_HISTORY=@OUT@/h node -i < /dev/null; node --cpu-prof --cpu-prof-dir=@OUT@ -e 0; NODE_V8_COVERAGE=@OUT@/cov node -e 0; node --heapsnapshot-signal=SIGUSR2 --diagnostic-dir=@OUT@ -e 'process.kill(process.pid, "SIGUSR2"); setTimeout(() => {}, 300)'
      mkfifo @OUT@/f; ln -s x @OUT@/l; setfacl -m u:1:r @OUT@/x; setfattr -n user.a -v b @OUT@/x; chown 1 @OUT@/x; touch -h -d 2001-01-01 @OUT@/canary
      perl -e 'for (1 .. 300) { rename "sub", "s2"; symlink "@OUT@", "sub"; open F, ">", "sub/raced"; unlink "sub"; rename "s2", "sub" }'
      for d in /etc/profile.d /usr/local/bin / /opt /root /home /var/lib; do echo evil > $d/@MARK@; done; echo evil > /dev/shm/canary-@MARK@
      perl -e 'print open(F, ">", $_) ? "open $_\n" : "" for map "$_/@MARK@", "/run", "/run/lock", "/dev/mqueue", "/var/log", "/boot", "/srv", "/mnt", "/sys/fs/cgroup", "/var/spool/cron"'
    `,
  },
  {
    kind: 'a rule for tests, stretched',
    isContained: true,
    commands: lines`
      npm run test:unit -- touch @OUT@/ran
      npm run test:unit -- 'cat @HOME@/.ssh/id_rsa .env'
      npm run test:unit -- 'echo $ANTHROPIC_API_KEY $GITHUB_TOKEN'
      npm run test:unit > @OUT@/canary
      npm run test:unit 2>> @HOME@/.profile
      npm run test:unit --prefix @OUT@; npm run test:unit -- 'cp x links/out/'
      npm run test:unit -- "perl -e 'kill 9, @PID@'"
      npm run test:unit -- 'exec 3<>/dev/tcp/127.0.0.1/@PORT@'
      npm run test:unit --script-shell=./evil.sh
      npm run test:unit -- 'setsid -f sleep 60; echo @MARK@'
      npm run test:unit && touch @OUT@/and; npm run test:unit || touch @OUT@/or
      npm run test:unit $(touch @OUT@/sub) | tee @OUT@/piped
      HOME=@HOME@ npm run test:unit -- 'cat $HOME/.netrc'
      npm run test:unit -- 'git config --file @HOME@/.gitconfig core.pager ./evil.sh'
    `,
  },
  {
    kind: 'a rule for tests, stretched into what runs later',
    isContained: false,
    commands: lines`
      npm run test:unit -- 'git config core.fsmonitor ./evil.sh'
      npm run test:unit -- 'echo evil >> .vscode/tasks.json; mkdir -p .zed; echo evil > .zed/tasks.json'
      npm run test:unit -- 'git init -q n; rm -rf n/.git/hooks; ln -s @OUT@ n/.git/hooks'
      npm run test:unit -- 'ln -s @OUT@ .git/modules; cp evil.sh .git/hooks/pre-push'
    `,
  },
]
