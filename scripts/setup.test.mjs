import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { root } from './environment.mjs'

// Stands for npm: "installs" a pnpm that only writes down how it was called.
const fakeNpm = `
const { mkdirSync, writeFileSync, appendFileSync } = require('node:fs')
const { join } = require('node:path')
const folder = process.argv[process.argv.indexOf('--prefix') + 1]
const pnpm = join(folder, 'node_modules', 'pnpm')
if (process.env.OFFLINE) { console.error('npm error code ECONNREFUSED'); process.exit(1) }
appendFileSync('calls', 'npm ' + process.argv.at(-1) + '\\n')
mkdirSync(join(pnpm, 'bin'), { recursive: true })
writeFileSync(join(pnpm, 'package.json'), JSON.stringify({ version: process.argv.at(-1).split('@')[1] }))
writeFileSync(join(pnpm, 'bin', 'pnpm.cjs'), \`
  const { appendFileSync, mkdirSync } = require('node:fs')
  appendFileSync('calls', 'pnpm ' + process.argv.slice(2, 4).join(' ') + '\\\\n')
  if (process.env.OUTDATED) { console.log('ERR_PNPM_OUTDATED_LOCKFILE'); process.exit(1) }
  mkdirSync('node_modules', { recursive: true })
\`)
`

const installs = ['npm pnpm@1.2.3', 'pnpm install --frozen-lockfile']
let project = ''

beforeEach(() => {
  project = join(mkdtempSync(join(tmpdir(), 'nacre-setup-')), 'a folder with spaces')
  mkdirSync(project)
  cpSync(join(root, 'scripts'), join(project, 'scripts'), { recursive: true })
  writeFileSync(join(project, 'npm-cli.js'), fakeNpm)
  writeFileSync(join(project, 'pnpm-lock.yaml'), '')
  writeFileSync(join(project, 'pnpm-workspace.yaml'), '')
  writeManifest('>=20')
})

afterEach(() => rmSync(join(project, '..'), { recursive: true, force: true }))

describe('setUp', () => {
  it('installs pnpm and the dependencies once', () => {
    expect(setUp()).toMatchObject({ status: 0, stdout: '' })
    expect(setUp()).toMatchObject({ status: 0, stdout: '', stderr: '' })
    expect(calls()).toEqual(installs)
  })

  it('installs the dependencies again when the lockfile or a manifest changes', () => {
    setUp()
    writeFileSync(join(project, 'pnpm-lock.yaml'), 'changed')
    setUp()
    mkdirSync(join(project, 'packages', 'core'), { recursive: true })
    writeFileSync(join(project, 'packages', 'core', 'package.json'), '{}')
    setUp()
    expect(calls()).toEqual([...installs, installs[1], installs[1]])
  })

  it('installs the dependencies again when node_modules is gone', () => {
    setUp()
    rmSync(join(project, 'node_modules'), { recursive: true })
    setUp()
    expect(calls()).toEqual([...installs, installs[1]])
  })

  it('does not take a failed install for a finished one', () => {
    expect(setUp({ OUTDATED: '1' })).toMatchObject({ status: 1, stderr: expect.stringContaining('npm run pnpm') })
    expect(setUp().status).toBe(0)
    expect(calls()).toEqual([...installs, installs[1]])
  })

  it('says what to do when the registry does not answer', () => {
    expect(setUp({ OFFLINE: '1' })).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('The registry did not answer: check the network'),
    })
  })

  it('names the Node that it needs', () => {
    writeManifest('>=99.1')
    expect(setUp()).toMatchObject({ status: 1, stderr: expect.stringContaining('Nacre needs Node 99.1 or newer') })
  })

  it('takes over the lock of a process that is gone', () => {
    mkdirSync(join(project, '.cache'))
    writeFileSync(join(project, '.cache', 'setup.lock'), String(spawnSync(process.execPath, ['-e', '']).pid))
    expect(setUp().status).toBe(0)
  })
})

/** @param {string} node */
function writeManifest(node) {
  writeFileSync(join(project, 'package.json'), JSON.stringify({ packageManager: 'pnpm@1.2.3', engines: { node } }))
}

/** @param {NodeJS.ProcessEnv} extra */
function setUp(extra = {}) {
  const program = "import('./scripts/setup.mjs').then(({ setUp }) => setUp())"
  const env = { ...process.env, NACRE_SETUP_SYSTEM: '0', npm_execpath: join(project, 'npm-cli.js'), ...extra }
  return spawnSync(process.execPath, ['-e', program], { cwd: project, env, encoding: 'utf8' })
}

function calls() {
  return readFileSync(join(project, 'calls'), 'utf8').trim().split('\n')
}
