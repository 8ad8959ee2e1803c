import { describe, expect, it } from 'vitest'
import type { CageKind } from '../../src/sandbox/sandbox.js'
import { type SeatbeltPlaces, seatbelt } from '../../src/sandbox/seatbelt.js'
import { readings } from './seatbelt-profile.js'

const invocation = {
  program: '/bin/sh',
  args: ['-c', 'npm test'],
  cwd: '/Users/me/shop',
  env: { TMPDIR: '/private/cage' },
}
const none: SeatbeltPlaces = { hidden: [], locked: [], writable: [], readable: [] }
const places: SeatbeltPlaces = {
  hidden: ['/Users/me/.ssh', '/Users/me/shop/.env', '/Users/you', '/Users/me/Library/Keychains'],
  locked: ['/Users/me/shop/.git/config', '/Users/me/shop/.git/hooks', '/Users/me/shop/.nacre'],
  writable: ['/Users/me/shop', '/private/cage'],
  readable: ['/Users/me/.ssh/known_hosts'],
}

describe('seatbelt', () => {
  it('starts the program as it was to be started, with a profile', () => {
    const { program, args, cwd, env } = seatbelt({ cage: cage('work'), invocation, places })
    expect([program, args[0], cwd, env]).toEqual(['/usr/bin/sandbox-exec', '-p', invocation.cwd, invocation.env])
    expect(args.slice(2)).toEqual(['--', '/bin/sh', '-c', 'npm test'])
  })
})

// What is not known about profiles for sure is whether a rule about one operation goes before one about a family of them.
describe.each(['the last rule decides', 'a rule about one operation goes first'] as const)(
  'where %s, a profile',
  (order) => {
    const profile = (given: Partial<SeatbeltPlaces> = {}, kind: CageKind = 'work', ports = true) => {
      const options = { cage: cage(kind), invocation, places: { ...none, ...given } }
      const proxyPorts = ports ? { http: 3128, socks: 1080 } : undefined
      const [, text = ''] = seatbelt(proxyPorts ? { ...options, proxyPorts } : options).args
      return readings(text, order)
    }

    it('lets the system and the workspace be read', () => {
      const { reads } = profile(places)
      expect(reads('/usr/lib/libz.dylib', '/Users/me/shop/src/a.ts', '/Users/me/.gitconfig', '/')).toEqual([])
    })

    it('hides places wholly, with what lies in them', () => {
      const { refuses } = profile(places)
      for (const operation of [
        'file-read-data',
        'file-read-metadata',
        'process-exec',
        'file-write-data',
        'file-write-unlink',
      ]) {
        expect(refuses(operation, '/Users/me/.ssh/id_rsa', '/Users/you/notes', '/Users/me/shop/.env')).toEqual([])
      }
      expect(refuses('file-read-data', '/Users/me/.ssh', '/Users/me/Library/Keychains/login.keychain-db')).toEqual([])
    })

    it('does not hide what only begins with the same letters', () => {
      expect(profile(places).reads('/Users/me/.sshrc', '/Users/yours/a', '/Users/me/shop/.env.example')).toEqual([])
    })

    it('shows a place in a hidden one, and the way to it, but nothing beside it', () => {
      const { reads, refuses, allows } = profile(places)
      expect(reads('/Users/me/.ssh/known_hosts')).toEqual([])
      expect(allows('file-read-metadata', '/Users/me/.ssh')).toEqual([])
      expect(refuses('file-read-data', '/Users/me/.ssh', '/Users/me/.ssh/known_hosts2')).toEqual([])
    })

    it('shows a workspace in a hidden place, and hides again what is hidden in it', () => {
      const { reads, writes, allows, refuses } = profile({
        ...places,
        hidden: ['/Users', '/Users/me/shop/.env'],
      })
      expect(reads('/Users/me/shop/package.json')).toEqual([])
      expect(writes('/Users/me/shop/a')).toEqual([])
      expect(allows('process-exec', '/Users/me/shop/run.sh')).toEqual([])
      expect(refuses('file-read-data', '/Users/me/shop/.env', '/Users/me/other', '/Users/me')).toEqual([])
    })

    it('hides what is said to be both hidden and shown', () => {
      const { refuses } = profile({ hidden: ['/a'], readable: ['/a'], writable: ['/a'] })
      expect(refuses('file-read-data', '/a', '/a/b')).toEqual([])
      expect(refuses('file-write-data', '/a', '/a/b')).toEqual([])
    })

    it('lets the workspace be written, and nothing else', () => {
      const { writes, refuses } = profile(places)
      expect(writes('/Users/me/shop/src/a.ts', '/Users/me/shop/new/b', '/private/cage/x', '/dev/null')).toEqual([])
      const outside = [
        '/Users/me/.zshrc',
        '/Users/me/shopping',
        '/usr/local/bin/git',
        '/private/tmp/a',
        '/Users/me',
        '/dev/disk0',
      ]
      for (const operation of WRITING) expect(refuses(operation, ...outside)).toEqual([])
    })

    it('lets nothing be written that is locked, nor be moved away with the folder around it', () => {
      const { refuses, writes } = profile(places)
      const locked = [
        '/Users/me/shop/.git/config',
        '/Users/me/shop/.git/hooks/pre-commit',
        '/Users/me/shop/.nacre/settings.json',
      ]
      for (const operation of WRITING) expect(refuses(operation, ...locked)).toEqual([])
      expect(refuses('file-write-unlink', '/Users/me/shop/.git', '/Users/me/shop', '/Users/me/shop/.nacre')).toEqual([])
      expect(writes('/Users/me/shop/.git/index', '/Users/me/shop/.git/objects/ab')).toEqual([])
    })

    it('lets a place in a locked one be written that is named itself', () => {
      const writable = [...places.writable, '/Users/me/shop/.nacre/worktrees/one']
      const { writes, refuses } = profile({ ...places, writable })
      expect(writes('/Users/me/shop/.nacre/worktrees/one/src/a.ts')).toEqual([])
      expect(refuses('file-write-create', '/Users/me/shop/.nacre/worktrees/two')).toEqual([])
    })

    it('lets nothing be written in `read` but what is private', () => {
      const { refuses, writes } = profile({ ...places, writable: ['/private/cage'] }, 'read')
      for (const operation of WRITING) expect(refuses(operation, '/Users/me/shop/a', '/Users/me/shop')).toEqual([])
      expect(writes('/private/cage/x')).toEqual([])
    })

    it('lets a program in `work` reach the proxies, and nobody else', () => {
      const { connects } = profile(places)
      const tried = ['localhost:3128', 'localhost:1080', 'localhost:5432', 'example.com:443', '/var/run/docker.sock']
      expect(tried.filter(connects)).toEqual(['localhost:3128', 'localhost:1080'])
      expect(tried.filter(profile(places, 'work', false).connects)).toEqual([])
    })

    it('lets a program in `read` reach nobody', () => {
      expect(['localhost:3128', 'localhost:1080', 'example.com:443'].filter(profile(places, 'read').connects)).toEqual(
        [],
      )
    })

    it('lets nobody be listened to', () => {
      const { refuses } = profile(places)
      expect(refuses('network-bind', 'localhost:3128')).toEqual([])
      expect(refuses('network-inbound', 'localhost:3128')).toEqual([])
    })

    it('gives no way to keychains, to applications outside, or to what other processes were started with', () => {
      const { refuses } = profile(places)
      const services = [
        'SecurityServer',
        'securityd.xpc',
        'coreservices.launchservicesd',
        'coreservices.appleevents',
        'pasteboard.1',
      ]
      expect(refuses('mach-lookup', ...services.map((name) => `com.apple.${name}`))).toEqual([])
      expect(refuses('sysctl-read', 'kern.procargs2', 'kern.procargs')).toEqual([])
      for (const operation of ['lsopen', 'appleevent-send', 'job-creation', 'mach-register'])
        expect(refuses(operation, '')).toEqual([])
    })

    it('gives no way to the terminal, also where a person has made devices writable', () => {
      const { refuses } = profile({ ...places, writable: ['/dev'] })
      for (const operation of ['file-read-data', 'file-write-data', 'file-ioctl']) {
        expect(refuses(operation, '/dev/tty', '/dev/ttys003', '/dev/ptmx')).toEqual([])
      }
    })

    it('takes a name for a name, whatever is in it', () => {
      const odd = '/Users/me/a "b" \\ [c]*?\n(d)'
      const { writes, refuses } = profile({ writable: [odd], hidden: [`${odd}/.env`], locked: [`${odd}/.git/config`] })
      expect(writes(`${odd}/a`)).toEqual([])
      expect(refuses('file-read-data', `${odd}/.env`)).toEqual([])
      expect(refuses('file-write-data', `${odd}/.git/config`, '/Users/me/a "b" \\ c')).toEqual([])
    })

    it('knows where the folders lead that are links on every Mac', () => {
      const { refuses, writes } = profile({ hidden: ['/var/keys', '/etc/secrets/'], writable: ['/tmp/shop'] })
      expect(refuses('file-read-data', '/private/var/keys/a', '/private/etc/secrets/b')).toEqual([])
      expect(writes('/private/tmp/shop/a')).toEqual([])
    })
  },
)

const WRITING = [
  'file-write-data',
  'file-write-create',
  'file-write-unlink',
  'file-write-mode',
  'file-write-xattr',
] as const

function cage(kind: CageKind) {
  return { kind, workspace: ['/Users/me/shop'] }
}
