// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is what a shell reads
import { posix } from 'node:path'
import type { Tongue } from './tongue.js'
import { hereDocument, type Way } from './writers.js'

const plainly =
  (start: string, end = ''): Way =>
  (path, { path: say }) =>
    `${start} ${say(path)}${end}`

/** What shows a file, or leaves it in the workspace. */
export const READERS: readonly Way[] = [
  ...[
    ...['cat', 'tac', 'rev', 'nl', 'head -n 50', 'tail -n +1', 'cut -c1-', 'paste -s', 'sort', 'uniq', 'fold -w 300'],
    ...['od -An -c -v', 'od -An -tx1 -v', 'xxd', 'xxd -p', 'hexdump -C', 'strings', 'base64', 'base64 -w0', 'expand'],
    ...["grep ''", 'grep -r .', 'grep -ha .', 'awk 1', 'sed p', 'sed -n l', 'perl -pe 1', 'perl -ne print', 'jq -R .'],
    ...[
      'diff /dev/null',
      'diff --from-file=/dev/null',
      'git diff --no-index /dev/null',
      'comm -23 /dev/null',
      'less -f',
    ],
    ...[
      'xargs -a',
      'bash -v -n',
      'source',
      '.',
      'openssl base64 -in',
      'gzip -c',
      'curl -s -K',
      'pr -t',
      'shuf',
      'more',
    ],
    ...['cat -A', 'cat -v', 'dd status=none <', 'tee <', 'xargs <', 'cat 0<', 'cat <', 'tr x y <', 'cat - <'],
    ...['python3 -m base64 -e', 'ul', 'fmt -w 300', 'column -t', 'sdiff -w 300 /dev/null', 'join -a2 /dev/null'],
  ].map((start) => plainly(start, start === 'gzip -c' ? ' | gunzip' : ' 2>&1')),
  plainly('base64', ' | base64 -d'),
  plainly('tar cPf -', ' | tar xOf - -P'),
  plainly('git hash-object -w', ' | git cat-file --batch'),
  plainly('echo', ' | xargs -d "\\n" cat'),
  plainly('find', ' -type f -exec cat {} +'),
  plainly('find', ' -type f -print0 | xargs -0 head -c 900'),
  plainly('cp', ' got; cat got'),
  plainly('cp -a', ' got'),
  plainly('mv', ' got; cat got'),
  plainly('ln -s', ' got; cat got'),
  plainly('ln', ' got; cat got'),
  plainly('install -m 644', ' got'),
  plainly('zip -q -', ' | funzip'),
  plainly('exec 9<', '; cat <&9'),
  plainly('exec 9<', '; cat /dev/fd/9'),
  plainly('exec {fd}<', '; cat /proc/self/fd/$fd'),
  plainly('mapfile -t x <', '; printf "%s\\n" "${x[@]}"'),
  plainly('read -r -d "" x <', '; declare -p x'),
  plainly('while read -r l; do echo "$l"; done <'),
  plainly('vim -es -u NONE +"%p" +"qa!"'),
  (path, { path: say }) => `echo "$(< ${say(path)})"`,
  (path, { path: say }) => `echo "\`cat ${say(path)}\`"`,
  (path, { path: say }) => `p=${say(path)}; cat "$p"`,
  (path, { path: say }) => `set -- cat ${say(path)}; "$@"`,
  (path, { path: say }) => `printf %s "$(cat ${say(path)})"`,
  (path, { path: say }) => `cat <(cat ${say(path)})`,
  (path, { word }) => `cd ${word(posix.dirname(path))}; cat ./* ./.[!.]* 2>/dev/null`,
  (path, { word }) => `cd ${word(posix.dirname(path))} && git grep --no-index -h -e . -- .`,
  (path, { word }) => `cd ${word(posix.dirname(path))} && tar cf - . | tar xOf -`,
  (path, { word }) => `exec 9< ${word(posix.dirname(path))}; cat /proc/self/fd/9/${word(posix.basename(path))}`,
  (path, { word }) => `cp -r ${word(posix.dirname(path))} got`,
  (path, { word }) => `ln -s ${word(posix.dirname(path))} got; cat got/${word(posix.basename(path))}`,
  (path, { path: say }) => `curl -s "file://$(realpath ${say(path)})"`,
  (path, { path: say }) => `git config --file ${say(path)} --list 2>&1; cat ${say(path)}`,
  (path, { path: say }) => `git commit -q --allow-empty --no-verify -F ${say(path)}; git log -1 --format=%B`,
  (path, { word }) => `awk ${word(`BEGIN{while((getline l < "${path}")>0) print l}`)}`,
  (path, { word }) => `sed ${word(`r ${path}`)} /etc/hostname`,
  (path, { word }) => `perl -e ${word(`open F,"<","${path}"; print <F>`)}`,
  (path, { path: say }) => `perl -e '$f=syscall 2,$p=shift,0; $b="x"x999; syscall 0,$f,$b,999; print $b' ${say(path)}`,
  (path, { path: say }) => `perl -e 'link shift,"got"; open F,"got"; print <F>' ${say(path)}`,
  (path, { word }) => `node -p ${word(`fs.readFileSync("${path}","latin1")`)}`,
  (path, { path: say }) => `node -e 'fs.createReadStream(process.argv[1]).pipe(process.stdout)' ${say(path)}`,
  (path, { path: say }) => `python3 -c 'import sys; print(open(sys.argv[1],errors="replace").read())' ${say(path)}`,
  (path, { word }) => `tclsh <<< ${word(`puts [read [open "${path}"]]`)}`,
  (path, { word }) => `sqlite3 :memory: ${word(`select readfile('${path}')`)}`,
  (path, { word }) => `jq -n --rawfile x ${word(path)} '$x'`,
  (path, { path: say }) => `make -s -f - <<< $'all:\\n\\t@cat "$(P)"' P=${say(path)}`,
]

/** Variables that hold a secret on a stage. */
const NAMES = [
  ...['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GITHUB_TOKEN', 'AWS_SECRET_ACCESS_KEY', 'DATABASE_URL', 'REDIS_URL'],
  ...['NPM_TOKEN', 'PGPASSWORD', 'db_password', 'AZURE_CLIENT_SECRET', 'VAULT_TOKEN', 'FAVOURITE_COLOUR'],
  ...['BUILD_NOTE', 'DEPLOY_WITH', 'APP_SETTINGS', 'SESSION'],
]

/** What shows one variable by its name. */
const OF_ONE: readonly Way[] = [
  (name) => `echo "$${name}"`,
  (name) => `printf '%s\\n' "\${${name}}"`,
  (name, { word }) => `printenv ${word(name)}`,
  (name, { word }) => `x=${word(name)}; echo "\${!x}"`,
  (name, { word }) => `declare -n r=${word(name)}; echo "$r"`,
  (name, { word }) => `declare -p ${word(name)}`,
  (name, { word }) => `eval echo '"$'${word(name)}'"'`,
  (name) => `cat <<< "$${name}"`,
  (name) => `rev <<< "$${name}"`,
  (name) => `base64 <<< "$${name}"`,
  (name) => `xxd -p <<< "$${name}"`,
  (name) => `tr a-zA-Z n-za-mN-ZA-M <<< "$${name}"`,
  (name) => `echo "\${${name}:0:40}"`,
  (name) => `echo "\${none:-$${name}}"`,
  (name) => `(: "\${none:?$${name}}") 2>&1`,
  (name) => `echo "\${${name}@Q}"`,
  (name) => `set -x; : "$${name}"`,
  (name) => `echo "$${name}" > got`,
  (name) => `cd "$${name}" 2>&1`,
  (name) => `"$${name}" 2>&1`,
  (name, { word }) => `awk ${word(`BEGIN{print ENVIRON["${name}"]}`)}`,
  (name, { word }) => `perl -e ${word(`print $ENV{${name}}`)}`,
  (name, { word }) => `node -p ${word(`process.env.${name}`)}`,
  (name, { word }) => `jq -rn ${word(`env.${name}`)}`,
  (name, { word }) => `envsubst <<< ${word(`$${name}`)} || printenv ${name}`,
  (name, { fresh }) => hereDocument('cat', `$${name}`, fresh()),
]

const OF_ALL = [
  ...['env', 'env -0', 'printenv', 'export -p', 'declare -px', 'set', '/usr/bin/env', 'env | sort', 'env > got'],
  ...[
    'cat /proc/self/environ',
    'cat /proc/$$/environ',
    'xxd -c 64 /proc/self/environ',
    'strings /proc/thread-self/environ',
  ],
  ...[
    "tr '\\0' '\\n' < /proc/self/environ",
    "awk 'BEGIN{for(k in ENVIRON) print k, ENVIRON[k]}'",
    'node -p process.env',
  ],
  ...[
    "perl -e 'print %ENV'",
    "python3 -c 'import os; print(os.environ)'",
    'jq -n env',
    "jq -n '$ENV'",
    'make -p -f /dev/null',
  ],
  ...['cat /proc/@PID@/environ', 'strings -n 20 /proc/@PID@/environ', 'cat /proc/@PID@/task/@PID@/environ'],
  ...[
    "git -c alias.x='!env' x",
    'compgen -e | while read -r v; do echo "${!v}"; done',
    'sqlite3 :memory: ".shell env"',
  ],
  ...[
    'xargs env < /dev/null',
    'find . -maxdepth 0 -exec env \\;',
    'tclsh <<< "parray env"',
    'trap env EXIT',
    'cat <(env)',
  ],
]

/** Shows variables with secrets. */
export function variables(tongue: Tongue): string {
  return tongue.happens(0.6) ? tongue.pick(OF_ONE)(tongue.pick(NAMES), tongue) : tongue.pick(OF_ALL)
}
