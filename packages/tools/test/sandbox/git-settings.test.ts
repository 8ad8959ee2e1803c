import { spawnSync } from 'node:child_process'
import { appendFileSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { restrainedGit } from '../../src/sandbox/git-settings.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { type Strange, strangeRepository } from './strange-repository.js'

/** Commands in their order; each may leave something for the next one. */
const COMMANDS: readonly (readonly string[])[] = [
  ['status'],
  ['diff'],
  ['diff', '--stat'],
  ['log', '-p', '--all'],
  ['log', '--ext-diff', '--textconv', '-p', '-1'],
  ['show', 'HEAD'],
  ['show', 'HEAD:a.txt'],
  ['blame', '-s', 'a.txt'],
  ['grep', '-n', 'one'],
  ['add', '-A'],
  ['diff', '--cached'],
  ['stash'],
  ['stash', 'list', '-p'],
  ['stash', 'pop'],
  ['commit', '-qam', 'changed'],
  ['commit', '--amend', '--quiet'],
  ['checkout', '-q', 'side'],
  ['checkout', '-q', 'main'],
  ['merge', 'side'],
  ['merge', '--abort'],
  ['merge', 'side'],
  ['checkout', '--theirs', 'a.txt'],
  ['commit', '-qam', 'merged'],
  ['checkout', '-q', '-b', 'third', 'HEAD~1'],
  ['cherry-pick', 'side'],
  ['cherry-pick', '--abort'],
  ['rebase', '-q', 'main'],
  ['tag', '-a', '-m', 'x', 'v1'],
  ['fetch', '-q', '../plain', 'main'],
  ['fetch', '-q', 'beside'],
  ['pull', '-q', '--no-rebase', 'beside', 'main'],
  ['restore', '--source=HEAD~1', '.'],
  ['reset', '-q', '--hard'],
  ['worktree', 'add', '-q', '../tree'],
  ['worktree', 'remove', '../tree'],
  ['gc', '-q', '--auto'],
  ['archive', '--format=tar', '-o', '../a.tar', 'HEAD'],
  ['rm', '-q', 'gone.txt'],
  ['mv', 'a.txt', 'b.txt'],
  ['clean', '-fdq'],
  ['submodule', 'status'],
  ['describe', '--tags', '--dirty'],
]

/** Of those, some that start what is started at all. */
const FEW: readonly (readonly string[])[] = [
  ['status'],
  ['diff'],
  ['add', '-A'],
  ['commit', '-qm', 'changed'],
  ['checkout', '-q', 'side'],
  ['merge', 'main'],
]

/** What a repository could have in its configuration, and the command that would start it, where it is not one above. */
const SETTINGS: readonly (readonly [key: string, command?: readonly string[], input?: string])[] = [
  ['core.fsmonitor'],
  ['core.sshCommand', ['ls-remote', 'ssh://127.0.0.1:1/x']],
  ['core.gitProxy', ['ls-remote', 'git://127.0.0.1:1/x']],
  ['core.askPass', ['credential', 'fill'], 'protocol=https\nhost=example.com\n\n'],
  ['credential.helper', ['credential', 'fill'], 'protocol=https\nhost=example.com\n\n'],
  ['credential.https://example.com.helper', ['credential', 'fill'], 'protocol=https\nhost=example.com\n\n'],
  ['core.editor', ['commit', '--allow-empty', '--amend']],
  ['sequence.editor', ['rebase', '-q', '-i', '--autostash', 'HEAD~1']],
  ['core.alternateRefsCommand', ['fetch', '-q', 'beside', 'main:refs/heads/new']],
  ['diff.external'],
  ['diff.evil.command'],
  ['diff.evil.textconv'],
  ['merge.evil.driver'],
  ['filter.evil.clean'],
  ['filter.evil.smudge'],
  ['filter.evil.process'],
  ['gpg.program', ['commit', '--allow-empty', '-S', '-m', 'signed']],
  ['gpg.openpgp.program', ['commit', '--allow-empty', '-S', '-m', 'signed']],
  ['remote.beside.uploadpack', ['fetch', 'beside']],
  ['remote.beside.receivepack', ['push', 'beside', 'HEAD:refs/heads/pushed']],
  ['alias.evil', ['evil']],
  ['trailer.evil.command', ['commit', '--allow-empty', '-m', 'x', '--trailer', 'evil: x']],
  ['trailer.evil.cmd', ['interpret-trailers', '--trailer', 'evil: x'], 'subject\n\nbody\n'],
  ['tar.evil.command', ['archive', '--format=evil', 'HEAD']],
  ['difftool.evil.cmd', ['difftool', '-y', '-t', 'evil', 'HEAD~1']],
  ['difftool.kompare.path', ['difftool', '-y', '-t', 'kompare', 'HEAD~1']],
  ['browser.evil.cmd', ['web--browse', '-t', 'evil', 'http://127.0.0.1:1/']],
  ['man.evil.cmd', ['-c', 'man.viewer=evil', 'help', '-m', 'status']],
]

/** Aliases and credential helpers that are commands of a shell have a mark in front, or they would be names. */
function planted(key: string, program: string): string {
  return key.startsWith('alias.') || key.startsWith('credential.') ? `!${program}` : program
}

/** A change in the working tree that the index does not know of, and a repository beside this one. */
function prepare({ git, plain }: Strange, folder: string): void {
  writeFileSync(join(folder, 'a.txt'), 'one\nchanged\nthree\n')
  git(folder, ['remote', 'add', 'beside', plain])
}

describe('git in a folder that is not trusted', () => {
  for (const [key, own, input] of SETTINGS) {
    it(`starts nothing of ${key}`, async () => {
      const scene = await strangeRepository()
      const { strange, plain, git, env, program, marks } = scene
      prepare(scene, strange)
      if (key.startsWith('core.alternate')) {
        cpSync(strange, join(dirname(strange), 'other'), { recursive: true })
        writeFileSync(
          join(strange, '.git/objects/info/alternates'),
          `${join(dirname(strange), 'other/.git/objects')}\n`,
        )
        writeFileSync(join(plain, 'new.txt'), 'new')
        git(plain, ['add', '.'])
        git(plain, ['commit', '-qm', 'new'])
      }
      git(strange, ['config', key, planted(key, program('evil'))])
      const copy = join(dirname(strange), 'copy')
      cpSync(strange, copy, { recursive: true })
      const restrained = await restrainedGit(strange, env)
      const commands = own ? [own] : FEW
      for (const args of commands) git(strange, args, restrained, input)
      expect(marks()).toEqual([])
      // The same without the variables, or this would prove nothing.
      for (const args of commands) if (marks().length === 0) git(copy, args, {}, input)
      expect(marks()).toEqual(['evil'])
    })
  }

  it('gives the same output as a repository without such settings', async () => {
    const scene = await strangeRepository()
    const { strange, plain, git, env, program, marks } = scene
    const third = join(dirname(strange), 'third')
    cpSync(plain, third, { recursive: true })
    for (const folder of [strange, third]) prepare(scene, folder)
    for (const [key, own] of SETTINGS) {
      if (!own) git(strange, ['config', key, program('evil')])
    }
    git(strange, ['config', 'filter.evil.required', 'true'])
    for (const hook of [
      'pre-commit',
      'commit-msg',
      'post-checkout',
      'post-merge',
      'pre-rebase',
      'reference-transaction',
    ]) {
      cpSync(program('evil'), join(strange, '.git/hooks', hook))
    }
    const restrained = await restrainedGit(strange, env)
    const quiet = { GIT_PAGER: 'cat', GIT_EDITOR: 'true' }
    const outcome = (folder: string, more: Readonly<Record<string, string>>) =>
      COMMANDS.map((args) => {
        const { output, code } = git(folder, args, more)
        return [args.join(' '), withoutNames(output), code]
      })
    expect(outcome(strange, restrained)).toEqual(outcome(third, quiet))
    expect(marks()).toEqual([])
  })

  it('starts no hook, wherever the repository has them', async () => {
    const { strange, git, env, program, marks } = await strangeRepository()
    program('evil')
    for (const path of ['.git/hooks', 'mine']) {
      mkdirSync(join(strange, path), { recursive: true })
      for (const hook of HOOKS) cpSync(program('evil'), join(strange, path, hook))
    }
    for (const set of [false, true]) {
      if (set) git(strange, ['config', 'core.hooksPath', 'mine'])
      const restrained = await restrainedGit(strange, env)
      for (const args of COMMANDS) git(strange, args, restrained)
      expect(marks()).toEqual([])
    }
    git(strange, ['commit', '--allow-empty', '-qm', 'x'])
    expect(marks()).toEqual(['evil'])
  })

  it.skipIf(!existsSync('/usr/bin/script'))('starts no pager on a terminal', async () => {
    const { strange, env, git, program, marks } = await strangeRepository()
    git(strange, ['config', 'core.pager', program('evil')])
    git(strange, ['config', 'pager.log', program('evil')])
    git(strange, ['config', 'interactive.diffFilter', program('filter')])
    writeFileSync(join(strange, 'a.txt'), 'changed')
    const log = (more: Readonly<Record<string, string>>) =>
      spawnSync('script', ['-qec', 'git log -1; git diff; git -p status; echo q | git add -p', '/dev/null'], {
        cwd: strange,
        env: { ...env, TERM: 'xterm', ...more },
        input: '',
      })
    log(await restrainedGit(strange, env))
    expect(marks()).toEqual([])
    log({})
    expect(marks()).toEqual(['evil', 'filter'])
  })

  it('finds what is included, at once or on another branch, and in the settings of a worktree', async () => {
    for (const way of ['include.path', 'includeIf.onbranch:side.path', 'worktree'] as const) {
      const { strange, env, git, program, marks } = await strangeRepository()
      const hostile = `[filter "other"]\n\tclean = ${program('evil')}\n\tsmudge = ${program('evil')}\n`
      if (way === 'worktree') {
        git(strange, ['config', 'extensions.worktreeConfig', 'true'])
        writeFileSync(join(strange, '.git/config.worktree'), hostile)
      } else {
        writeFileSync(join(strange, 'hostile.config'), `[include]\n\tpath = second.config\n`)
        writeFileSync(join(strange, 'second.config'), hostile)
        git(strange, ['config', way, '../hostile.config'])
      }
      const restrained = await restrainedGit(strange, env)
      const commands = [
        ['checkout', '-q', 'side'],
        ['rm', '-q', '--cached', 'b.other'],
        ['add', 'b.other'],
        ['reset', '-q', '--hard'],
      ]
      const again = join(dirname(strange), 'again')
      cpSync(strange, again, { recursive: true })
      for (const args of commands) git(strange, args, restrained)
      expect(marks()).toEqual([])
      for (const args of commands) git(again, args)
      expect(marks()).toEqual(['evil'])
    }
  })

  it('finds what the repositories of submodules have', async () => {
    const { strange, plain, env, git, program, marks } = await strangeRepository()
    git(strange, ['submodule', '--quiet', 'add', plain, 'below'])
    git(strange, ['commit', '-qm', 'below'])
    git(join(strange, 'below'), ['config', 'filter.evil.clean', program('evil')])
    git(strange, ['config', 'submodule.below.update', `!${program('update')}`])
    const restrained = await restrainedGit(strange, env)
    const changes = () => writeFileSync(join(strange, 'below/a.txt'), 'one\nother\nthree\n')
    const commands = [['status'], ['diff', '--submodule=diff'], ['submodule', 'update', '--force'], ['stash']]
    changes()
    for (const args of commands) git(strange, args, restrained)
    expect(marks()).toEqual([])
    git(join(strange, 'below'), ['checkout', '-q', 'HEAD~1'])
    changes()
    for (const args of commands) git(strange, args)
    expect(marks()).toEqual(['evil', 'update'])
  })

  it('holds in a bare repository, in a folder of another one and in a worktree', async () => {
    const { strange, env, git, program, marks } = await strangeRepository()
    const root = dirname(strange)
    git(root, ['clone', '-q', '--bare', strange, 'bare.git'])
    writeFileSync(join(root, 'bare.git/info/attributes'), '*.txt diff=evil\n')
    git(strange, ['worktree', 'add', '-q', '../tree', 'side'])
    for (const folder of ['bare.git', 'tree', 'strange/folder']) {
      git(join(root, folder), ['config', 'diff.evil.textconv', program(`evil-${folder.replace(/\W/g, '-')}`)])
    }
    for (const folder of ['bare.git', 'tree', 'strange/folder', 'bare.git/refs']) {
      const restrained = await restrainedGit(join(root, folder), env)
      expect(git(join(root, folder), ['log', '-p', '--all'], restrained).output).toContain('+side')
    }
    expect(marks()).toEqual([])
    git(join(root, 'bare.git'), ['log', '-p'])
    expect(marks()).toEqual(['evil-bare-git'])
  })

  it('starts nothing by an address, whatever the repository allows', async () => {
    for (const key of ['protocol.ext.allow', 'protocol.allow']) {
      const { strange, env, git, program, marks } = await strangeRepository()
      git(strange, ['config', key, 'always'])
      git(strange, ['remote', 'add', 'ext', `ext::${program('evil')}`])
      const restrained = await restrainedGit(strange, env)
      expect(git(strange, ['fetch', 'ext'], restrained).complaint).toMatch(/transport 'ext' not allowed/)
      expect(marks()).toEqual([])
      expect(git(strange, ['fetch', '-q', '../plain'], restrained).code).toBe(0)
      git(strange, ['fetch', 'ext'])
      expect(marks()).toEqual(['evil'])
    }
  })

  it('works in the folder itself where the repository claims another one', async () => {
    const { strange, env, git } = await strangeRepository()
    const elsewhere = await temporaryFolder()
    git(strange, ['config', 'core.worktree', elsewhere])
    const restrained = await restrainedGit(join(strange, 'folder'), env)
    git(join(strange, 'folder'), ['checkout', '-q', '-f', 'side'], restrained)
    expect(readdirSync(elsewhere)).toEqual([])
    expect(git(join(strange, 'folder'), ['status', '--porcelain'], restrained).output).toBe('')
    git(strange, ['checkout', '-q', '-f', 'main'])
    expect(readdirSync(elsewhere)).toContain('a.txt')
  })

  it('keeps what a person has set at home', async () => {
    const { strange, env, git, program, marks } = await strangeRepository()
    const home = join(env.HOME ?? '', '.gitconfig')
    appendFileSync(
      home,
      `[credential]\n\thelper = "!echo username=ada; echo password=own; :"\n[alias]\n\tlg = log --oneline\n`,
    )
    appendFileSync(
      home,
      `[filter "evil"]\n\tclean = tr a-z A-Z\n[core]\n\thooksPath = ${join(env.HOME ?? '', 'hooks')}\n`,
    )
    mkdirSync(join(env.HOME ?? '', 'hooks'))
    cpSync(program('own'), join(env.HOME ?? '', 'hooks/post-checkout'))
    git(strange, ['config', 'credential.helper', `!${program('evil')}`])
    git(strange, ['config', 'filter.evil.clean', program('evil')])
    git(strange, ['config', 'alias.lg', `!${program('evil')}`])
    const restrained = await restrainedGit(strange, env)
    const filled = git(strange, ['credential', 'fill'], restrained, 'protocol=https\nhost=example.com\n\n')
    expect(filled.output).toContain('password=own')
    expect(git(strange, ['lg', '-1'], restrained).output).toMatch(/^\w+ main/)
    writeFileSync(join(strange, 'a.txt'), 'small\n')
    git(strange, ['add', '.'], restrained)
    expect(git(strange, ['show', ':a.txt'], restrained).output).toBe('SMALL\n')
    git(strange, ['checkout', '-q', '-b', 'other'], restrained)
    expect(marks()).toEqual(['own'])
    expect(git(strange, ['config', 'user.name'], restrained).output).toBe('Ada\n')
  })

  it('does not take what a person includes from the workspace for their own', async () => {
    const { strange, env, git, program, marks } = await strangeRepository()
    appendFileSync(join(env.HOME ?? '', '.gitconfig'), `[include]\n\tpath = ${join(strange, 'team.config')}\n`)
    writeFileSync(
      join(strange, 'team.config'),
      `[core]\n\tfsmonitor = ${program('evil')}\n[diff]\n\texternal = ${program('evil')}\n`,
    )
    writeFileSync(join(strange, 'a.txt'), 'changed\n')
    const restrained = await restrainedGit(strange, env)
    for (const args of [['status'], ['diff']]) git(strange, args, restrained)
    expect(marks()).toEqual([])
  })

  it('goes on with numbered settings that the environment has', async () => {
    const { strange, env, git } = await strangeRepository()
    const given = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'user.nickname', GIT_CONFIG_VALUE_0: 'Countess' }
    const restrained = await restrainedGit(strange, { ...env, ...given })
    expect(restrained.GIT_CONFIG_KEY_0).toBeUndefined()
    expect(git(strange, ['config', 'user.nickname'], { ...given, ...restrained }).output).toBe('Countess\n')
    expect(git(strange, ['config', 'core.hooksPath'], { ...given, ...restrained }).output).toBe('/dev/null\n')
  })

  it('leaves Git LFS to do its work, but not what that would start', async () => {
    const { strange, env, git, program } = await strangeRepository()
    git(strange, ['config', 'filter.lfs.clean', 'git-lfs clean -- %f'])
    git(strange, ['config', 'filter.lfs.process', 'git-lfs filter-process'])
    git(strange, ['config', 'lfs.customtransfer.evil.path', program('evil')])
    const restrained = await restrainedGit(strange, env)
    expect(git(strange, ['config', 'filter.lfs.clean'], restrained).output).toBe('git-lfs clean -- %f\n')
    expect(git(strange, ['config', 'lfs.customtransfer.evil.path'], restrained).output).toBe('false\n')
  })

  it('says so where there is more than can be switched off', async () => {
    const { strange, env } = await strangeRepository()
    const many = Array.from({ length: 1_000 }, (_, at) => `[diff "d${at}"]\n\tcommand = x\n`)
    appendFileSync(join(strange, '.git/config'), many.join(''))
    await expect(restrainedGit(strange, env)).rejects.toThrow(
      /more settings that start programs than can be switched off/,
    )
  })

  it('holds where there is no repository, and where its settings can not be read', async () => {
    const { strange, env } = await strangeRepository()
    expect(await restrainedGit(dirname(strange), env)).toMatchObject({
      GIT_PAGER: 'cat',
      GIT_CONFIG_KEY_0: 'core.fsmonitor',
    })
    writeFileSync(join(strange, '.git/config'), '[broken')
    expect(await restrainedGit(strange, env)).toMatchObject({ GIT_PAGER: 'cat' })
    rmSync(join(strange, '.git'), { recursive: true })
    expect(await restrainedGit(strange, { ...env, PATH: '/nowhere' })).toMatchObject({ GIT_PAGER: 'cat' })
  })
})

const HOOKS =
  `applypatch-msg commit-msg fsmonitor-watchman post-applypatch post-checkout post-commit post-index-change post-merge
post-rewrite pre-applypatch pre-auto-gc pre-commit pre-merge-commit pre-push pre-rebase prepare-commit-msg push-to-checkout
reference-transaction sendemail-validate`.split(/\s+/)

/** Three versions that are put together by another program have other names at their conflicts. */
function withoutNames(output: string): string {
  return output.replaceAll(/\b(?:strange|third)\b/g, 'here').replaceAll(/^([<>|]{7}) .*$/gm, '$1')
}
