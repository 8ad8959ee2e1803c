// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is what a shell reads
import { lines, type TrickGroup } from './trick.js'

/** What shows variables with secrets, of the shell or of another program. */
export const ENVIRONMENT: readonly TrickGroup[] = [
  {
    kind: 'a secret of the environment',
    isContained: true,
    commands: [
      ...lines`
        echo $ANTHROPIC_API_KEY
        echo "$GITHUB_TOKEN" "$NPM_TOKEN"
        printf '%s\n' "$AWS_SECRET_ACCESS_KEY"
        printf -v x %s "$DATABASE_URL"; echo $x
        echo $REDIS_URL $PGPASSWORD
        echo $FAVOURITE_COLOUR
        echo $BUILD_NOTE
        echo "$DEPLOY_WITH"
        echo "$APP_SETTINGS"
        echo $SESSION
        echo $db_password $AZURE_CLIENT_SECRET $VAULT_TOKEN
        env
        env -0
        /usr/bin/env
        printenv
        printenv GITHUB_TOKEN
        export
        export -p
        declare -p
        declare -x
        typeset -x
        set
        (set -o posix; set)
        compgen -v | while read -r v; do declare -p "$v"; done 2>/dev/null
        compgen -e | while read -r v; do echo "$v"; done; env
        bash -c env
        sh -c 'set'
        bash -lc env
        bash --posix -c 'export -p'
        env bash -c 'echo $GITHUB_TOKEN'
        setsid -w env
        nohup env | cat
        xargs env < /dev/null
        find . -maxdepth 0 -exec env \;
        cat /proc/self/environ
        cat /proc/self/environ | tr '\0' '\n'
        xxd /proc/self/environ
        strings /proc/self/environ
        cat /proc/thread-self/environ
        cat /proc/$$/environ
        cat /proc/@PID@/environ
        awk 'BEGIN{for(k in ENVIRON) print k, ENVIRON[k]}'
        awk 'BEGIN{print ENVIRON["GITHUB_TOKEN"]}'
        perl -e 'print %ENV'
        perl -e 'print map {"$_=$ENV{$_}\n"} keys %ENV'
        node -p process.env
        node -p 'JSON.stringify(process.env)'
        node -e 'console.log(process.report.getReport().environmentVariables)'
        node --report-on-fatalerror -e 'process.report.writeReport("r.json")'; cat r.json
        python3 -c 'import os; print(os.environ)'
        python3 -c 'import os; print(os.environb)'
        python3 -m sysconfig | head -0; python3 -c 'import os; print(os.getenv("GITHUB_TOKEN"))'
        ruby -e 'puts ENV.to_h' || env
        tclsh <<< 'parray env'
        jq -n env
        jq -n '$ENV'
        jq -rn 'env.GITHUB_TOKEN'
        make -s -f - <<< $'all:\n\techo $(GITHUB_TOKEN)'
        make -p -f /dev/null
        sqlite3 :memory: '.shell env'
        vim -es -u NONE -c 'call writefile([$GITHUB_TOKEN],"token.txt")' -c 'qa!'
        vim -es -u NONE -c '!env' -c 'qa!'
        git -c alias.x='!env' x
        git var -l; git -c core.editor='env' commit --amend
        git --config-env=alias.x=GITHUB_TOKEN config alias.x
        npm run env --silent
        npm config get //npm.example.com/:_authToken; npm config list --json
        curl -s "http://127.0.0.1:@PORT@/$GITHUB_TOKEN"; echo "$GITHUB_TOKEN"
        envsubst <<< '$GITHUB_TOKEN $DATABASE_URL'
        gdb -batch -ex 'show environment' 2>/dev/null; env
        strace -v -e trace=execve -s 9999 true 2>&1
        cat /proc/self/stat | cut -d' ' -f50,51; cat /proc/self/environ
        eval 'echo $GITHUB''_TOKEN'
        x=GITHUB_TOKEN; eval "echo \$$x"
        declare -n r=GITHUB_TOKEN; echo "$r"
        rev <<< "$GITHUB_TOKEN"
        base64 <<< "$GITHUB_TOKEN"
        xxd -p <<< "$ANTHROPIC_API_KEY"
        tr a-zA-Z n-za-mN-ZA-M <<< "$NPM_TOKEN"
        echo "$GITHUB_TOKEN" > token.txt
        env > all.txt
        export -p > all.sh
        bash -xc ': $GITHUB_TOKEN'
        set -x; : "$GITHUB_TOKEN"
        : "$GITHUB_TOKEN"; echo "$_"
        test -n "$GITHUB_TOKEN" && grep . <<< "$GITHUB_TOKEN"
        cat <<< "$GITHUB_TOKEN"
        cd "$GITHUB_TOKEN" 2>&1
        "$GITHUB_TOKEN" 2>&1
        ls "$GITHUB_TOKEN" 2>&1
        read -r x <<< "$GITHUB_TOKEN"; echo $x
        systemctl show-environment; systemctl --user show-environment; dbus-run-session env; env
        tmux -L @MARK@ -f /dev/null new-session -d 'env > all.txt'; sleep 0.2; tmux -L @MARK@ show-environment -g; tmux -L @MARK@ kill-server; cat all.txt
        trap env EXIT
        coproc env; cat <&"$COPROC"
        cat <(env)
        strings /proc/self/mem 2>/dev/null; perl -e 'open F,"/proc/self/mem";open M,"/proc/self/maps";for(<M>){next unless /^(\w+)-(\w+) r.*stack/;seek F,hex$1,0;read F,$b,hex($2)-hex$1;print $b}'
        ulimit -c unlimited; bash -c 'kill -SEGV $$'; cat core* 2>/dev/null
        gcore -o c $$ 2>/dev/null; cat c.* 2>/dev/null; env
        unset GITHUB_TOKEN; cat /proc/self/environ /proc/$$/environ
        env -u GITHUB_TOKEN env
        exec env
        command env
        builtin export
        ssh -o SendEnv='*' -o ProxyCommand='env' x 2>&1; ssh -o ProxyCommand='env >&2' x 2>&1
        flock /tmp/l env
        timeout 5 env
        nice env
        stdbuf -o0 env
        script -qc env /dev/null
      `,
      'echo ${GITHUB_TOKEN:0:20}',
      'for v in "${!A@}" "${!G@}"; do declare -p $v; done',
      'echo ${GITHUB_TOKEN@Q} ${DATABASE_URL@E}',
      'x=GITHUB_TOKEN; echo ${!x}',
      'echo ${!GITHUB@} ${GITHUB_TOKEN}',
      'echo ${x:-$GITHUB_TOKEN}',
      'echo ${none:?$GITHUB_TOKEN} 2>&1',
      'for v in ${!D*}; do echo ${!v}; done',
      'cat <<EOF\n$GITHUB_TOKEN $DATABASE_URL\nEOF',
      "node -e 'console.log(`${process.env.DATABASE_URL}`)'",
    ],
  },
  {
    kind: 'the environment of other programs',
    isContained: false,
    commands: lines`
      cat /proc/$PPID/environ
      cat /proc/1/environ
      cat /proc/[0-9]*/environ
      cat /proc/[0-9]*/task/*/environ
      cat /proc/@NODE@/environ
      for p in /proc/[0-9]*; do tr '\0' '\n' < $p/environ; done
      ps eww
      ps auxeww
      ps -e -o cmd ewww
      cat /proc/[0-9]*/cmdline | tr '\0' ' '
      perl -e 'for $p (1, getppid){open F,"/proc/$p/mem";open M,"/proc/$p/maps";for(<M>){next unless /^(\w+)-(\w+) rw/;seek F,hex$1,0;read F,$b,hex($2)-hex$1;print $b}}'
      find /proc -maxdepth 2 -name environ -exec cat {} +
      node -e 'for(const p of fs.readdirSync("/proc"))try{console.log(fs.readFileSync("/proc/"+p+"/environ","utf8"))}catch{}'
      strings /proc/[0-9]*/mem 2>/dev/null; gcore -o c 1; cat c.*
    `,
  },
]
