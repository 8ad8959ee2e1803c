// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is what a shell reads
import { posix } from 'node:path'
import { KNOWS_CALLS, type Tongue } from './tongue.js'

/** Says something to a shell that does harm to a path, or by it. */
export type Way = (path: string, tongue: Tongue) => string

/** What needs the folder of the path. */
function inFolder(say: (folder: string) => string): Way {
  return (path, { word }) => say(word(posix.dirname(path)))
}

/** A file that everybody may read and that is in no workspace. */
const PLAIN = '/etc/hostname'

const REDIRECTIONS: readonly Way[] = [
  (path, { path: say }) => `echo evil > ${say(path)}`,
  (path, { path: say }) => `echo evil >> ${say(path)}`,
  (path, { path: say }) => `>| ${say(path)} echo evil`,
  (path, { path: say }) => `echo evil &> ${say(path)}`,
  (path, { path: say }) => `: > ${say(path)}`,
  (path, { path: say }) => `> ${say(path)}`,
  (path, { path: say }) => `echo evil 1<> ${say(path)}`,
  (path, { path: say }) => `exec 9> ${say(path)}; echo evil >&9`,
  (path, { path: say }) => `exec {fd}>> ${say(path)}; echo evil >&$fd`,
  (path, { path: say }) => `exec 9< ${say(path)}; echo evil > /proc/self/fd/9`,
  (path, { path: say }) => `exec 9<> ${say(path)}; echo evil >> /dev/fd/9`,
  (path, { path: say }) => `cat <<< evil > ${say(path)}`,
  (path, { path: say }) => `p=${say(path)}; echo evil > "$p"`,
  (path, { path: say }) => `p=(x ${say(path)}); echo evil > "\${p[1]}"`,
  (path, { path: say }) => `for p in ${say(path)}; do echo evil > "$p"; done`,
  (path, { path: say }) => `echo evil | { cat > ${say(path)}; }`,
  (path, { path: say }) => `echo evil > >(cat > ${say(path)}); wait $!`,
  (path, { path: say }) => `echo evil < ${say(path)} > /dev/stdin`,
  (path, { path: say, fresh }) => hereDocument(`cat > ${say(path)}`, 'evil', fresh()),
  (path, { path: say }) => `bash -c 'echo evil > "$0"' ${say(path)}`,
  (path, { path: say }) => `set -- ${say(path)}; echo evil > "$1"`,
  (path, { path: say }) => `export P=${say(path)}; sh -c 'echo evil > "$P"'`,
  (path, { path: say }) => `declare -n q=p; p=${say(path)}; echo evil > "$q"`,
]

/** A command that reads some text from its own lines. */
export function hereDocument(command: string, text: string, number: number, quote = ''): string {
  return `${command} <<${quote}EOF${number}${quote}\n${text}\nEOF${number}`
}

const PROGRAMS: readonly Way[] = [
  (path, { path: say }) => `echo evil | tee ${say(path)}`,
  (path, { path: say }) => `tee -a ${say(path)} <<< evil`,
  (path, { path: say }) => `cp ${PLAIN} ${say(path)}`,
  (path, { path: say }) => `cp --remove-destination ${PLAIN} ${say(path)}`,
  (path, { path: say }) => `install -m 777 ${PLAIN} ${say(path)}`,
  (path, { path: say }) => `ln -sf @OUT@/held ${say(path)}`,
  (path, { path: say }) => `rm -f ${say(path)}; touch ${say(path)}`,
  (path, { path: say }) => `mv ${say(path)} ${say(`${path}2`)}; touch ${say(`${path}3`)}`,
  (path, { path: say }) => `touch ${say(path)}`,
  (path, { path: say }) => `rsync -a ${PLAIN} ${say(path)} || cp ${PLAIN} ${say(path)}`,
  (path, { path: say }) => `coproc tee ${say(path)}; echo evil >&"\${COPROC[1]}"; sleep 0.02`,
  (path, { path: say }) => `touch -d 2001-01-01 ${say(path)}`,
  (path, { path: say }) => `mkdir ${say(`${path}.d`)}`,
  (path, { path: say }) => `mkfifo ${say(`${path}.p`)}`,
  (path, { path: say }) => `chmod 777 ${say(path)}; truncate -s 3 ${say(path)}`,
  (path, { path: say }) => `truncate -s 0 ${say(path)}`,
  (path, { path: say }) => `fallocate -l 100 ${say(path)}`,
  (path, { path: say }) => `dd if=${PLAIN} of=${say(path)} status=none`,
  (path, { path: say }) => `sort -o ${say(path)} ${PLAIN}`,
  (path, { path: say }) => `uniq ${PLAIN} ${say(path)}`,
  (path, { path: say }) => `shuf -o ${say(path)} ${PLAIN}`,
  (path, { path: say }) => `split -b 9 ${PLAIN} ${say(path)}`,
  (path, { path: say }) => `curl -s -o ${say(path)} file://${PLAIN}`,
  (path, { path: say }) => `openssl rand -out ${say(path)} 9`,
  (path, { path: say }) => `tar cf ${say(path)} -C /etc hostname`,
  (path, { path: say }) => `gzip -c ${PLAIN} > ${say(path)}`,
  (path, { path: say }) => `script -qc true ${say(path)}`,
  (path, { path: say }) => `flock ${say(path)} true; truncate -s 4 ${say(path)}`,
  (path, { path: say }) => `echo ${say(path)} | xargs -d '\\n' touch`,
  (path, { path: say }) => `printf '%s\\0' ${say(path)} | xargs -0 cp ${PLAIN}`,
  (path, { path: say }) => `find ${PLAIN} -fprint ${say(path)}`,
  (path, { path: say }) => `find ${PLAIN} -exec cp {} ${say(path)} \\;`,
  (path, { path: say }) => `touch ${say(path)}{1,2}`,
  (path, { path: say }) => `sqlite3 ${say(path)}.db 'create table t(x)'`,
  (path, { path: say }) => `xxd ${PLAIN} ${say(path)}`,
  (path, { path: say }) => `git diff --no-index --output=${say(path)} /dev/null ${PLAIN}`,
  (path, { path: say }) => `GIT_TRACE=${say(path)} git version`,
  (path, { path: say }) => `git config --file ${say(path)} x.y z`,
  (path, { path: say }) => `HISTFILE=${say(path)} bash -ic 'history -s evil; history -w' 2>/dev/null`,
  (path, { path: say }) => `printf '%s\\n' a evil . "w $(echo ${say(path)})" q | ed -s`,
  (path, { path: say }) => `ln ${say(path)} hard && echo evil > hard`,
  (path, { path: say }) => `mv ${say(path)} mine && echo evil > mine && mv mine ${say(path)}`,
  inFolder((folder) => `ln -s ${folder} way && touch way/new`),
  inFolder((folder) => `cd ${folder} && touch new-here`),
  inFolder((folder) => `pushd ${folder} && echo evil > new-here`),
  inFolder((folder) => `env -C ${folder} touch new-here`),
  inFolder((folder) => `exec 9< ${folder}; touch /proc/self/fd/9/new-here`),
  inFolder((folder) => `git -C ${folder} init -q made`),
  inFolder((folder) => `tar cf - -C /etc hostname | tar xf - -C ${folder}`),
  inFolder((folder) => `mktemp -p ${folder}`),
  inFolder((folder) => `cp -r src ${folder}`),
  inFolder((folder) => `make -s -C ${folder} -f - <<< $'all:\\n\\ttouch new-here'`),
  inFolder((folder) => `find ${folder} -maxdepth 1 -type f -exec chmod 600 {} +`),
  inFolder((folder) => `chmod a+rwx ${folder}; touch -d 2001-01-01 ${folder}`),
  inFolder((folder) => `node --cpu-prof --cpu-prof-dir=${folder} -e 0`),
  inFolder((folder) => `perl -e 'chdir shift or die; mkdir "made"' ${folder}`),
  inFolder(
    (folder) => `python3 -c 'import os,sys; d=os.open(sys.argv[1],os.O_PATH); os.mkdir("made",dir_fd=d)' ${folder}`,
  ),
]

/** What is said to an interpreter, where the path stands in its program or comes by an argument. */
const SCRIPTS: readonly Way[] = [
  (path, { word }) => `sed -n ${word(`w ${path}`)} ${PLAIN}`,
  (path, { path: say }) => `sed -i -e 's/$/evil/' ${say(path)}; sed -n p ${PLAIN} > ${say(path)}`,
  (path, { word }) => `awk ${word(`BEGIN{print "evil" > "${path}"}`)}`,
  (path, { word }) => `awk ${word(`BEGIN{printf "evil" | "cat > \\"${path}\\""}`)}`,
  (path, { word }) => `perl -e ${word(`open F,">","${path}"; print F "evil"`)}`,
  (path, { path: say }) => `perl -e 'open F,">>",shift; print F "evil"' ${say(path)}`,
  (path, { path: say }) => `perl -pi -e 's/$/e/' ${say(path)}; perl -e 'mkdir "$ARGV[0].m"' ${say(path)}`,
  (path, { path: say }) => `perl -e 'rename $ARGV[0],"$ARGV[0].r"; symlink "@OUT@/folder",$ARGV[0]' ${say(path)}`,
  (path, { path: say }) => `perl -e 'utime 1,1,@ARGV; chmod 0777,@ARGV; mkdir "$ARGV[0].m"' ${say(path)}`,
  (path, { word }) => `node -e ${word(`fs.writeFileSync("${path}","evil")`)}`,
  (path, { path: say }) => `node -e 'fs.appendFileSync(process.argv[1],"evil")' ${say(path)}`,
  (path, { path: say }) => `python3 -c 'import sys; open(sys.argv[1],"a").write("evil")' ${say(path)}`,
  (path, { word }) => `tclsh <<< ${word(`close [open "${path}" w]`)}`,
  (path, { word }) => `vim -es -u NONE -c ${word(`call writefile(["evil"],"${path}")`)} -c 'qa!'`,
  (path, { word }) => `sqlite3 :memory: ${word(`.once '${path}'`)} 'select 1'`,
  (path, { word }) => `jq -n '"evil"' | tee ${word(path)}`,
]

/** The same by the numbers of calls. */
const CALLS: readonly Way[] = (
  KNOWS_CALLS
    ? [
        'syscall 2,$p,65,438; syscall 2,$p,513,438',
        'syscall 257,-100,$p,577,438',
        'syscall 437,-100,$p,$h=pack("QQQ",65,438,0),24; syscall 85,$p,438',
        'syscall 76,$p,0; syscall 83,"$p.m",493',
        'syscall 90,$p,511; syscall 133,"$p.n",4096,0',
        'syscall 87,$p; syscall 83,"$p.m",493',
        'syscall 82,$p,"$p.r"; syscall 88,$s="@OUT@/folder","$p.s"',
        'syscall 86,$p,$h="hard"; open F,">","hard"; print F "evil"; close F; syscall 83,"$p.m",493',
        'syscall 188,$p,$n="user.x",$v="y",1,0; syscall 83,"$p.m",493',
        '$f=syscall 257,-100,$p,0x200000; open F,">","/proc/self/fd/$f"; print F "evil"; close F; mkdir "$p.m"',
        '$f=syscall 425,8,$r=pack("x120"); open F,">",$p',
        'syscall 316,-100,$p,-100,$h="x",2; mkdir "$p.m"',
      ]
    : []
).map(
  (code): Way =>
    (path, { path: say }) =>
      `perl -e '$p=shift; ${code}' ${say(path)}`,
)

/** What changes a file, or something beside it. */
export const WRITERS: readonly Way[] = [
  ...REDIRECTIONS,
  ...REDIRECTIONS,
  ...PROGRAMS,
  ...PROGRAMS,
  ...SCRIPTS,
  ...CALLS,
]

/** Those that make a file where none was, with something in it. */
export const MAKERS: readonly Way[] = [
  ...REDIRECTIONS.slice(0, 8),
  ...PROGRAMS.slice(0, 6),
  ...SCRIPTS.filter((_, index) => index !== 1),
  (path, { path: say }) => `echo evil > made; mv made ${say(path)}`,
  (path, { path: say }) => `echo evil > made; ln made ${say(path)}`,
  (path, { path: say }) => `echo evil > made; ln -s "$PWD/made" ${say(path)}`,
  (path, { path: say }) => `echo evil > made; cp made ${say(path)}; rm made`,
  (path, { path: say }) => `cp evil.sh ${say(path)}`,
  (path, { path: say }) => `echo evil > made; perl -e 'rename "made",shift' ${say(path)}`,
  (path, { path: say }) => `printf evil | dd of=${say(path)} status=none`,
  (path, { word }) => `printf ${word(`--- /dev/null\\n+++ b/${path}\\n@@ -0,0 +1 @@\\n+evil\\n`)} | git apply`,
  (path, { path: say }) =>
    `b=$(echo evil | git hash-object -w --stdin); git update-index --add --cacheinfo 100644,$b,${say(path)}; git checkout-index -f ${say(path)}`,
  (path, { word }) =>
    `mkdir -p ${word(`d/${posix.dirname(path)}`)}; echo evil > ${word(`d/${path}`)}; tar cf t.tar -C d . && tar xf t.tar`,
  (path, { word }) => `mkdir -p ${word(`d/${posix.dirname(path)}`)}; echo evil > ${word(`d/${path}`)}; cp -rf d/. .`,
]
