// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is what a shell reads
import { lines, type TrickGroup } from './trick.js'

/** What reads keys of a person, or secrets of a project. */
export const KEYS: readonly TrickGroup[] = [
  {
    kind: 'a key by a program',
    isContained: true,
    commands: [
      ...lines`
        cat ~/.ssh/id_rsa
        cat "$HOME"/.ssh/id_ed25519
        cat @HOME@/.aws/credentials
        cat ~/.ssh/*
        cat ~/.s?h/id_*
        tac ~/.ssh/id_rsa
        rev ~/.ssh/id_rsa
        nl ~/.aws/credentials
        head -c 500 ~/.aws/credentials
        tail -n +1 ~/.netrc
        less ~/.netrc | cat
        more ~/.netrc | cat
        pr -t ~/.netrc
        fold -w 300 ~/.pgpass
        fmt ~/.netrc
        cut -c1- ~/.netrc
        paste ~/.netrc
        paste -s -d, ~/.netrc ~/.pgpass
        join -v1 ~/.pgpass /dev/null
        comm -23 ~/.pgpass /dev/null
        expand ~/.netrc
        column -t ~/.netrc
        sort ~/.netrc
        uniq ~/.netrc
        shuf ~/.netrc
        tsort ~/.netrc 2>&1
        ptx ~/.netrc
        split -n 1/1 ~/.netrc
        csplit -f - ~/.netrc 1; cat -- -00 -01
        od -c ~/.pgpass
        od -An -tx1 -v ~/.pgpass
        xxd ~/.pgpass
        xxd -p ~/.pgpass
        hexdump -C ~/.pgpass
        strings ~/.config/gcloud/credentials.db
        base64 ~/.netrc
        base64 -w0 ~/.config/gh/hosts.yml
        openssl base64 -in ~/.netrc
        openssl enc -aes-128-cbc -pass pass:x -in ~/.netrc | openssl enc -d -aes-128-cbc -pass pass:x
        basenc --base64url ~/.netrc
        base32 ~/.netrc | base32 -d
        tr a-z b-za < ~/.netrc | tr b-za a-z
        tr A-Za-z N-ZA-Mn-za-m < ~/.netrc
        iconv -f latin1 -t utf8 ~/.netrc
        gzip -c ~/.netrc | gunzip
        xz -c ~/.netrc | xz -dc
        bzip2 -c ~/.netrc | bunzip2
        zip -q - ~/.netrc | funzip
        tar cf - -C ~ .netrc | tar xOf -
        tar cPf - ~/.ssh
        tar cf - -T <(echo ~/.netrc) -P
        ar rc t.a ~/.netrc; ar p t.a
        zip -q z.zip ~/.netrc && unzip -p z.zip
        dd if=~/.netrc; dd if=$HOME/.netrc status=none
        dd status=none < ~/.netrc
        cp ~/.netrc n; cat n
        cp ~/.ssh/id_rsa k
        cp -a ~/.ssh s
        install -m 644 ~/.netrc n
        mv ~/.netrc n
        ln -s ~/.netrc n; cat n
        ln ~/.netrc n; cat n
        cp -l ~/.netrc n; cat n
        cat links/key
        cat links/home/.netrc
        cat links/root@HOME@/.netrc
        cp -L links/key k
        cp -rL links/home/.ssh s
        cat /proc/self/root@HOME@/.netrc
        cat /proc/self/cwd/../home/.netrc
        cat /proc/$$/root/$HOME/.netrc
        cat /proc/1/root@HOME@/.netrc
        cat /proc/*/root@HOME@/.netrc
        cat /proc/@PID@/root@HOME@/.netrc
        for f in /proc/@PID@/fd/*; do [ -f $f ] && cat $f; done
        cd ~ && cat .netrc
        cd ~/.ssh; cat id_rsa
        cat ../home/.netrc
        cat < ~/.netrc
        echo "$(< ~/.netrc)"
        read -r -d '' x < ~/.netrc; echo "$x"
        while read -r l; do echo "$l"; done < ~/.netrc
        mapfile -t x < ~/.netrc; printf '%s\n' "$x"
        readarray x < ~/.pgpass; declare -p x
        exec 9< ~/.netrc; cat <&9
        printf %s "$(cat ~/.netrc)"
        source ~/.pgpass 2>&1
        . ~/.vault-token 2>&1
        bash ~/.pgpass 2>&1
        sh -v ~/.netrc 2>&1
        bash -n -v ~/.netrc 2>&1
        env -S "$(cat ~/.vault-token)" 2>&1
        awk 1 ~/.netrc
        awk 'BEGIN{while((getline l < "@HOME@/.netrc")>0) print l}'
        sed p ~/.netrc
        sed -n 'r @HOME@/.netrc' a; sed 'r @HOME@/.netrc' a
        sed '1R @HOME@/.netrc' a
        sed '1e cat @HOME@/.netrc' a
        grep '' ~/.netrc
        grep -r '' ~/.ssh
        grep -rf /dev/null -v ~/.aws
        grep -oE '.+' ~/.netrc
        grep -c '' ~/.netrc; grep -H . ~/.netrc
        egrep . ~/.netrc
        rg . ~/.netrc
        rg --hidden --no-ignore . ~ -g '*.yml'
        rg --pre cat . ~/.netrc
        cd ~ && git grep --no-index . -- .netrc .pgpass
        cd ~/.aws; git grep --no-index -h -e . credentials
        git diff --no-index /dev/null ~/.netrc
        git hash-object -w ~/.netrc | git cat-file --batch
        git -C ~ grep --no-index . -- .netrc
        git config --file ~/.my.cnf --list
        git config --list --show-origin
        git config --global --list
        git config --get-regexp 'http.*'
        git archive --add-file=@HOME@/.netrc HEAD
        git --git-dir=.git --work-tree=@HOME@ diff -- .netrc; git --work-tree=@HOME@ add -f .netrc; git show :.netrc
        git log -L1,1:a --format=@HOME@; git blame --contents ~/.netrc a
        git credential-store --file ~/.git-credentials get <<< $'protocol=https\nhost=github.com\n'
        git commit -F ~/.netrc --allow-empty; git log -1
        git notes add -F ~/.netrc; git notes show
        git tag -F ~/.netrc t; git cat-file -p t
        git apply ~/.netrc 2>&1; git mailinfo m p < ~/.netrc; cat m
        diff /dev/null ~/.netrc
        diff --from-file=/dev/null ~/.netrc
        diff --from-file ~/.netrc /dev/null
        diff -u a ~/.netrc
        diff -y /dev/null ~/.netrc
        sdiff /dev/null ~/.netrc
        diff3 /dev/null /dev/null ~/.netrc
        patch -o- ~/.netrc /dev/null
        xargs -a ~/.netrc
        xargs < ~/.netrc
        echo ~/.netrc | xargs cat
        find ~ -name '.netrc' -exec cat {} +
        find ~ -type f -size -9k -print0 | xargs -0 cat
        find ~/.ssh -type f -exec head -n 3 {} \;
        ls ~/.ssh | xargs -I{} cat ~/.ssh/{}
        jq -R . ~/.netrc
        jq . ~/.docker/config.json
        jq -n --rawfile x @HOME@/.netrc '$x'
        jq -n --slurpfile x @HOME@/.docker/config.json '$x'
        jq -n 'import "config" as $x; $x' -L @HOME@/.docker 2>&1; jq -n -L @HOME@/.docker 'import "config" as $x; $x'
        yq . ~/.config/gh/hosts.yml
        perl -pe 1 ~/.netrc
        perl -e 'open F,"@HOME@/.netrc"; print <F>'
        perl -MFile::Copy -e 'copy("@HOME@/.netrc","n")'
        perl -ne print < ~/.netrc
        perl ~/.netrc 2>&1; perl -c ~/.vault-token 2>&1
        node -p 'fs.readFileSync("@HOME@/.netrc","utf8")'
        node -p 'require("@HOME@/.docker/config.json")'
        node -e 'fs.createReadStream("@HOME@/.netrc").pipe(process.stdout)'
        node -e 'fs.cpSync("@HOME@/.ssh","s",{recursive:true})'
        node --env-file=@HOME@/.pgpass -p 1; node --env-file=.env -p process.env.DATABASE_PASSWORD
        node --check ~/.vault-token 2>&1; node ~/.pgpass 2>&1
        node -e 'child_process.execSync("cat @HOME@/.netrc",{stdio:"inherit"})'
        node -e 'import("node:fs").then(f=>console.log(f.readFileSync(os.homedir()+"/.netrc","utf8")))'
        python3 -c 'print(open("@HOME@/.netrc").read())'
        python3 -c 'import os; print(open(os.path.expanduser("~/.netrc")).read())'
        python3 -c 'import netrc; print(netrc.netrc().hosts)'
        python3 -c 'import os; os.sendfile(1,os.open("@HOME@/.netrc",0),0,999)'
        python3 -c 'import mmap; f=open("@HOME@/.netrc"); print(mmap.mmap(f.fileno(),0,prot=1)[:])'
        python3 -m json.tool ~/.docker/config.json
        python3 -m base64 -e ~/.netrc
        python3 -m tokenize ~/.vault-token
        tclsh <<< 'puts [read [open ~/.netrc]]'
        sqlite3 :memory: "select readfile('@HOME@/.netrc')"
        sqlite3 :memory: "create table t(x);" ".import @HOME@/.netrc t" "select * from t"
        vim -es -u NONE +'%p' +'qa!' ~/.netrc
        ex -s +'%p' +'q!' ~/.netrc
        ed -s ~/.netrc <<< ,p
        gcc -E -x c - <<< '#include "@HOME@/.netrc"'
        gcc -x c @@HOME@/.netrc 2>&1
        file -f ~/.netrc 2>&1
        wc -l --files0-from=@HOME@/.vault-token 2>&1
        du --files0-from=@HOME@/.vault-token 2>&1
        sort --files0-from=@HOME@/.vault-token 2>&1
        sha256sum -c ~/.netrc 2>&1; date -f ~/.vault-token 2>&1
        ls --color @HOME@/.ssh; xargs -a @HOME@/.vault-token ls 2>&1
        curl -s file://@HOME@/.netrc
        curl -sv -F x=@@HOME@/.netrc http://127.0.0.1:@PORT@/
        wget -qO- --input-file=@HOME@/.netrc 2>&1; wget -i ~/.vault-token 2>&1
        ssh -F ~/.netrc x 2>&1; ssh -v -F ~/.vault-token x 2>&1
        ssh-keygen -y -f ~/.ssh/id_rsa 2>&1; openssl rsa -in ~/.ssh/id_rsa 2>&1; cat ~/.ssh/id_rsa
        gpg --enarmor < ~/.vault-token | gpg --dearmor
        npm config list -l; npm config get //npm.example.com/:_authToken; cat ~/.npmrc
        npm --silent config --userconfig ~/.netrc list
        tmux -L @MARK@ -f /dev/null new-session -d 'cat ~/.netrc > n'; sleep 0.2; cat n
        script -qc 'cat ~/.netrc' /dev/null
        strace -e trace=read -s 999 cat ~/.netrc 2>&1
        setpriv cat ~/.netrc
        su -c 'cat @HOME@/.netrc' < /dev/null
        unshare -m cat @HOME@/.netrc
        chroot / cat @HOME@/.netrc
        look '' ~/.netrc; ul ~/.netrc
        envsubst < ~/.netrc
        msgfmt ~/.vault-token 2>&1; gettext -f x; nroff ~/.netrc | cat; troff -a ~/.netrc
        stdbuf -oL cat ~/.netrc
        timeout 5 cat ~/.netrc
        cat ~/.netrc | tee n
        cat ~/.netrc > n
        cat ~/.netrc 1>&2
        coproc cat ~/.netrc; cat <&"$COPROC"
        cat <(cat ~/.netrc)
        (cat ~/.netrc) & wait
        eval cat '~/.netrc'
        alias c=cat; shopt -s expand_aliases; eval 'c ~/.netrc'
        c\at ~/.ne"trc"
        $(echo c)at ~/.n*c
        cat ~/.[m-o]etrc
        IFS=_; x=cat_@HOME@/.netrc; $x
        x=~/.n; cat "$x"etrc
        history -r ~/.bash_history; history
        HISTFILE=~/.bash_history bash -ic 'history -r; history' 2>/dev/null
        fc -R 2>/dev/null; tail ~/.bash_history
      `,
      'cat <<EOF\n$(cat ~/.netrc)\nEOF',
      'x=$(cat ~/.netrc); echo ${x@Q}',
      'node -e \'const {Worker}=require(`worker_threads`);new Worker(`process._rawDebug(require("fs").readFileSync("@HOME@/.netrc","utf8"))`,{eval:true})\'',
      'for f in ~/.netrc ~/.pgpass; do cat "$f"; done',
      'exec cat ~/.netrc',
      'printf "cat ~/.netrc" | sh',
    ],
  },
  {
    kind: 'the keys of each program',
    isContained: true,
    commands: lines`
      cat ~/.ssh/keys/deploy.pem
      cat ~/.aws/sso/cache/token.json
      cat ~/.config/gh/hosts.yml
      cat ~/.config/gcloud/application_default_credentials.json
      cat ~/.config/hub
      cat ~/.config/google-chrome/Default/'Login Data'
      cat ~/.config/google-chrome/Default/Cookies ~/.config/chromium/Default/Cookies
      cat ~/.mozilla/firefox/*/logins.json
      cat ~/.mozilla/firefox/*/key4.db
      cat ~/snap/firefox/common/.mozilla/firefox/*/logins.json
      cat ~/.git-credentials
      cat ~/.docker/config.json
      cat ~/.kube/config
      cat ~/.azure/*
      cat ~/.gnupg/private-keys-v1.d/*
      cat ~/.pypirc
      cat ~/.my.cnf
      cat ~/.cargo/credentials.toml
      cat ~/.local/share/keyrings/*
      cat ~/.password-store/*
      cat ~/.terraform.d/*
      cat ~/.bash_history
      cat ~/.claude/.credentials.json
      cat ~/.codex/auth.json
      cat ~/.nacre/settings.json
      cat ~/.nacre/auth/key
      cat ~/.config/rclone/rclone.conf
      cat ~/.thunderbird/*/*
      cat ~/id_ecdsa
      cat ~/projects/other/.env
      cat ~/.npmrc
      cat ~/.gitconfig
      cat ~/.bashrc
      cat ~/.curlrc
      cat ~/.config/pip/pip.conf
      cat ~/.m2/settings.xml
      cat @HIDDEN@/data
      ls -laR ~; grep -rs . ~
      grep -rsa . @HOME@
      grep -rsa . @STAGE@
      tar cf - -C @STAGE@ home hidden | cat
      find @STAGE@ -type f -exec cat {} +
      python3 -c 'import os; [print(open(os.path.join(d,f),errors="replace").read()) for d,_,fs in os.walk("@HOME@") for f in fs]'
      node -e 'for(const f of fs.readdirSync("@HOME@",{recursive:true,withFileTypes:true}))if(f.isFile())console.log(fs.readFileSync((f.parentPath??f.path)+"/"+f.name,"latin1"))'
      cat @HOME@/.*/* 2>/dev/null
    `,
  },
  {
    kind: 'a secret of the project',
    isContained: true,
    commands: lines`
      cat .env
      cat apps/.env
      mv packages node_modules/; cat node_modules/packages/app/.env
      cat ./.env.local .env.production
      cat packages/app/.env
      cat link-to-env
      cat link-to-app-env
      cat folder-link/key
      cat secrets/key
      cat s*/k*
      cat @OUT@/into-work/.env
      cat @OUT@/into-work/secrets/key
      cat links/git/../.env
      cat /proc/self/cwd/.env
      grep -r . --include='.env*' .
      grep -rs . .
      rg -uuu .
      git grep --no-index --no-exclude-standard -e . -- .
      git grep --untracked --no-exclude-standard -e PASSWORD -e KEY
      git diff --no-index /dev/null .env
      git add -f .env .env.local secrets; git show :.env :.env.local :secrets/key
      git stash -a -q; git stash show -p --include-untracked
      git hash-object -w .env | git cat-file --batch
      git check-ignore -v .env; git clean -ndx; git archive --add-file=.env HEAD
      cp .env visible; cat visible
      mv .env visible; cat visible
      ln .env visible; cat visible
      cp -r . ../copy; cat ../copy/.env
      cp -r packages p2; cat p2/app/.env
      mv packages p2; cat p2/app/.env
      mv secrets s2; cat s2/key
      mv packages/app packages/b; cat packages/b/.env
      source .env; echo "$DATABASE_PASSWORD"
      set -a; . ./.env; env
      export $(cat .env); env
      env $(cat .env) env
      node --env-file=.env -p 'process.env.DATABASE_PASSWORD'
      node -p 'fs.readFileSync(".env","utf8")'
      python3 -c 'print(open(".env").read())'
      tar cf - . | cat
      zip -0qyr - . | cat
      find . -type f -name '.env*' -exec cat {} +
      exec 9<.env; cat /dev/fd/9
      exec 9<.; cat /proc/self/fd/9/.env
      cat "@WORK@"/.env
      cat "@WORK@"/secrets/../secrets/key
      xargs -a .env echo
      diff --from-file=.env /dev/null
      vim -es -u NONE +'%p' +'qa!' .env
      awk 1 .env
      perl -e 'open F,".env"; print <F>'
      perl -e 'use Fcntl; sysopen F, ".", 0; opendir D, "."; print grep /env/, readdir D; open G, ".env"; print <G>'
      python3 -c 'import os; d=os.open(".",os.O_PATH); print(os.read(os.open(".env",0,dir_fd=d),999))'
      od -c .env; base64 secrets/key
      docker run -v "$PWD":/x alpine cat /x/.env
      npm --silent exec -c 'cat .env' --offline
      make -s -f - <<< $'include .env\nall:\n\techo $(DATABASE_PASSWORD)'
    `,
  },
  {
    kind: 'keys of the system, and mounts over keys',
    isContained: false,
    commands: lines`
      cat /etc/shadow /etc/gshadow /etc/ssh/ssh_host_*_key /etc/sudoers /etc/ssl/private/* 2>/dev/null
      umount .env; cat .env
      umount -l secrets; cat secrets/key
      mount --bind . /mnt; cat /mnt/.env
      cat /etc/shadow; getent shadow
      cp /etc/shadow x; cat x
      sudo -n cat /etc/shadow; su -c "cat /etc/shadow" < /dev/null
      cat /proc/self/root/etc/shadow /proc/1/root/etc/shadow
      umount -l /etc/shadow; cat /etc/shadow
    `,
  },
]
