import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Message } from '../../src/messages/mailbox.js'
import { type ListenOptions, listenForMessages, sendToSocket, socketPath } from '../../src/messages/socket.js'
import { mustHaveSockets } from '../../src/messages/socket-file.js'
import { bundleChild } from './bundle-child.js'
import { message, newFolder } from './mail-logs.js'

const scripts = newFolder()
let script = ''
beforeAll(async () => {
  script = await bundleChild('listener', scripts.folder)
  // For the second user too.
  chmodSync(scripts.folder, 0o755)
})
afterAll(scripts.remove)

function runtimeFolder(): string {
  const { folder, remove } = newFolder()
  onTestFinished(remove)
  return join(folder, 'run')
}

async function listen(options: Partial<ListenOptions> = {}) {
  const path = options.path ?? socketPath({ session: 'one', runtimeFolder: runtimeFolder() })
  const received: Message[] = []
  const receive = async (each: Message) => void received.push(each)
  const listener = await listenForMessages({ receive, ...options, path })
  onTestFinished(() => listener.close())
  return { path, received, listener }
}

/** A process of its own that listens. */
async function listeningChild(path: string, user: { uid?: number; gid?: number } = {}) {
  const child: ChildProcessByStdio<Writable, Readable, null> = spawn(process.execPath, [script, path], {
    stdio: ['pipe', 'pipe', 'inherit'],
    ...user,
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const closed = once(child, 'close')
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const line = async () => (await lines.next()).value ?? 'gone'
  expect(await line()).toBe('ready')
  const kill = () => {
    child.kill('SIGKILL')
    return closed
  }
  const end = () => {
    child.stdin.end()
    return closed
  }
  return { line, kill, end }
}

/** Says something, and gives all that is answered until the other hangs up. */
async function say(path: string, said: string | Buffer): Promise<string> {
  const socket = connect(path)
  let answer = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    answer += chunk
  })
  socket.on('error', () => undefined).end(said)
  await once(socket, 'close')
  return answer
}

/** Receives what it is given when it is told to. */
function slowReceiver() {
  let finish: () => void = () => undefined
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  return { receive: vi.fn((_: Message) => finished), finish }
}

const hello = message('me', 'you', 'id-1', { text: 'ü\n', parts: [1] })

describe('the place of a socket', () => {
  it('is named by a hash of the session, in the folder for what runs', () => {
    vi.stubEnv('XDG_RUNTIME_DIR', '/run/user/7')
    onTestFinished(() => void vi.unstubAllEnvs())
    expect(socketPath({ session: 'one' })).toBe('/run/user/7/nacre/7692c3ad3540bb80.sock')
    vi.stubEnv('XDG_RUNTIME_DIR', '')
    expect(dirname(socketPath({ session: 'one' }))).toBe(join(tmpdir(), `nacre-${process.getuid?.()}`))
  })

  it('is short enough for a socket whatever the folder is, and another one for another folder', () => {
    const folders = ['é'.repeat(60), 'x'.repeat(300)].map((name) => `/home/${name}`)
    const paths = folders.flatMap((folder) =>
      ['one', 'two'].map((session) => socketPath({ session, runtimeFolder: folder })),
    )
    expect(new Set(paths).size).toBe(4)
    for (const path of paths) expect(Buffer.byteLength(path)).toBeLessThanOrEqual(103)
  })

  it('is made for its user alone', async () => {
    const { path } = await listen()
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700)
  })

  it('is refused if its folder is a link, or others can get into it', async () => {
    const folder = runtimeFolder()
    mkdirSync(folder, { mode: 0o700 })
    const link = `${folder}-link`
    symlinkSync(folder, link)
    await expect(listen({ path: join(link, 'a.sock') })).rejects.toMatchObject({
      code: 'BLOCKED',
      message: expect.stringContaining('is a link'),
    })
    chmodSync(folder, 0o755)
    await expect(listen({ path: join(folder, 'a.sock') })).rejects.toThrow('chmod 700')
    expect(readdirSync(folder)).toEqual([])
  })

  it('is nowhere on Windows', () => {
    expect(() => mustHaveSockets('win32')).toThrow('Sessions on Windows')
  })
})

describe('a message to a socket', () => {
  it('arrives as it was sent', async () => {
    const { path, received } = await listen()
    await sendToSocket(path, hello)
    expect(received).toEqual([hello])
  })

  it('arrives in another process', async () => {
    const path = socketPath({ session: 'one', runtimeFolder: runtimeFolder() })
    const child = await listeningChild(path)
    await sendToSocket(path, hello)
    expect(await child.line()).toBe('id-1')
    await child.end()
    expect(readdirSync(dirname(path))).toEqual([])
  })

  it('is acknowledged only after it was received', async () => {
    const { receive, finish } = slowReceiver()
    const { path } = await listen({ receive })
    const onSent = vi.fn()
    const sent = sendToSocket(path, hello).then(onSent)
    await vi.waitFor(() => expect(receive).toHaveBeenCalledOnce())
    // Another one goes its whole way meanwhile.
    expect(await say(path, 'garbage\n')).toContain('error')
    expect(onSent).not.toHaveBeenCalled()
    finish()
    await sent
    expect(onSent).toHaveBeenCalledOnce()
  })

  it('is not acknowledged if receiving failed, and may come again', async () => {
    const receive = vi.fn().mockRejectedValueOnce(new Error('disk full')).mockResolvedValue(undefined)
    const report = vi.fn()
    const { path } = await listen({ receive, report })
    await expect(sendToSocket(path, hello)).rejects.toMatchObject({
      code: 'NETWORK',
      message: expect.stringContaining('disk full'),
    })
    expect(report).toHaveBeenCalledOnce()
    await sendToSocket(path, hello)
    expect(receive).toHaveBeenCalledTimes(2)
  })

  it('with the same id is received once and acknowledged each time, also while it is being received', async () => {
    const { path, received } = await listen()
    await Promise.all([sendToSocket(path, hello), sendToSocket(path, hello)])
    await sendToSocket(path, hello)
    await sendToSocket(path, { ...hello, id: 'id-2' })
    expect(received.map(({ id }) => id)).toEqual(['id-1', 'id-2'])
  })

  it('is received beside many others', async () => {
    const { path, received } = await listen()
    const ids = Array.from({ length: 50 }, (_, index) => `id-${index}`)
    await Promise.all(ids.map((id) => sendToSocket(path, { ...hello, id })))
    expect(received.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
  })

  it('of almost a megabyte arrives, and a longer one is refused before it is sent', async () => {
    const { path, received } = await listen()
    await sendToSocket(path, { ...hello, body: 'x'.repeat(999_000) })
    await expect(sendToSocket(path, { ...hello, body: 'x'.repeat(1_000_000) })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
    })
    expect(received).toHaveLength(1)
  })

  it('is given up when it takes too long or is stopped', async () => {
    const { receive, finish } = slowReceiver()
    const { path } = await listen({ receive })
    await expect(sendToSocket(path, hello, { timeout: 20 })).rejects.toMatchObject({
      code: 'NETWORK',
      message: expect.stringContaining('said nothing for 20 ms. Send it again'),
    })
    const stop = new AbortController()
    const sent = sendToSocket(path, { ...hello, id: 'id-2' }, { signal: stop.signal })
    await vi.waitFor(() => expect(receive.mock.calls.at(-1)?.[0].id).toBe('id-2'))
    stop.abort()
    await expect(sent).rejects.toMatchObject({ code: 'ABORTED' })
    await expect(sendToSocket(path, hello, { signal: stop.signal })).rejects.toMatchObject({ code: 'ABORTED' })
    finish()
  })

  it('that is not received in time is not acknowledged, and arrives once if it is sent again', async () => {
    const { receive, finish } = slowReceiver()
    const { path } = await listen({ receive, timeout: 500 })
    await expect(sendToSocket(path, hello)).rejects.toThrow('Not acknowledged within 500 ms')
    finish()
    await sendToSocket(path, hello)
    expect(receive).toHaveBeenCalledOnce()
  })

  it('to one who hangs up or talks nonsense is rejected with what to do', async () => {
    const folder = runtimeFolder()
    mkdirSync(folder, { mode: 0o700 })
    const path = join(folder, 'odd.sock')
    const answers = ['', 'nonsense\n', '{"ok":true,"id":"another"}\n', 'null\n']
    const server = createServer((socket) => void socket.once('data', () => socket.end(answers.shift() ?? '')))
    onTestFinished(() => void server.close())
    await new Promise<void>((resolve) => server.listen(path, resolve))
    await expect(sendToSocket(path, hello)).rejects.toThrow(/broke .* Send it again/)
    for (let count = 0; count < 3; count++) {
      await expect(sendToSocket(path, hello)).rejects.toMatchObject({ code: 'NETWORK' })
    }
  })
})

describe('a listener', () => {
  it.each([
    ['no JSON', 'garbage\n'],
    ['no object', '[1]\n'],
    ['null', 'null\n'],
    ['a message without a body', '{"id":"1","from":"a","to":"b","time":1}\n'],
    ['bytes that are no text', Buffer.from([0xff, 0xfe, 0, 10])],
    ['an empty line', '\n'],
    ['nothing', ''],
    ['half a line', '{"id":'],
  ])('answers %s with an error, and goes on', async (_, said) => {
    const { path, received } = await listen()
    const answer = await say(path, said)
    expect(JSON.parse(answer)).toEqual({ error: expect.any(String) })
    expect(answer.endsWith('\n')).toBe(true)
    await sendToSocket(path, hello)
    expect(received).toHaveLength(1)
  })

  it('answers a line that is too long with an error, however long it is', async () => {
    const { path, received } = await listen()
    for (const said of ['x'.repeat(8_000_000), `${'x'.repeat(1_000_001)}\n`]) {
      expect(JSON.parse(await say(path, said))).toEqual({ error: expect.stringContaining('at most 1000000 bytes') })
    }
    await sendToSocket(path, hello)
    expect(received).toHaveLength(1)
  })

  it('lets sixty-four in at once, and the next ones when there is room', async () => {
    const { path } = await listen()
    const silent = Array.from({ length: 64 }, () => connect(path))
    await Promise.all(silent.map((socket) => once(socket, 'connect')))
    await expect(sendToSocket(path, hello)).rejects.toMatchObject({ code: 'NETWORK' })
    for (const socket of silent) socket.destroy()
    await vi.waitFor(() => sendToSocket(path, hello))
  })

  it('lets nobody stay for long', async () => {
    const { path } = await listen({ timeout: 30 })
    const silent = connect(path)
    expect(await allSaid(silent)).toContain('Not acknowledged within 30 ms')
  })

  it('is the only one: a second one is refused while it lives', async () => {
    const { path, listener, received } = await listen()
    await expect(listen({ path })).rejects.toMatchObject({ code: 'SESSION_BUSY' })
    await sendToSocket(path, hello)
    expect(received).toHaveLength(1)
    await listener.close()
    expect(readdirSync(dirname(path))).toEqual([])
    await listen({ path })
  })

  it('is one of many who find a dead one at once', async () => {
    const path = socketPath({ session: 'one', runtimeFolder: runtimeFolder() })
    const child = await listeningChild(path)
    await child.kill()
    const attempts = await Promise.allSettled(Array.from({ length: 8 }, () => listen({ path })))
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await sendToSocket(path, hello)
  })

  it('takes no place of a file that is no socket', async () => {
    const folder = runtimeFolder()
    mkdirSync(folder, { mode: 0o700 })
    const path = join(folder, 'a.sock')
    writeFileSync(path, 'precious')
    await expect(listen({ path })).rejects.toMatchObject({ code: 'BLOCKED' })
    await expect(sendToSocket(path, hello, { runtimeFolder: folder })).rejects.toMatchObject({ code: 'BLOCKED' })
    expect(existsSync(path)).toBe(true)
  })

  it('answers those whose message it receives before it is closed', async () => {
    const { receive, finish } = slowReceiver()
    const { path, listener } = await listen({ receive })
    const idle = connect(path)
    await once(idle, 'connect')
    const sent = sendToSocket(path, hello)
    await vi.waitFor(() => expect(receive).toHaveBeenCalledOnce())
    const closed = listener.close()
    finish()
    await Promise.all([sent, closed])
    expect(existsSync(path)).toBe(false)
  })

  it('does not keep its process alive', async () => {
    const path = socketPath({ session: 'one', runtimeFolder: runtimeFolder() })
    const child = spawn(process.execPath, [script, path], { stdio: ['ignore', 'ignore', 'inherit'] })
    expect(await once(child, 'close')).toEqual([0, null])
  })
})

async function allSaid(socket: Socket): Promise<string> {
  let text = ''
  for await (const chunk of socket.setEncoding('utf8')) text += chunk
  return text
}

describe('a session that is gone', () => {
  it('is told from one that never was, and its socket is removed where our sessions have theirs', async () => {
    const folder = runtimeFolder()
    const path = socketPath({ session: 'one', runtimeFolder: folder })
    await expect(sendToSocket(path, hello)).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: expect.stringContaining('No session is at'),
    })
    const child = await listeningChild(path)
    await child.kill()
    const gone = { code: 'NOT_FOUND', message: expect.stringContaining('is gone: nobody listens there. Resume it') }
    await expect(sendToSocket(path, hello)).rejects.toMatchObject(gone)
    expect(existsSync(path)).toBe(true)
    await expect(sendToSocket(path, hello, { runtimeFolder: folder })).rejects.toMatchObject(gone)
    expect(readdirSync(folder)).toEqual([])
  })

  it('has its place taken by the next one that listens', async () => {
    const path = socketPath({ session: 'one', runtimeFolder: runtimeFolder() })
    const child = await listeningChild(path)
    await child.kill()
    const { received } = await listen({ path })
    await sendToSocket(path, hello)
    expect(received).toEqual([hello])
  })
})

const NOBODY = 65_534

// A test that is not run is named, and none is skipped in silence.
describe('another user', () => {
  if (process.getuid?.() === 0) return tryWithSecondUser()
  it('is not tried here with a second user: not root', () => expect(process.getuid?.()).not.toBe(0))
})

function tryWithSecondUser(): void {
  it('has a socket that is refused before anything is sent, also in a folder of ours', async () => {
    const { folder, remove } = newFolder()
    onTestFinished(remove)
    chownSync(folder, NOBODY, NOBODY)
    const path = join(folder, 'a.sock')
    const child = await listeningChild(path, { uid: NOBODY, gid: NOBODY })
    expect(statSync(path).uid).toBe(NOBODY)
    const refusal = { code: 'BLOCKED', message: expect.stringContaining('belongs to another user') }
    await expect(sendToSocket(path, hello)).rejects.toMatchObject(refusal)
    chownSync(folder, 0, 0)
    await expect(sendToSocket(path, hello)).rejects.toMatchObject(refusal)
    // Ours, in a folder whose owner can put another in its place.
    chownSync(folder, NOBODY, NOBODY)
    chownSync(path, 0, 0)
    await expect(sendToSocket(path, hello)).rejects.toMatchObject(refusal)
    await child.end()
    expect(await child.line()).toBe('gone')
  })

  it('has a folder in which listening is refused', async () => {
    const { folder, remove } = newFolder()
    onTestFinished(remove)
    chownSync(folder, NOBODY, NOBODY)
    await expect(listen({ path: join(folder, 'a.sock') })).rejects.toThrow(
      'belongs to another user. Set XDG_RUNTIME_DIR',
    )
    expect(readdirSync(folder)).toEqual([])
  })
}
