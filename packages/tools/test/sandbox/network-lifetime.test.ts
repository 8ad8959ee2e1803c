import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, readdir, realpath, stat } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'tsup'
import { describe, expect, it, vi } from 'vitest'
import { cageNetwork } from '../../src/sandbox/network.js'
import { expectEnded, expectRunning, PATIENT } from '../shell/processes.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { page, serve } from '../web/serve.js'
import { bubblewrap, isCageable, listening, script, startNetwork, startScript } from './network-inside.js'

/** The processes that keep the network of a folder: bubblewrap, and the one inside of it. */
function keepers(folder: string): number[] {
  return readdirSync('/proc')
    .filter((id) => /^\d+$/.test(id))
    .filter((id) => {
      try {
        return readFileSync(`/proc/${id}/cmdline`, 'utf8').includes(join(folder, 'inside'))
      } catch {
        return false
      }
    })
    .map(Number)
}

const ask = (port: number) =>
  fetch(`http://127.0.0.1:${port}/`).then(
    (answer) => answer.text(),
    () => 'nobody',
  )

const SERVER = (port = 0, host = '127.0.0.1') => `
  const server = http.createServer((_request, response) => response.end('from inside'))
  server.listen(${port}, '${host}', () => say(String(server.address().port)))`

/** A port that is free out here. */
async function freePort(): Promise<number> {
  const server = createServer()
  const port = await listening(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}

describe.skipIf(!isCageable)('a server inside, where bubblewrap works', () => {
  it('is reached by the next command, and from nowhere else', async () => {
    const network = await startNetwork()
    const port = await freePort()
    await startScript(network, SERVER(port))
    expect(await script(network, `say(await direct(${port}))`)).toBe('200 from inside')
    expect(await ask(port)).toBe('nobody')
  })

  it('is reached from outside as long as its port is published', async () => {
    const network = await startNetwork()
    const [one, six] = [await freePort(), await freePort()]
    await startScript(network, SERVER(one))
    await startScript(network, SERVER(six, '::1'))
    await Promise.all([one, six, one].map(network.publish))
    expect(network.published()).toEqual([one, six].sort((a, b) => a - b))
    expect([await ask(one), await ask(six)]).toEqual(['from inside', 'from inside'])
    await network.unpublish(one)
    await network.unpublish(one)
    expect([await ask(one), await ask(six), network.published()]).toEqual(['nobody', 'from inside', [six]])
  })

  it('that is not there yet is reached as soon as it is', async () => {
    const network = await startNetwork()
    const port = await freePort()
    await network.publish(port)
    expect(await ask(port)).toBe('nobody')
    await startScript(network, SERVER(port))
    expect(await ask(port)).toBe('from inside')
  })

  it('that is cut off is cut off on both sides', async () => {
    const network = await startNetwork()
    const port = await freePort()
    const child = await startScript(
      network,
      `net.createServer((socket) => socket.on('close', () => say('closed')).on('error', () => undefined).write('hello')).listen(${port}, () => say('up'))`,
    )
    await network.publish(port)
    const client = connect(port, '127.0.0.1')
    await once(client, 'data')
    const closed = [once(client.resume(), 'close'), once(child.stdout, 'data')]
    await network.unpublish(port)
    expect(String((await Promise.all(closed))[1])).toBe('closed')
  })

  it('gets no port that is taken, and none that there is not', async () => {
    const network = await startNetwork()
    const port = await listening()
    await expect(network.publish(port)).rejects.toThrow(
      `Port ${port} can't be opened: another program of this computer uses it. Let the server listen at another one.`,
    )
    for (const none of [0, -1, 1.5, 65_536, 63_128, 61_080])
      await expect(network.publish(none)).rejects.toThrow(`${none} is no port of a server.`)
    expect(network.published()).toEqual([])
  })
})

describe.skipIf(!isCageable)('the network of a session, where bubblewrap works', () => {
  it('is started once, in a folder that only its owner may enter', async () => {
    const network = await startNetwork()
    expect(keepers(network.folder)).toEqual([])
    const entered = await Promise.all([network.enter(), network.enter(), network.enter()])
    expect(new Set(entered.map(({ prefix }) => prefix.join(' '))).size).toBe(1)
    expect(keepers(network.folder).length).toBe(2)
    expect((await stat(network.folder)).mode & 0o777).toBe(0o700)
  })

  it('names its proxies to programs, and tells them nothing else', async () => {
    const network = await startNetwork()
    const { env } = await network.enter()
    expect(env).toMatchObject({
      HTTP_PROXY: 'http://127.0.0.1:63128',
      https_proxy: 'http://127.0.0.1:63128',
      ALL_PROXY: 'socks5h://127.0.0.1:61080',
      NO_PROXY: 'localhost,127.0.0.1,::1',
    })
    for (const [name, value] of Object.entries(env)) {
      expect(name).toMatch(/proxy$/i)
      expect(value).not.toContain(network.folder)
    }
  })

  it('keeps nothing of the environment in its keeper', async () => {
    vi.stubEnv('NACRE_TEST_SECRET', 'sesame')
    const network = await startNetwork()
    await network.enter()
    for (const id of keepers(network.folder))
      expect(
        readFileSync(`/proc/${id}/environ`, 'utf8')
          .split('\0')
          .filter(Boolean)
          .map((word) => word.split('=')[0]),
      ).toEqual(expect.not.arrayContaining(['NACRE_TEST_SECRET', 'PATH', 'HOME']))
  })

  it('ends with all that is open', async () => {
    const { port } = await serve(page('never asked'))
    const network = await startNetwork((host) =>
      host === 'slow.test' ? new Promise(() => undefined) : Promise.resolve(true),
    )
    const open = await listening(createServer((socket) => void socket.on('error', () => undefined).write('hello')))
    const published = await freePort()
    const child = await startScript(
      network,
      `const { socket } = await tunnel('allowed.test:${open}'); socket.resume().on('error', () => undefined).on('close', () => say('closed'))
       get('http://slow.test:${port}/'); socks('allowed.test', ${open}); say('open')`,
    )
    await network.publish(published)
    await vi.waitFor(() => expect(network.asked.length).toBe(3), PATIENT)
    const ids = keepers(network.folder)
    expectRunning(ids)
    const closed = once(child.stdout, 'data')
    await network.close()
    expect(String((await closed)[0])).toBe('closed')
    expectEnded(ids)
    expect([await readdir(network.folder), network.published(), await ask(published)]).toEqual([[], [], 'nobody'])
    await expect(network.enter()).rejects.toThrow('The network for commands was closed')
    await network.close()
  })

  it('is made anew for the next command when its keeper has died', async () => {
    const { port } = await serve(page('yes'))
    const network = await startNetwork()
    const { prefix } = await network.enter()
    const ids = keepers(network.folder)
    for (const id of ids) process.kill(id, 'SIGKILL')
    await vi.waitFor(async () => expect(keepers(network.folder).filter((id) => ids.includes(id))).toEqual([]), PATIENT)
    await vi.waitFor(
      async () => expect(await script(network, `say(await get('http://allowed.test:${port}/'))`)).toBe('200 yes'),
      PATIENT,
    )
    expect(keepers(network.folder).length).toBe(2)
    expect(prefix[0]).toMatch(/nsenter$/)
  })

  it('leaves nothing when its owner is killed', async () => {
    const folder = await temporaryFolder()
    const outDir = await temporaryFolder()
    const source = fileURLToPath(new URL('../../src/sandbox/network.ts', import.meta.url))
    await build({
      ...{ entry: { network: source }, outDir, noExternal: [/./], target: 'node20', silent: true, config: false },
      ...{ format: 'esm', outExtension: () => ({ js: '.mjs' }) },
      esbuildOptions(esbuild) {
        esbuild.conditions = ['@nacre/source']
        esbuild.banner = {
          js: `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)`,
        }
      },
    })
    const owner = `
      import { cageNetwork } from ${JSON.stringify(join(outDir, 'network.mjs'))}
      const network = cageNetwork({ folder: ${JSON.stringify(folder)}, bubblewrap: ${JSON.stringify(bubblewrap)}, allows: async () => true })
      await network.enter()
      setInterval(() => undefined, 1000)
      console.log('entered')`
    const child = spawn(process.execPath, ['--input-type=module', '-e', owner], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(child.stdout, 'data')
    const ids = keepers(folder)
    expectRunning(ids)
    expect(ids.length).toBe(2)
    child.kill('SIGKILL')
    await vi.waitFor(() => expectEnded(ids), PATIENT)
  })

  it('needs a folder whose path has room for a socket', async () => {
    const folder = join(await temporaryFolder(), 'a'.repeat(100))
    const network = cageNetwork({ folder, bubblewrap, allows: async () => true })
    await expect(network.enter()).rejects.toThrow('is too long for sockets. Set TMPDIR to a folder with a short path.')
  })

  it('works in a folder with spaces and quotes', async () => {
    const folder = join(await realpath(await temporaryFolder()), `a 'b' "c"`)
    await mkdir(folder)
    const network = cageNetwork({ folder, bubblewrap, allows: async () => 'no' })
    expect(await script(network, `say(await get('http://a.test/'))`)).toMatch(/^403/)
    await network.close()
  })
})

describe.runIf(process.platform === 'linux')('the network of a session that can not be made', () => {
  it('says that bubblewrap is missing', async () => {
    const network = cageNetwork({
      folder: await temporaryFolder(),
      bubblewrap: '/nowhere/bwrap',
      allows: async () => true,
    })
    await expect(network.enter()).rejects.toThrow(/ENOENT.*Install the package bubblewrap/)
    await expect(network.enter()).rejects.toThrow(/ENOENT/)
    await network.close()
  })

  it('says what bubblewrap has said', async () => {
    const network = cageNetwork({ folder: await temporaryFolder(), bubblewrap: '/bin/false', allows: async () => true })
    await expect(network.enter()).rejects.toThrow('bubblewrap made no network for commands')
    await network.close()
  })
})
