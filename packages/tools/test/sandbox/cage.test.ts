import { execFileSync, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { PermissionMode } from '../../src/index.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { cagedShell, noCage, type Rules } from './caged-shell.js'

function git(cwd: string, ...args: string[]): void {
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@test']
  execFileSync('git', [...who, ...args], { cwd, stdio: 'ignore' })
}

/** A repository in a workspace, a home with a key, and a shell in cages there. */
async function setUp({ mode, rules, name = 'work' }: { mode?: PermissionMode; rules?: Rules; name?: string } = {}) {
  const root = await temporaryFolder()
  const cwd = join(root, name)
  const home = join(root, 'home')
  for (const folder of [cwd, join(home, '.ssh'), join(cwd, 'src')]) await mkdir(folder, { recursive: true })
  await writeFile(join(home, '.ssh', 'id_ed25519'), 'the key of Ada')
  await writeFile(join(home, '.gitconfig'), '[user]\n\tname = Ada\n\temail = ada@test\n')
  await writeFile(join(cwd, 'src', 'a.txt'), 'one\n')
  await writeFile(join(cwd, '.env'), 'API_TOKEN=from-the-file\n')
  git(cwd, 'init', '-q', '-b', 'main')
  git(cwd, 'add', 'src')
  git(cwd, 'commit', '-qm', 'First')
  const open = async (over: { mode?: PermissionMode; rules?: Rules; cwd?: string } = {}) => {
    const shell = await cagedShell({ cwd, home, ...(mode && { mode }), ...(rules && { rules }), ...over })
    onTestFinished(() => shell.close())
    return shell
  }
  return { root, cwd, home, open, shell: await open() }
}

describe.skipIf(noCage)('a command in a cage that only reads', () => {
  it('runs without a question whatever it is, and can change nothing', async () => {
    const { shell, cwd } = await setUp()
    const command = "node -e 'fs.writeFileSync(String.fromCharCode(120), String())'"
    const result = await shell.run(command)
    expect(result).toMatchObject({ verdict: 'allow', ran: 'read', isError: true })
    expect(result.text).toContain('run it again with access "write"')
    await expect(readFile(join(cwd, 'x'))).rejects.toThrow()
  })

  it('has a folder for temporary files that lasts from call to call, and that nobody else sees', async () => {
    const { shell } = await setUp()
    await shell.run('mkdir -p /tmp/made/deep && echo kept > /tmp/made/deep/file && cd /tmp/made')
    expect((await shell.run('cat deep/file && pwd')).text).toContain('kept\n/tmp/made')
    await expect(readFile('/tmp/made/deep/file')).rejects.toThrow()
  })

  it('finds no key at home, none in the environment, and an empty .env', async () => {
    const { shell, home } = await setUp()
    expect(await shell.run(`cat ${home}/.ssh/id_ed25519`)).toMatchObject({ verdict: 'ask', ran: undefined })
    const { text } = await shell.run(`find ${home} -name id_ed25519; ls -A ${home}; wc -c .env`)
    expect(text).not.toContain('id_ed25519')
    expect(text).not.toContain('.ssh')
    expect(text).toContain('0 .env')
    expect((await shell.run('grep -c "" .env; cat .env')).text).toContain('look empty in the sandbox')
  })

  it('sees the key that a person was asked about, and only then', async () => {
    const { shell, home } = await setUp()
    const { text, ran } = await shell.run(`cat ${home}/.ssh/id_ed25519`, { answer: 'yes' })
    expect({ text, ran }).toEqual({ text: 'the key of Ada', ran: 'read' })
  })

  it('runs on when the key of another project is gone', async () => {
    const { home, open } = await setUp()
    const other = join(home, 'projects', 'other')
    await mkdir(other, { recursive: true })
    await writeFile(join(other, '.env'), 'TOKEN=of-another')
    const shell = await open()
    expect((await shell.run(`find ${home}/projects -name .env -size -1c`)).text).toContain('.env')
    await rm(other, { recursive: true })
    expect(await shell.run('echo alive')).toMatchObject({ text: 'alive', isError: false })
  })

  it('is made anew where a place was gone at the moment at which it was to be covered', async () => {
    const { root, home, cwd } = await setUp()
    const program = join(root, 'bwrap')
    const fails = `[ -e ${root}/once ] && { rm ${root}/once; echo 'bwrap: Can not mkdir parents' >&2; exit 1; }`
    await writeFile(program, `#!/bin/sh\n${fails}\nexec bwrap "$@"\n`, { mode: 0o755 })
    await writeFile(join(root, 'once'), '')
    const shell = await cagedShell({ cwd, home, program })
    onTestFinished(() => shell.close())
    await writeFile(join(root, 'once'), '')
    expect(await shell.run('echo alive')).toMatchObject({ ran: 'read', text: 'alive', isError: false })
    await expect(readFile(join(root, 'once'))).rejects.toThrow()
  })

  it('reaches no program through a pipe, which can be written to wherever it lies', async () => {
    const { home, open } = await setUp()
    const pipe = join(home, 'deep', '.hidden', 'pipe')
    await mkdir(dirname(pipe), { recursive: true })
    execFileSync('mkfifo', [pipe])
    const reader = spawn('sh', ['-c', 'exec 3<> "$0"; echo ready; cat <&3', pipe])
    onTestFinished(() => void reader.kill())
    let heard = ''
    reader.stdout.on('data', (chunk) => {
      heard += String(chunk)
    })
    await vi.waitFor(() => expect(heard).toBe('ready\n'))
    const shell = await open()
    const write = `node -e 'fs.writeFileSync(["${home}", "deep", ".hidden", "pipe"].join("/"), "evil")'`
    expect(await shell.run(write)).toMatchObject({ verdict: 'allow', isError: true })
    const own = 'cd "$(mktemp -d)"; mkfifo own; (cat own > heard; echo heard | cat - heard) & echo between > own; wait'
    expect((await shell.run(own)).text).toContain('heard\nbetween')
    execFileSync('sh', ['-c', 'echo good > "$0"', pipe])
    await vi.waitFor(() => expect(heard).toBe('ready\ngood\n'))
  })

  it('reaches no network, and says what to do', async () => {
    const { shell } = await setUp()
    const ask = "node -e 'fetch(`http://example.com`).catch((e) => { console.log(e.cause.code); process.exit(1) })'"
    expect((await shell.run(ask)).text).toContain('There is no network with access "read"')
  })

  it('is denied more where a plan is made', async () => {
    const { shell } = await setUp({ mode: 'plan' })
    expect(await shell.run('ls src')).toMatchObject({ verdict: 'allow', ran: 'read' })
    expect(await shell.run('make', { access: 'write', reason: 'To build.' })).toMatchObject({ verdict: 'deny' })
    expect(await shell.run('echo x > src/b.txt')).toMatchObject({ verdict: 'deny' })
    expect(await shell.run('make', { access: 'outside', reason: 'To build.' })).toMatchObject({ verdict: 'deny' })
  })

  it('does not see what rules forbid to read, by whatever program', async () => {
    const { shell, cwd } = await setUp({ rules: { deny: ['Read(secrets/**)', 'Read(*.pem)'] } })
    await mkdir(join(cwd, 'secrets'))
    await writeFile(join(cwd, 'secrets', 'plan.txt'), 'hush')
    await writeFile(join(cwd, 'src', 'a.pem'), 'hush')
    const script =
      'for (const f of [[115,101,99,114,101,116,115,47,112,108,97,110,46,116,120,116],[115,114,99,47,97,46,112,101,109]]) try { console.log(fs.readFileSync(String.fromCharCode(...f), `utf8`)) } catch (e) { console.log(e.code) }'
    const { text, verdict } = await shell.run(`node -e '${script}'`)
    expect(verdict).toBe('allow')
    expect(text).not.toContain('hush')
  })
})

describe.skipIf(noCage)('a command in a cage that works', () => {
  it('is asked about once in the mode default, with the reason, and then writes in the workspace only', async () => {
    const { shell, cwd, root } = await setUp()
    const command = `node -e 'fs.writeFileSync("made.txt", "x"); fs.writeFileSync("${root}/outside.txt", "x")'`
    expect(await shell.run(command, { access: 'write', reason: 'To make it.' })).toMatchObject({
      verdict: 'ask',
      reason: 'It asks to write in the workspace: To make it.',
    })
    const result = await shell.run(command, { access: 'write', reason: 'To make it.', answer: 'yes' })
    expect(result).toMatchObject({ ran: 'work' })
    expect(await readFile(join(cwd, 'made.txt'), 'utf8')).toBe('x')
    await expect(readFile(join(root, 'outside.txt'))).rejects.toThrow()
  })

  it('commits, and can not change the settings of git', async () => {
    const { shell, cwd } = await setUp({ mode: 'accept-edits' })
    const committed = await shell.run('echo two > src/b.txt && git add . && git commit -qm Second && git log --oneline')
    expect(committed).toMatchObject({ verdict: 'allow', ran: 'work', isError: false })
    const before = await readFile(join(cwd, '.git', 'config'), 'utf8')
    for (const command of [
      'git config core.fsmonitor ./evil',
      'mv .git other && cp -r other .git && echo "[core]fsmonitor=./evil" >> .git/config',
      'node -e \'fs.rmSync(".git/config"); fs.writeFileSync(".git/config", "[core]\\nfsmonitor = ./evil\\n")\'',
      'node -e \'fs.writeFileSync(".git/hooks/pre-commit", "#!/bin/sh")\'',
    ]) {
      const { verdict, isError } = await shell.run(command)
      expect(verdict === 'ask' || isError, command).toBe(true)
    }
    expect(await readFile(join(cwd, '.git', 'config'), 'utf8')).toBe(before)
  })

  it('is let change settings as git does by itself, also of a repository below, whose settings are put back else', async () => {
    const { shell, cwd } = await setUp({ mode: 'accept-edits' })
    expect(await shell.run('git branch topic && git branch -m topic other')).toMatchObject({ isError: false })
    expect(await shell.run('git init -q sub && git -C sub status --short')).toMatchObject({ isError: false })
    const before = await readFile(join(cwd, 'sub', '.git', 'config'), 'utf8')
    expect((await shell.run('git -C sub config core.pager ./evil')).text).toContain('sub/.git/config was put back')
    expect(await readFile(join(cwd, 'sub', '.git', 'config'), 'utf8')).toBe(before)
    expect(await shell.run('git -C sub config user.name Ada && rm -rf sub && ls')).toMatchObject({ text: 'src' })
  })

  it('switches no hook on, and leaves one that is on as it was', async () => {
    const { shell, cwd } = await setUp({ mode: 'accept-edits' })
    git(cwd, 'init', '-q', 'sub')
    const [off, on] = ['pre-push', 'pre-commit'].map((name) => join(cwd, 'sub', '.git', 'hooks', name)) as [
      string,
      string,
    ]
    await mkdir(dirname(off), { recursive: true })
    await writeFile(off, '#!/bin/sh\n', { mode: 0o644 })
    await writeFile(on, '#!/bin/sh\n', { mode: 0o755 })
    const { text } = await shell.run(
      `perl -e 'for (glob q(sub/.git/hooks/pre-*)) { chmod 0777, $_; open F, q(>>), $_ if /commit/; print F 1 }'`,
    )
    expect(text).toContain('sub/.git/hooks/pre-push was put back')
    const modes = await Promise.all([off, on].map(async (path) => (await stat(path)).mode & 0o777))
    expect(modes).toEqual([0o644, 0o755])
    expect(await readFile(on, 'utf8')).toBe('#!/bin/sh\n')
  })

  it('leaves nothing behind that would run later', async () => {
    const { shell, cwd } = await setUp({ mode: 'accept-edits' })
    const result = await shell.run(
      `node -e 'for (const f of [".vscode", ".nacre"]) { fs.mkdirSync(f); fs.writeFileSync(f + "/tasks.json", "{}") } fs.writeFileSync(".mcp.json", "{}")' && git init -q sub && git -C sub config core.pager ./evil`,
    )
    for (const name of ['.vscode', '.nacre', '.mcp.json', 'sub/.git/config'])
      expect(result.text).toContain(`${name} was taken away again`)
    await expect(readFile(join(cwd, '.mcp.json'))).rejects.toThrow()
    expect(await shell.run('git init -q fresh && git -C fresh status --short')).toMatchObject({ isError: false })
    expect(await readFile(join(cwd, 'fresh', '.git', 'config'), 'utf8')).toContain('repositoryformatversion')
  })

  it('writes through links inside of the workspace, and not through those that lead out', async () => {
    const { shell, cwd, root } = await setUp({ mode: 'accept-edits' })
    await writeFile(join(root, 'outside.txt'), 'as it was')
    await symlink('src', join(cwd, 'inside'))
    await symlink(root, join(cwd, 'out'))
    expect(await shell.run('cat >> inside/a.txt <<< two')).toMatchObject({ isError: false })
    await shell.run("node -e 'fs.writeFileSync(`out/outside.txt`, String())'")
    expect(await readFile(join(root, 'outside.txt'), 'utf8')).toBe('as it was')
  })

  it('commits in a worktree whose repository is elsewhere', async () => {
    const { root, cwd, open } = await setUp()
    const tree = join(root, 'tree')
    git(cwd, 'worktree', 'add', '-q', '-b', 'side', tree)
    const shell = await open({ cwd: tree, mode: 'accept-edits' })
    expect(await shell.run('echo x > x && git add x && git commit -qm Side && git log --oneline')).toMatchObject({
      ran: 'work',
      isError: false,
    })
    expect((await shell.run('git config core.pager ./evil')).isError).toBe(true)
  })

  it.each(['with a space', 'ünïcode', "quo'te", '[brackets] *'])('works in a folder called %j', async (name) => {
    const { shell, cwd } = await setUp({ mode: 'accept-edits', name })
    expect(await shell.run('pwd && echo x > made && cat made')).toMatchObject({ text: `${cwd}\nx`, isError: false })
  })

  it('works where nobody can write to the home', async () => {
    const { cwd } = await setUp()
    const shell = await cagedShell({ cwd, home: '/usr/share/zoneinfo', mode: 'accept-edits' })
    onTestFinished(() => shell.close())
    expect(await shell.run(`${WRITES_AT_HOME} && cat ~/.made-by-a-test made`)).toMatchObject({ text: 'y\nx' })
  })

  it('works below the home as well, where what is written lasts as long as the session', async () => {
    const folder = await realpath(await mkdtemp(join(homedir(), '.nacre-cage-test-')))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const shell = await cagedShell({ cwd: folder, mode: 'accept-edits' })
    onTestFinished(() => shell.close())
    expect(await shell.run(WRITES_AT_HOME)).toMatchObject({ isError: false })
    expect(await shell.run('cat ~/.made-by-a-test made')).toMatchObject({ text: 'y\nx' })
    await expect(readFile(join(homedir(), '.made-by-a-test'))).rejects.toThrow()
  })
})

const WRITES_AT_HOME = `node -e 'fs.writeFileSync(os.homedir() + "/.made-by-a-test", "y\\n"); fs.writeFileSync("made", "x")'`

describe.skipIf(noCage)('what holds in a cage as it does without one', () => {
  it('ends at its time limit, politely first, with all it has started', async () => {
    const { shell } = await setUp()
    const { text } = await shell.run('trap "echo bye; exit 4" TERM; sleep 60 & wait', { timeout: 2_000 })
    expect(text).toMatch(/^bye\n\[Stopped with all its processes after 2 s/)
  })

  it('names what it has left running, and ends it', async () => {
    const { shell } = await setUp()
    const { text } = await shell.run('sleep 61 & setsid sleep 62 & echo done')
    expect(text).toMatch(/^done\n\[Ended with the command: (sleep 61|a subshell)/)
    expect(execFileSync('ps', ['ax', '-o', 'args'], { encoding: 'utf8' })).not.toMatch(/^sleep 6[12]$/m)
  })

  it('gives all of a long output', async () => {
    const { shell } = await setUp()
    const { text } = await shell.run('head -c 100000000 /dev/zero | tr "\\0" "a"; echo; echo end')
    expect(/of 100,000,005 bytes are left out/.test(text)).toBe(true)
    const [file = ''] = /\/\S+\.txt/.exec(text) ?? []
    expect((await shell.run(`tail -n 1 ${file}`)).text).toBe('end')
  })

  it('has environments that its shell could not spell, and an exit code of a signal', async () => {
    const { cwd } = await setUp()
    const shell = await cagedShell({ cwd, env: { PATH: process.env.PATH, 'npm_package_a.b': 'odd' } })
    onTestFinished(() => shell.close())
    expect((await shell.run("node -p 'process.env[`npm_package_a.b`]'")).text).toBe('odd')
    expect((await shell.run('kill -9 $$')).text).toContain('SIGKILL')
  })
})
