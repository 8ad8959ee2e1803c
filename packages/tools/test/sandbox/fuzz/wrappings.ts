// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is what a shell reads
import type { Tongue } from './tongue.js'
import { hereDocument } from './writers.js'

/** Says the same as a command in another way. What it says is for bash; a newline ends what is in it, for a here-document. */
export type Wrapping = (command: string, tongue: Tongue) => string

/** What sh reads too. A wrapping through it is for these only. */
function shellFor(command: string): 'bash' | 'sh' {
  return BASH.test(command) ? 'bash' : 'sh'
}

const BASH =
  /<<<|&>|[<>]\(|\$'|\[\[|\{fd\}|coproc|\/dev\/(tcp|udp)|mapfile|declare|compgen|pushd|popd|>\||\bsource\b|printf -v|=\(|\$\{!|\{[^ }]*,|function |@Q|disown|\bset -x|:0:|shopt|\[@?\d?\]|time |trap .* (EXIT|ERR|DEBUG)|hash|builtin|\bexec \{|~\+|wait \$!|-d ""/

/** By the grammar of the shell alone. */
const GRAMMAR: readonly Wrapping[] = [
  (command, { word }) => `eval ${word(command)}`,
  (command) => `(${command}\n)`,
  (command) => `{ ${command}\n}`,
  (command) => `f() { ${command}\n}; f`,
  (command) => `function f { ${command}\n}; f`,
  (command, { fresh }) => {
    const name = `f${fresh()}`
    return `${name}() (${command}\n); ${name} "$@"`
  },
  (command) => `if true; then ${command}\nfi`,
  (command) => `if ! false; then :; ${command}\nelse false; fi`,
  (command) => `for i in 1; do ${command}\ndone`,
  (command) => `for ((i = 0; i < 1; i++)); do ${command}\ndone`,
  (command) => `while :; do ${command}\nbreak; done`,
  (command) => `until { ${command}\n:; }; do false; done`,
  (command) => `case x in (x) ${command}\n;; esac`,
  (command) => `select i in x; do ${command}\nbreak; done <<< 1`,
  (command) => `true && { ${command}\n}`,
  (command) => `false || { ${command}\n}`,
  (command) => `! { ${command}\n}`,
  (command) => `time { ${command}\n}`,
  (command) => `{ ${command}\n} 2>&1`,
  (command) => `{ ${command}\n} < /dev/null`,
  (command) => `{ ${command}\n} | cat`,
  (command) => `: | { ${command}\n}`,
  (command) => `exec 8>&1; { ${command}\n} >&8 2>&8`,
  (command) => `exec 3<> /dev/null 4>&1; { ${command}\n} 2>&4`,
  (command) => `echo "$(${command}\n)"`,
  (command) => `x=$(${command}\n); printf '%s\\n' "$x"`,
  (command) => `cat <(${command}\n)`,
  (command) => `echo "\${none:-$(${command}\n)}"`,
  (command) => `[[ -n $(${command}\n) ]] || true; { ${command}\n}`,
  (command) => `echo $((0 + $(${command}\necho 0)))  2>&1; { ${command}\n}`,
  (command, { word }) => `X=${word(command)}; eval "$X"`,
  (command, { word }) => `X=${word(command)}; Y='$(eval "$X")'; echo "\${Y@P}"`,
  (command, { word }) => `X=${word(command)}; [[ -v 'a[$(eval "$X" >&2)0]' ]]; [ -v 'a[$(eval "$X" >&2)0]' ]`,
  (command, { word }) => `X=${word(command)}; echo $((a[$(eval "$X" >&2; echo 0)]))`,
  (command, { word }) => `X=${word(command)}; declare -i n='a[$(eval "$X" >&2)0]'`,
  (command, { word }) => `X=${word(command)}; a=(1); unset 'a[$(eval "$X" >&2)0]'; printf -v 'a[$(eval "$X" >&2)0]' y`,
  (command, { word }) => `X=${word(command)}; PS4='$(eval "$X" >&2)'; set -x; :`,
  (command, { word }) => `X=${word(command)}; mapfile -C 'eval "$X" #' -c 1 l <<< y`,
  (command, { word }) => `X=${word(command)}; complete -C 'eval "$X" >&2 #' x; compgen -C 'eval "$X" #' y`,
  (command, { word }) => `trap ${word(command)} EXIT`,
  (command, { word }) => `trap ${word(command)} ERR; false`,
  (command, { word }) => `trap ${word(command)} DEBUG; :; trap - DEBUG`,
  (command, { word }) => `trap ${word(command)} USR1; kill -USR1 $$`,
  (command, { word }) => `trap ${word(command)} RETURN; f() { :; }; declare -ft f; f`,
  (command, { word }) => `command_not_found_handle() { eval ${word(command)}\n}; no-such-command`,
  (command, { word, fresh }) => {
    const name = `z${fresh()}`
    return `shopt -s expand_aliases; alias ${name}=${word(`eval ${quoted(command)}`)}; eval ${name}`
  },
  (command, { word }) => `builtin eval ${word(command)}`,
  (command, { word }) => `command eval ${word(command)}`,
  (command, { word }) => `$(printf ev)al ${word(command)}`,
  (command, { word }) => `a=(eval ${word(command)}); "\${a[@]}"`,
  (command, { word }) => `\\eval ${word(command)}`,
  (command, { word }) => `source /dev/stdin <<< ${word(command)}`,
  (command, { word }) => `. <(printf %s ${word(command)})`,
  (command) => `{ coproc { ${command}\n} >&7 2>&7; } 7>&1; wait`,
  (command) => `{ ${command}\n} & wait`,
  (command) => `{ ${command}\n} & { ${command}\n} & wait`,
  (command) => `for i in 1 2 3; do { ${command}\n} & done; wait`,
  (command) => `( { ${command}\n} & ); sleep 0.05`,
  (command) => `cd / && cd "$OLDPWD" && { ${command}\n}`,
  (command) => `cd src && cd .. && { ${command}\n}`,
  (command) => `pushd / > /dev/null && popd > /dev/null && { ${command}\n}`,
  (command) => `cd -P . ; cd "$PWD"; ${command}`,
  (command) => `set -- x y; shift; ${command}`,
  (command) => `set +e +u; IFS=$' \\t\\n'; umask 000; ${command}`,
  (command) => `: > /dev/null; # a note\n${command}`,
  (command) => `exec 2>&1; ${command}`,
]

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** By another shell. */
const SHELLS: readonly Wrapping[] = [
  (command, { word }) => `${shellFor(command)} -c ${word(command)}`,
  (command, { word }) => `bash --posix -c ${word(`eval ${quoted(command)}`)}`,
  (command, { word }) => `bash -O extglob -o pipefail -c ${word(command)} x y`,
  (command, { word }) => `b''ash -c ${word(command)}`,
  (command, { word }) => `$(command -v bash) -c ${word(command)}`,
  (command, { word }) => `"$BASH" -c ${word(command)}`,
  (command, { word }) => `/proc/self/exe -c ${word(command)} || bash -c ${word(command)}`,
  (command, { word }) => `{bash,-c,${word(command)}}`,
  (command, { word }) => `a=(bash -c); a+=(${word(command)}); "\${a[@]}"`,
  (command, { word }) => `x='bash -c'; $x ${word(command)}`,
  (command, { word }) => `exec -a ls bash -c ${word(command)}`,
  (command, { word }) => `hash -p "$BASH" ls; ls -c ${word(command)}`,
  (command, { word }) => `printf %s ${word(command)} | bash`,
  (command, { word }) => `bash <<< ${word(command)}`,
  (command, { word }) => `bash <(printf %s ${word(command)})`,
  (command, { word }) => `bash /dev/fd/8 8<<< ${word(command)}`,
  (command, { word }) => `exec 8<<< ${word(command)}; bash /proc/self/fd/8`,
  (command, { fresh }) => hereDocument('bash', command, fresh(), "'"),
  (command, { fresh }) =>
    hereDocument('cat | bash', command, fresh(), "'").replace(/^cat \| bash (<<'\w+')/, 'cat $1 | bash'),
  (command, { word }) => `BASH_ENV=<(printf %s ${word(command)}) bash -c true`,
  (command, { word }) => `export X=${word(command)}; bash -c 'eval "$X"'`,
  (command, { word }) => `export X=${word(command)}; x() { eval "$X"; }; export -f x; bash -c x`,
  (command, { word }) => `env 'BASH_FUNC_x%%=() { '${word(`${command}\n`)}'}' bash -c x`,
  (command, { word }) => `printf %s ${word(command)} | base64 -w0 | base64 -d | bash`,
  (command, { word }) => `printf %s ${word(command)} | gzip | gunzip | bash`,
  (command, { word }) => `printf %s ${word(command)} | tr a-zA-Z n-za-mN-ZA-M | tr a-zA-Z n-za-mN-ZA-M | bash`,
  (command, { word }) => `d=$(mktemp -d) && { printf %s ${word(command)} > "$d/s"; bash "$d/s"; rm -rf "$d"; }`,
  (command, { word }) =>
    `d=$(mktemp -d) && { (echo '#!/bin/bash'; printf %s ${word(command)}) > "$d/s"; chmod +x "$d/s"; "$d/s"; rm -rf "$d"; }`,
  (command, { word }) =>
    `d=$(mktemp -d) && { ln -s "$BASH" "$d/ls"; PATH="$d:$PATH"; ls -c ${word(command)}; rm -rf "$d"; }`,
  (command, { word }) => `d=$(mktemp -d) && { cp "$BASH" "$d/cat"; "$d/cat" -c ${word(command)}; rm -rf "$d"; }`,
  (command, { word }) =>
    `d=$(mktemp -d) && { mkfifo "$d/p"; printf %s ${word(command)} > "$d/p" & bash "$d/p"; rm -rf "$d"; }`,
  (command, { word }) => `script -qc ${word(`bash -c ${quoted(command)}`)} /dev/null`,
]

/** By a program that starts another. */
const STARTERS: readonly Wrapping[] = [
  (command, { word }) => `env bash -c ${word(command)}`,
  (command, { word }) =>
    `env -i HOME=@HOME@ PATH="$PATH" STAGE_MARK=@MARK@ GIT_CEILING_DIRECTORIES=@STAGE@ bash -c ${word(command)}`,
  (command, { word }) => `env -S 'bash -c' ${word(command)}`,
  (command, { word }) => `nohup bash -c ${word(command)} 2>&1 | cat`,
  (command, { word }) => `setsid -w bash -c ${word(command)}`,
  (command, { word }) => `timeout 3 bash -c ${word(command)}`,
  (command, { word }) => `nice -n 1 bash -c ${word(command)}`,
  (command, { word }) => `stdbuf -o0 bash -c ${word(command)}`,
  (command, { word }) => `flock a bash -c ${word(command)}`,
  (command, { word }) => `ionice -c 3 bash -c ${word(command)}`,
  (command, { word }) => `setarch -R bash -c ${word(command)}`,
  (command, { word }) => `printf %s ${word(command)} | xargs -0 bash -c`,
  (command, { word }) => `xargs -0 -I% bash -c % < <(printf %s ${word(command)})`,
  (command, { word }) => `find . -maxdepth 0 -exec bash -c ${word(command)} \\;`,
  (command, { word }) => `PATH=/usr/bin:/bin find a -execdir bash -c ${word(command)} {} \\;`,
  (command, { word }) => `export X=${word(command)}; sed '1e bash -c "$X"' a`,
  (command, { word }) => `export X=${word(command)}; awk 'BEGIN{system("bash -c \\"$X\\"")}'`,
  (command, { word }) => `X=${word(command)} awk 'BEGIN{while(("bash -c \\"$X\\"" | getline l)>0) print l}'`,
  (command, { word }) => `perl -e 'exec "bash","-c",shift' ${word(command)}`,
  (command, { word }) => `perl -e 'open P,"-|","bash","-c",shift; print <P>' ${word(command)}`,
  (command, { word }) => `export X=${word(command)}; perl -e 'print \`bash -c "\\$X"\`'`,
  (command, { word }) =>
    `export X=${word(command)}; tar cf /dev/null a --checkpoint=1 --checkpoint-action=exec='bash -c "$X"'`,
  (command, { word }) => `export X=${word(command)}; tar cf - a -I 'bash -c "$X" >&2; cat' > /dev/null`,
  (command, { word }) => `export X=${word(command)}; git -c alias.x='!bash -c "$X"' x`,
  (command, { word }) => `export X=${word(command)}; GIT_SSH_COMMAND='bash -c "$X" >&2;' git ls-remote ssh://x/y`,
  (command, { word }) =>
    `export X=${word(command)}; GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.x GIT_CONFIG_VALUE_0='!bash -c "$X"' git x`,
  (command, { word }) =>
    `export X=${word(command)}; GIT_EXTERNAL_DIFF='bash -c "$X" >&2;:' git diff HEAD~1 -- README.md`,
  (command, { word }) =>
    `export X=${word(command)}; git -c core.fsmonitor='bash -c "$X" >&2; false' status > /dev/null`,
  (command, { word }) => `export X=${word(command)}; make -s -f - <<< $'all:\\n\\t@bash -c "$$X"'`,
  (command, { word }) => `export X=${word(command)}; ssh -F /dev/null -o ProxyCommand='bash -c "$X" 9>&1 >&2' x 2>&1`,
  (command, { word }) => `export X=${word(command)}; printf '%s\\n' '!bash -c "$X"' q | ed -s a`,
  (command, { word }) => `export X=${word(command)}; sqlite3 :memory: '.shell printenv X | bash'`,
  (command, { word }) => `export X=${word(command)}; tclsh <<< 'puts [exec bash -c $env(X) 2>@1]'`,
]

/** By one that takes long to start. */
const HEAVY: readonly Wrapping[] = [
  (command, { word }) =>
    `node -e 'child_process.spawnSync("bash",["-c",process.argv[1]],{stdio:"inherit"})' ${word(command)}`,
  (command, { word }) =>
    `export X=${word(command)}; node -e 'console.log(child_process.execSync("bash -c \\"$X\\"")+"")'`,
  (command, { word }) =>
    `python3 -c 'import subprocess,sys; subprocess.run(["bash","-c",sys.argv[1]])' ${word(command)}`,
  (command, { word }) => `export X=${word(command)}; vim -es -u NONE -c 'call system("bash -c \\"$X\\" >&2")' -c 'qa!'`,
  (command, { word }) => `export X=${word(command)}; gdb -batch -ex 'shell bash -c "$X"' 2>/dev/null`,
  (command, { word }) => `strace -f -o /dev/null bash -c ${word(command)}`,
]

const VERY_HEAVY: readonly Wrapping[] = [
  (command, { word }) => `npm run --silent test:unit -- ${word(`bash -c ${quoted(command)}`)}`,
  (command, { word }) => `export X=${word(command)}; npm --silent exec --offline -c 'bash -c "$X"'`,
]

/** One of them; those that cost more come less often. */
export function anyWrapping({ happens, pick }: Tongue): Wrapping {
  if (happens(0.5)) return pick(GRAMMAR)
  if (happens(0.5)) return pick(SHELLS)
  if (happens(0.9)) return pick(STARTERS)
  return pick(happens(0.9) ? HEAVY : VERY_HEAVY)
}
