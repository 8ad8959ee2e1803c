import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cageProblem, setUpCage } from './cage.mjs'

// Programs that only note how they were called; nothing else is on the path, so nothing of the machine is touched.
let folder = ''
/** @type {string[]} */
let said = []

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'nacre-cage-setup-')), 'a folder with spaces')
  mkdirSync(folder)
  said = []
  program('nsenter', 'exit 0')
})

afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }))

describe.skipIf(process.platform === 'win32')('setUpCage', () => {
  it('installs nothing where bubblewrap works', () => {
    program('bwrap', 'exit 0')
    program('apt-get', 'exit 0')
    setUp()
    expect(said).toEqual([])
    expect(calls()).not.toContainEqual(expect.stringContaining('apt-get'))
  })

  it('installs bubblewrap as root of a Debian, and says so', () => {
    program('apt-get', `[ "$1" = install ] && ${makesBubblewrap()}`)
    setUp()
    expect(calls().filter((call) => call.startsWith('apt-get install'))).toEqual([
      expect.stringMatching(/^apt-get install -y .*--no-install-recommends .*bubblewrap$/),
    ])
    expect(said).toEqual([expect.stringContaining('installing bubblewrap')])
  })

  it('fetches the lists of packages when it can not be installed without', () => {
    const known = join(folder, 'known')
    program('apt-get', `case $1 in update) : >'${known}';; install) [ -e '${known}' ] && ${makesBubblewrap()};; esac`)
    setUp()
    expect(calls().map((call) => call.split(' ').slice(0, 2).join(' '))).toEqual(
      expect.arrayContaining(['apt-get install', 'apt-get update']),
    )
    expect(said).toHaveLength(1)
  })

  it('says how to install it where that fails, and does not try again', () => {
    program('apt-get', '[ "$1" = --version ] || { echo "E: no such mirror" >&2; exit 100; }')
    setUp()
    expect(said).toEqual([
      expect.stringContaining('installing'),
      expect.stringContaining('E: no such mirror'),
      expect.stringContaining('there is no bwrap. Install it with apt-get install bubblewrap (Debian, Ubuntu), dnf'),
    ])
    const before = calls().filter((call) => call.startsWith('apt-get')).length
    setUp()
    expect(calls().filter((call) => call.startsWith('apt-get'))).toHaveLength(before)
    expect(said).toHaveLength(3)
  })

  it('installs nothing as an ordinary user, and says what to do', () => {
    program('apt-get', 'exit 0')
    setUp({ user: 1000 })
    expect(calls().filter((call) => call.startsWith('apt-get'))).toEqual([])
    expect(said).toEqual([expect.stringMatching(/apk add bubblewrap.*nothing for an ordinary user.*are not run/)])
  })

  it('tries again as root what an ordinary user could not do', () => {
    program('apt-get', `[ "$1" = install ] && ${makesBubblewrap()}`)
    setUp({ user: 1000 })
    setUp({ user: 0 })
    expect(cageProblem({ environment: { PATH: folder }, platform: 'linux' })).toBeUndefined()
  })

  it('takes a folder of the path that can not be looked into for one without it', () => {
    const closed = join(folder, 'closed')
    writeFileSync(closed, '')
    mkdirSync(join(folder, 'not-executable'))
    writeFileSync(join(folder, 'not-executable', 'bwrap'), '', { mode: 0o600 })
    const environment = { PATH: [closed, join(folder, 'not-executable'), folder].join(delimiter) }
    expect(cageProblem({ environment, platform: 'linux' })).toContain('there is no bwrap')
  })

  it('says how to install it where there is no apt-get', () => {
    setUp()
    expect(said).toEqual([expect.stringContaining('pacman -S bubblewrap (Arch)')])
  })

  it('does not install what is there and does not work, but says why', () => {
    program('bwrap', 'echo "bwrap: setting up uid map: Permission denied" >&2; exit 1')
    program('apt-get', 'exit 0')
    setUp()
    expect(calls().filter((call) => call.startsWith('apt-get'))).toEqual([])
    expect(said).toEqual([expect.stringMatching(/bwrap does not work \(bwrap: setting up uid map.*apparmor_restrict/)])
  })

  it('installs what else is missing', () => {
    rmSync(join(folder, 'nsenter'))
    program('apt-get', 'exit 1')
    setUp()
    expect(calls()).toContainEqual(expect.stringMatching(/^apt-get install .* bubblewrap util-linux$/))
  })

  it('leaves the system alone when told to', () => {
    program('apt-get', 'exit 0')
    setUp({ environment: { PATH: folder, NACRE_SETUP_SYSTEM: '0' } })
    expect([said, existsSync(join(folder, 'stamp')), calls()]).toEqual([[], false, []])
  })

  it('has nothing to do elsewhere than on Linux', () => {
    setUp({ platform: 'darwin' })
    expect([said, calls()]).toEqual([[], []])
  })
})

/** @param {Partial<import('./cage.mjs').Machine>} machine */
function setUp(machine = {}) {
  const stamp = join(folder, 'stamp')
  const say = (/** @type {string} */ line) => void said.push(line)
  setUpCage({ environment: { PATH: folder }, platform: 'linux', user: 0, stamp, say, ...machine })
}

/**
 * @param {string} name
 * @param {string} script
 */
function program(name, script) {
  const text = `#!/bin/sh\necho "${name} $*" >>'${join(folder, 'calls')}'\n${script}\n`
  writeFileSync(join(folder, name), text, { mode: 0o755 })
}

/** What a fake runs to install bubblewrap. The path has nothing to change files with. */
function makesBubblewrap() {
  const file = join(folder, 'bwrap')
  return `{ printf '#!/bin/sh\\n' >'${file}'; command -p chmod +x '${file}'; }`
}

function calls() {
  const file = join(folder, 'calls')
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
}
