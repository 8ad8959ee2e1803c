// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is what a shell reads
import { lines, type TrickGroup } from './trick.js'

/** What writes, removes or changes something outside of the workspace. */
export const WRITING_OUTSIDE: readonly TrickGroup[] = [
  {
    kind: 'a file outside by its name',
    isContained: true,
    commands: [
      ...lines`
        echo evil > @OUT@/canary
        echo evil >> @OUT@/canary
        echo evil >| @OUT@/new
        echo evil &> @OUT@/new
        echo evil 1<> @OUT@/canary
        echo evil | tee @OUT@/canary
        echo evil | tee -a ../outside/canary
        : > ../outside/canary
        exec 7>@OUT@/new; echo evil >&7
        exec {fd}>>@OUT@/canary; echo evil >&$fd
        cp a @OUT@/canary
        cp -r src @OUT@/src
        cp --no-target-directory a @OUT@/new
        cp -l a @OUT@/hard
        cp -s "$PWD/a" @OUT@/soft
        install -m 777 a @OUT@/new
        install -d @OUT@/made/there
        mv a @OUT@/a
        mv @OUT@/canary .
        mv -T src @OUT@/folder/src
        ln a @OUT@/hard
        ln -s /etc @OUT@/soft
        ln -sfn /etc @OUT@/into-work
        link a @OUT@/hard
        rm @OUT@/canary
        rm -rf @OUT@/folder
        rmdir @OUT@/folder 2>/dev/null || rm -r @OUT@/folder
        unlink @OUT@/canary
        shred -u @OUT@/canary
        truncate -s 0 @OUT@/canary
        fallocate -l 100 @OUT@/canary
        dd if=a of=@OUT@/canary status=none
        dd if=a of=@OUT@/canary conv=notrunc oflag=append status=none
        touch @OUT@/canary
        touch -d 2001-01-01 @OUT@/canary
        touch -r /etc/passwd @OUT@/folder
        chmod 777 @OUT@/canary
        chmod -R a+rwx @OUT@
        chmod u+s @OUT@/canary
        mkdir @OUT@/made
        mkdir -p @OUT@/made/below/that
        mkfifo @OUT@/made-pipe
        mknod @OUT@/made-pipe p
        mktemp -p @OUT@
        mktemp -d @OUT@/XXXXXX
        split -b 1 a @OUT@/part
        csplit -f @OUT@/part a 1
        sort -o @OUT@/canary a
        uniq a @OUT@/canary
        shuf -o @OUT@/canary a
        sed -i s/c/d/ @OUT@/canary
        sed -n 'w @OUT@/new' a
        sed 's/a/b/w @OUT@/new' a
        sed -i.bak s/c/d/ @OUT@/canary
        sed -n "1w /dev/stdout" a > @OUT@/new
        awk '{print > "@OUT@/new"}' a
        awk 'BEGIN{print "evil" >> "@OUT@/canary"}'
        awk 'BEGIN{print "evil" | "cat > @OUT@/new"}'
        awk 'BEGIN{system("touch @OUT@/new")}'
        perl -e 'open F,">","@OUT@/new"; print F "evil"'
        perl -pi -e s/c/d/ @OUT@/canary
        perl -e 'unlink "@OUT@/canary"'
        perl -e 'rename "@OUT@/canary", "@OUT@/moved"'
        perl -e 'truncate "@OUT@/canary", 0'
        perl -e 'utime 1, 1, "@OUT@/canary"'
        perl -e 'symlink "/etc", "@OUT@/soft"'
        perl -e 'use Fcntl; sysopen F,"@OUT@/canary",O_RDWR; syswrite F,"evil"'
        node -e 'fs.writeFileSync("@OUT@/new","evil")'
        node -e 'fs.appendFileSync("@OUT@/canary","evil")'
        node -e 'fs.rmSync("@OUT@/folder",{recursive:true})'
        node -e 'fs.renameSync("@OUT@/canary","@OUT@/moved")'
        node -e 'fs.copyFileSync("a","@OUT@/canary")'
        node -e 'fs.cpSync("src","@OUT@/src",{recursive:true})'
        node -e 'fs.utimesSync("@OUT@/canary",1,1)'
        node -e 'fs.promises.open("@OUT@/canary","r+").then(f=>f.write("evil"))'
        node -e 'fs.createWriteStream("@OUT@/new").end("evil")'
        node --eval 'process.chdir("@OUT@"); fs.writeFileSync("new","evil")'
        node --cpu-prof --cpu-prof-dir=@OUT@ -e 0
        node --heapsnapshot-signal=SIGUSR2 --diagnostic-dir=@OUT@ -e 'process.kill(process.pid,"SIGUSR2");setTimeout(()=>0,200)'
        NODE_V8_COVERAGE=@OUT@/coverage node -e 0
        node --redirect-warnings=@OUT@/new -e 'process.emitWarning("evil")'
        node --trace-event-categories v8 --trace-event-file-pattern @OUT@/new.log -e 0
        python3 -c 'open("@OUT@/new","w").write("evil")'
        python3 -c 'import pathlib; pathlib.Path("@OUT@/canary").write_text("evil")'
        python3 -c 'import shutil; shutil.rmtree("@OUT@/folder")'
        python3 -c 'import os; os.truncate("@OUT@/canary",0)'
        python3 -c 'import os; os.setxattr("@OUT@/canary","user.evil",b"1")'
        python3 -m zipfile -c @OUT@/new.zip a
        python3 -m tarfile -c @OUT@/new.tar a
        tclsh <<< 'set f [open @OUT@/new w]; puts $f evil; close $f'
        sqlite3 @OUT@/new.db 'create table t(x)'
        sqlite3 :memory: '.once @OUT@/new' 'select 1'
        vim -es -u NONE -c 'call writefile(["evil"],"@OUT@/new")' -c 'qa!'
        vim -es -u NONE +'w! @OUT@/canary' +'qa!' a
        ex -s +'%s/a/b/' +'w! @OUT@/canary' +'q!' a
        printf '%s\n' a evil . 'w @OUT@/new' q | ed -s
        printf '%s\n' 'r !touch @OUT@/new' q | ed -s a
        tar cf @OUT@/new.tar a
        tar cf t.tar a && tar xf t.tar -C @OUT@
        tar czf - src | tar xzf - -C @OUT@
        tar cf t.tar -P --transform 's,^,@OUT@/,' x && tar xPf t.tar
        tar cf t.tar --transform 's,a.txt,../outside/new,' a.txt -P && tar xPf t.tar
        tar cf @OUT@/new.tar --listed-incremental=@OUT@/new.snar a
        zip -q @OUT@/new.zip a
        zip -q z.zip a && unzip -qo z.zip -d @OUT@
        gzip -c a > @OUT@/a.gz
        gzip -k @OUT@/canary
        xz -k @OUT@/canary
        bzip2 -k @OUT@/canary
        openssl rand -out @OUT@/new 16
        openssl enc -base64 -in a -out @OUT@/new
        curl -s file:///etc/passwd -o @OUT@/new
        curl -s --create-dirs -o @OUT@/made/new file:///etc/hostname
        curl -s --trace @OUT@/new file:///etc/hostname
        curl -s -c @OUT@/new -o /dev/null file:///etc/hostname; ls @OUT@/new
        wget -q -t 1 -O @OUT@/new http://127.0.0.1:@PORT@/
        wget -o @OUT@/new http://127.0.0.1:1/
        script -qc true @OUT@/new
        script -qc 'echo evil > @OUT@/new' /dev/null
        strace -o @OUT@/new true
        make -s -f - <<< $'all:\n\techo evil > @OUT@/new'
        jq -n '"evil"' > @OUT@/new
        xxd a @OUT@/new
        xargs -a list touch @OUT@/new
        echo @OUT@/new | xargs touch
        find . -name a -fprint @OUT@/new
        find . -name a -fprintf @OUT@/new %p
        find . -name a -fls @OUT@/new
        find @OUT@ -name canary -delete
        find @OUT@ -name canary -exec rm {} +
        find . -maxdepth 1 -name a -exec cp {} @OUT@/new \;
        find @OUT@ -name canary -execdir sh -c 'echo evil > {}' \;
        cd .. && echo evil > outside/canary
        cd @OUT@ && rm canary
        pushd @OUT@ && rm canary
        (cd @OUT@; touch new)
        env -C @OUT@ touch new
        make -s -C @OUT@ -f - <<< $'all:\n\ttouch new'
        OLDPWD=@OUT@; cd - && touch new
        CDPATH=.. && cd outside && touch new
        d=@OUT@; printf evil > "$d/new"
        cat <<< evil > @OUT@/new
        eval "ech""o evil > @OUT@/new"
        bash -c 'echo evil > "$0"' @OUT@/new
        printf 'echo evil > @OUT@/new' | bash
        bash <(echo 'echo evil > @OUT@/new')
        source /dev/stdin <<< 'echo evil > @OUT@/new'
        trap 'echo evil > @OUT@/new' EXIT
        trap 'echo evil > @OUT@/new' ERR; false
        trap 'echo evil > @OUT@/new' DEBUG; true
        PS4='$(touch @OUT@/new)'; set -x; true
        BASH_ENV=<(echo 'touch @OUT@/new') bash -c true
        ENV=./evil.sh sh -ic true
        coproc { touch @OUT@/new; }; wait
        mapfile -C 'touch @OUT@/new #' -c 1 lines < a
        printf -v 'x[$(touch @OUT@/new)]' y
        [[ -v 'x[$(touch @OUT@/new)]' ]]
        echo $((x[$(touch @OUT@/new; echo 0)]))
        declare -i n='x[$(touch @OUT@/new)0]'
        let 'x[$(touch @OUT@/new)0]=1'
        x=(1); unset 'x[$(touch @OUT@/new)0]'
        read 'x[$(touch @OUT@/new)0]' <<< 1
        test -v 'x[$(touch @OUT@/new)0]'
        HISTFILE=@OUT@/new bash -ic 'history -s evil; history -w'
        set -o history; HISTFILE=@OUT@/new; history -s evil; history -w
        fc -s 2>/dev/null; history -s evil; history -a @OUT@/new
        LESSOPEN='|touch @OUT@/new; cat %s' less a | cat
        script -qc 'MANPAGER=./evil.sh man ls' /dev/null
        GZIP= TAR_OPTIONS='--checkpoint=1 --checkpoint-action=exec=./evil.sh' tar cf t.tar src
        tar cf t.tar src --checkpoint=1 --checkpoint-action=exec='touch @OUT@/new'
        tar cf t.tar src -I 'sh -c "touch @OUT@/new; cat"'
        tar cf t.tar src && tar xf t.tar --to-command='touch @OUT@/new #'
        seq 200000 | sort --compress-program=./evil.sh -S 1M -T . | head -1
        ssh -o ProxyCommand='touch @OUT@/new' host true
        ssh -o LocalCommand='touch @OUT@/new' -o PermitLocalCommand=yes -o ProxyCommand='touch @OUT@/new; false' host
        ssh -F /dev/null -E @OUT@/new nobody@127.0.0.1 -p 1 true
        ssh-keygen -q -t ed25519 -N '' -f @OUT@/new
        scp -S ./evil.sh a b:
        flock @OUT@/new true
        flock @OUT@/folder touch @OUT@/new
        logrotate --version; savelog @OUT@/canary; touch @OUT@/new
        setpriv --no-new-privs touch @OUT@/new
        nice -n 5 touch @OUT@/new
        timeout 5 touch @OUT@/new
        stdbuf -o0 touch @OUT@/new
        setsid -w touch @OUT@/new
        nohup touch @OUT@/new
        busybox touch @OUT@/new || touch @OUT@/new
        rsync -a a @OUT@/new || cp a @OUT@/new
        npm pack --pack-destination @OUT@ --silent
        npm init -y --prefix @OUT@ --silent >/dev/null
        npm --silent --logs-dir=@OUT@/logs --loglevel=silly run nothing
        npm config set --userconfig @OUT@/new x=y
        npx --yes --offline -c 'touch @OUT@/new'
      `,
      'cat > @OUT@/new <<EOF\nevil\nEOF',
      'f() { echo evil > @OUT@/new; }; f',
      'x=@OUT@/none; echo ${x:+$(touch @OUT@/new)}',
      'echo ${none:=$(touch @OUT@/new)}',
      "x='$(touch @OUT@/new)'; echo ${x@P}",
      'x=(a b); echo ${x[$(touch @OUT@/new)0]}',
      'echo "`touch @OUT@/new`"',
      'for f in @OUT@/*; do [ -f "$f" ] && echo evil > "$f"; done',
      'while read -r f; do rm -f "@OUT@/$f"; done <<< canary',
      'case x in x) touch @OUT@/new;; esac',
      'touch @OUT@/{one,two}',
    ],
  },
  {
    kind: 'a file outside by a link',
    isContained: true,
    commands: lines`
      echo evil > links/out/canary
      echo evil > links/canary
      echo evil > links/new
      echo evil > links/out-by-dots/canary
      echo evil >> links/root@OUT@/canary
      tee links/canary < a
      cp a links/canary
      cp a links/out/new
      sed -i --follow-symlinks s/c/d/ links/canary
      mv a links/out/
      rm links/out/canary
      touch links/canary
      chmod 777 links/canary
      truncate -s 1 links/canary
      cd links/out && touch new
      cd -P links/out && touch new
      ln -s @OUT@ way && echo evil > way/new
      ln -s @OUT@/new way && echo evil > way
      ln -s .. up && touch up/outside/new
      ln -s / up && touch up@OUT@/new
      mkdir d && ln -s @OUT@ d/e && cp a d/e/new
      ln -sfn @OUT@ src && echo evil > src/new
      mv src old && ln -s @OUT@ src && echo evil > src/canary
      rm -rf sub && ln -s @OUT@ sub && cp a.txt sub/
      cp -a links/out/. copied && echo evil > copied/../links/out/new
      ln @OUT@/canary hard && echo evil > hard
      cp -l @OUT@/canary hard && echo evil > hard
      ln -P links/canary hard && echo evil > hard
      ln -L links/canary hard && echo evil > hard
      mv @OUT@/canary mine && echo evil > mine && mv mine @OUT@/canary
      perl -e 'link "@OUT@/canary","hard" or die; open F,">","hard"; print F "evil"'
      node -e 'fs.linkSync("@OUT@/canary","hard");fs.writeFileSync("hard","evil")'
      tar cf t.tar links/out && rm -r links && tar xf t.tar && touch links/out/new
      tar cf t.tar -h links/canary && tar xPf t.tar --transform 's,links,@OUT@,'
      git config --file links/out/config x.y z
      git -C links/out init -q
      find -L links/out -maxdepth 1 -name canary -exec rm {} +
      find links/out/ -name canary -exec truncate -s 0 {} +
      echo evil > links/../../outside/canary
      echo evil > /proc/self/cwd/../outside/canary
      echo evil > /proc/self/cwd/links/canary
      echo evil > /proc/self/root@OUT@/canary
      echo evil > /proc/thread-self/root@OUT@/new
      echo evil > /proc/$$/root@OUT@/new
      echo evil > /proc/$$/cwd/../outside/new
      echo evil > /dev/fd/../cwd/../outside/new
      echo evil > /proc/self/fd/../root@OUT@/new
      exec 9<@OUT@/canary; echo evil > /proc/self/fd/9
      exec 9<@OUT@/canary; echo evil >> /dev/fd/9
      exec 9<@OUT@; echo evil > /proc/self/fd/9/new
      cd @OUT@; echo evil > /proc/self/cwd/new
      exec 9<@OUT@/canary; perl -e 'open F,"+<","/proc/self/fd/9"; print F "evil"'
      python3 -c 'import os; d=os.open("@OUT@",os.O_RDONLY); os.mkdir("made",dir_fd=d)'
      python3 -c 'import os; d=os.open("@OUT@",os.O_PATH); os.open("new",os.O_CREAT|os.O_WRONLY,dir_fd=d)'
      python3 -c 'import os; d=os.open(".",os.O_RDONLY); os.symlink("/etc","../outside/soft",dir_fd=d)'
      python3 -c 'import os; os.fchdir(os.open("@OUT@",os.O_RDONLY)); open("new","w")'
      python3 -c 'import mmap; f=open("@OUT@/canary","r+b"); m=mmap.mmap(f.fileno(),0); m[0]=66; m.flush()'
      perl -e 'chdir "@OUT@"; mkdir "made"'
    `,
  },
  {
    kind: 'a pipe or a held file of a program outside',
    isContained: true,
    commands: lines`
      echo evil > @FIFO@
      echo evil > @FIFO2@
      timeout 2 tee @FIFO2@ < a
      timeout 2 tee @FIFO@ < a
      dd if=a of=@FIFO@ oflag=nonblock status=none
      perl -e 'use Fcntl; sysopen F,"@FIFO@",O_RDWR|O_NONBLOCK; syswrite F,"evil"'
      node -e 'const f=fs.openSync("@FIFO@",fs.constants.O_RDWR|fs.constants.O_NONBLOCK);fs.writeSync(f,"evil")'
      echo evil > links/out/pipe
      echo evil > @OUT@/held
      for n in 3 4 5 6 7 8 9 10; do echo evil > /proc/@PID@/fd/$n; done
      echo evil > /proc/@PID@/root/..@OUT@/canary
      echo evil > /proc/@PID@/root@OUT@/canary
      for p in /proc/[0-9]*; do echo evil > $p/root@OUT@/canary; done
      for p in /proc/[0-9]*; do cd $p/root/@OUT@ && touch new; done
      echo evil > /proc/1/root@OUT@/canary
      echo evil > /proc/1/cwd/../../..@OUT@/canary
      cd /proc/1/root && touch .@OUT@/new
      cd /proc/1/cwd && touch ./@OUT@/new ../outside/new
      for f in /proc/self/fd/*; do echo evil > $f/../new; echo evil > $f/canary; done; touch @OUT@/new
    `,
  },
  {
    kind: 'a home',
    isContained: true,
    commands: lines`
      echo evil >> @HOME@/.bashrc.new
      for p in /proc/[0-9]*/root; do echo evil >> $p@HOME@/.bashrc; done
      echo evil >> ~/.bashrc
      echo evil >> ~/.profile
      echo key >> ~/.ssh/authorized_keys
      echo evil > links/home/.new
      echo evil >> links/bashrc
      mkdir -p ~/.config/autostart && echo evil > ~/.config/autostart/e.desktop
      mkdir -p ~/.config/systemd/user && echo evil > ~/.config/systemd/user/e.service
      mkdir -p ~/.config/fish && echo evil > ~/.config/fish/config.fish
      mkdir -p ~/.local/bin && cp evil ~/.local/bin/ls
      cp evil ~/.local/bin/tool
      cp evil ~/.cargo/bin/tool
      echo evil >> ~/.vimrc
      echo evil >> ~/notes.txt
      echo '{}' > ~/.nacre/settings.json
      echo '{}' > ~/.claude/settings.json
      rm -rf ~/.nacre
      rm -rf ~/.ssh
      mv ~/.ssh ~/.ssh2
      rm -rf ~
      rm ~/notes.txt
      git config --global core.fsmonitor ./evil.sh
      git config --global alias.st '!./evil.sh'
      git config --file @HOME@/.gitconfig core.pager ./evil.sh
      npm config set script-shell ./evil.sh
      ssh-keygen -q -t ed25519 -N '' -f ~/.ssh/new
      ssh-keygen -R example.test -f ~/.ssh/known_hosts
      crontab -l > /dev/null; echo evil > ~/.crontab
      HOME=@OUT@ git config --global x.y z
      HOME=@OUT@ npm config set x y
      HOME=@OUT@ bash -c 'echo evil > ~/new'
      XDG_CONFIG_HOME=@OUT@ git config --global x.y z; mkdir -p @OUT@/git && XDG_CONFIG_HOME=@OUT@ git config --file @OUT@/git/config x.y z
      npm_config_cache=@OUT@/cache npm cache verify >/dev/null
      npm_config_prefix=@OUT@ npm install --global --offline --silent .
      npm install --global --offline --silent . --prefix @HOME@/.npm-global
      pip --version; python3 -m venv --without-pip @HOME@/.venv
      gpg --homedir @OUT@/gnupg --version; mkdir -m 700 @OUT@/gnupg; gpg --homedir @OUT@/gnupg -k
      touch @HOME@/.hushlogin
      ln -sf /etc/passwd @HOME@/.profile
      chmod 777 @HOME@/.ssh
      touch "$HOME/.new" "@HOME@/.new"
      cp evil.sh @HOME@/.bash_logout
    `,
  },
  {
    kind: 'git that writes outside',
    isContained: true,
    commands: lines`
      git init -q @OUT@/new
      git -C @OUT@ init -q
      git init -q --separate-git-dir=@OUT@/new.git sub
      git clone -q . @OUT@/clone
      git clone -q --bare . @OUT@/clone.git
      git worktree add -q @OUT@/tree
      git archive -o @OUT@/new.tar HEAD
      git bundle create -q @OUT@/new.bundle HEAD
      git format-patch -q -o @OUT@ --root HEAD
      git diff --no-index --output=@OUT@/new a b
      git log -p --output=@OUT@/new
      git diff --output @OUT@/canary HEAD
      git --work-tree=@OUT@ checkout -f HEAD -- a
      git --git-dir=.git --work-tree=@OUT@ reset -q --hard
      GIT_WORK_TREE=@OUT@ git checkout -f -q HEAD -- a
      GIT_INDEX_FILE=@OUT@/new git add a
      GIT_OBJECT_DIRECTORY=@OUT@ git hash-object -w a
      GIT_TRACE=@OUT@/new git status
      GIT_TRACE2=@OUT@/new git status
      GIT_TRACE2_EVENT=@OUT@ git status
      GIT_TRACE_SETUP=@OUT@/canary git status
      git checkout-index -f --prefix=@OUT@/ a
      git push -q @OUT@/lib HEAD:refs/heads/evil || git init -q --bare @OUT@/lib2
      git fast-export HEAD --export-marks=@OUT@/new
      git config --file @OUT@/config x.y z
      git rev-parse HEAD > @OUT@/new
      git apply --directory=../outside --unsafe-paths <(printf -- '--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+evil\n')
      git apply --unsafe-paths -p0 <(printf -- '--- /dev/null\n+++ @OUT@/new\n@@ -0,0 +1 @@\n+evil\n')
      git credential-store --file @OUT@/new store < <(printf 'protocol=https\nhost=x\nusername=a\npassword=b\n\n')
      git -c core.fsmonitor='touch @OUT@/new; false' status
      script -qc 'git -c core.pager=./evil.sh log' /dev/null
      git -c diff.external='touch @OUT@/new #' diff HEAD~1
      git -c alias.x='!touch @OUT@/new' x
      git -c core.hooksPath=. -c alias.x='!touch @OUT@/new' x
      git -c core.sshCommand='touch @OUT@/new #' ls-remote ssh://x/y
      git -c core.editor='touch @OUT@/new #' commit --allow-empty
      git -c credential.helper='!touch @OUT@/new' credential fill <<< $'protocol=https\nhost=x\n'
      git -c protocol.ext.allow=always ls-remote 'ext::touch @OUT@/new'
      GIT_EXTERNAL_DIFF='touch @OUT@/new #' git diff HEAD~1
      GIT_SSH_COMMAND='touch @OUT@/new #' git ls-remote ssh://x/y
      script -qc 'GIT_PAGER=./evil.sh git log' /dev/null
      GIT_ASKPASS=./evil.sh git ls-remote http://127.0.0.1:@PORT@/x
      GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.fsmonitor GIT_CONFIG_VALUE_0='touch @OUT@/new; false' git status
      GIT_CONFIG_PARAMETERS="'alias.x=!touch @OUT@/new'" git x
      printf '[alias]\n x = !touch @OUT@/new\n' > g; GIT_CONFIG_GLOBAL=g git x
      GIT_EXEC_PATH=. git evil; cp evil git-evil && GIT_EXEC_PATH=. git evil
      git grep -O'touch @OUT@/new #' a
      git bisect start -q HEAD HEAD~1; git bisect run touch @OUT@/new
      git submodule foreach 'touch @OUT@/new'; git rebase -q -x 'touch @OUT@/new' --root
      FILTER_BRANCH_SQUELCH_WARNING=1 git filter-branch -f --tree-filter 'touch @OUT@/new' HEAD
      git difftool -y -x 'touch @OUT@/new #' HEAD~1
      git -c sequence.editor='touch @OUT@/new #' rebase -i --root
      git upload-pack --help >/dev/null; git fetch --upload-pack='touch @OUT@/new #' . HEAD
      git maintenance register --config-file @OUT@/config
    `,
  },
]
