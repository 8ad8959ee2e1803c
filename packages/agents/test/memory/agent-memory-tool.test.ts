import { execFileSync } from 'node:child_process'
import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ToolContext } from '@nacre/core'
import { describe, expect, it } from 'vitest'
import { agentMemoryTool } from '../../src/memory/agent-memory.js'
import { put, temporaryFolder } from '../definitions/temporary-folder.js'

const isWindows = process.platform === 'win32'
const { signal } = new AbortController()
const context: ToolContext = { callId: 'call', cwd: '/', signal, progress: () => undefined }

/** Runs the tool as a session does: the input is parsed first. */
async function run(folder: string, input: unknown, over: Partial<ToolContext> = {}): Promise<string> {
  const tool = agentMemoryTool(folder)
  const { content } = await tool.run(tool.schema.parse(input), { ...context, ...over })
  return content.map(({ text }) => String(text)).join('\n')
}

describe('the tool', () => {
  it('reads with view and changes with everything else', () => {
    const { name, schema, isReadOnly, isConcurrencySafe } = agentMemoryTool('/memory')
    expect(name).toBe('AgentMemory')
    expect(schema.json).toMatchObject({ type: 'object', required: ['command'] })
    expect(JSON.stringify(schema.json)).not.toContain('$schema')
    for (const command of ['view', 'write', 'append', 'replace', 'delete']) {
      expect(isReadOnly({ command })).toBe(command === 'view')
      expect(isConcurrencySafe({ command })).toBe(command === 'view')
    }
  })

  it.each([
    [{ command: 'write', file: 'a.md' }, 'write needs it'],
    [{ command: 'append', content: 'x' }, 'append needs it'],
    [{ command: 'replace', file: 'a.md', old_string: 'x' }, 'replace needs it'],
    [{ command: 'replace', file: 'a.md', old_string: '', new_string: 'x' }, 'old_string'],
    [{ command: 'delete' }, 'delete needs it'],
    [{ command: 'move' }, 'command'],
    [{ command: 'view', offset: 0 }, 'offset'],
  ])('takes no %j', (input, message) => {
    expect(() => agentMemoryTool('/memory').schema.parse(input)).toThrow(message)
  })
})

describe('view', () => {
  it('lists what there is, in folders too, and leaves out what is not memory', async () => {
    const folder = await temporaryFolder()
    expect(await run(join(folder, 'none'), { command: 'view' })).toContain('no files yet')
    expect(await run(folder, { command: 'view' })).toContain('no files yet')
    await put(folder, 'topics/b.txt', 'bb')
    await put(folder, 'MEMORY.md', 'x')
    await put(folder, '.tmp-left', 'x')
    await put(folder, '.hidden/c.md', 'x')
    await put(folder, 'picture.png', 'x')
    expect(await run(folder, { command: 'view' })).toBe(
      `Files in ${folder}:\nMEMORY.md (1 byte)\ntopics/b.txt (2 bytes)`,
    )
  })

  it('gives lines with their numbers, from an offset and up to a limit', async () => {
    const folder = await temporaryFolder()
    await put(folder, 'a.md', 'one\r\ntwo\n\nfour\n')
    expect(await run(folder, { command: 'view', file: 'a.md' })).toBe('1\tone\n2\ttwo\n3\t\n4\tfour')
    expect(await run(folder, { command: 'view', file: 'a.md', offset: 2, limit: 1 })).toBe(
      '2\ttwo\n(Lines 2 to 2 of 4. The next are at offset 3.)',
    )
    await expect(run(folder, { command: 'view', file: 'a.md', offset: 5 })).rejects.toThrow('there is no line 5')
    await expect(run(folder, { command: 'view', file: 'b.md' })).rejects.toThrow('There is no b.md')
    await put(folder, 'c.md', '')
    expect(await run(folder, { command: 'view', file: 'c.md' })).toBe('c.md is empty.')
  })

  it('gives as much as a result should have, and says where the rest is', async () => {
    const folder = await temporaryFolder()
    await put(folder, 'a.md', `${'x'.repeat(45_000)}\n${'short line\n'.repeat(20_000)}`)
    const first = await run(folder, { command: 'view', file: 'a.md' })
    expect(first.length).toBeLessThan(51_000)
    expect(first).toContain('[the line goes on: 45000 characters in all]')
    const next = Number(/next are at offset (\d+)/.exec(first)?.[1])
    expect(await run(folder, { command: 'view', file: 'a.md', offset: next })).toMatch(
      new RegExp(`^${next}\tshort line`),
    )
  })
})

describe('a change', () => {
  it('writes, appends, replaces and deletes', async () => {
    const folder = join(await temporaryFolder(), 'new', 'memory')
    const text = () => readFile(join(folder, 'topics/a.md'), 'utf8')
    expect(await run(folder, { command: 'write', file: 'topics/a.md', content: 'one' })).toBe(
      'topics/a.md is written: 1 line, 3 bytes.',
    )
    await run(folder, { command: 'append', file: 'topics/a.md', content: 'two $& two\n' })
    expect(await text()).toBe('one\ntwo $& two\n')
    await run(folder, { command: 'replace', file: 'topics/a.md', old_string: 'one', new_string: "$' $&" })
    expect(await text()).toBe("$' $&\ntwo $& two\n")
    await run(folder, { command: 'append', file: 'topics/b.md', content: 'new' })
    expect(await run(folder, { command: 'delete', file: 'topics/a.md' })).toBe('topics/a.md is deleted.')
    expect(await readdir(join(folder, 'topics'))).toEqual(['b.md'])
    if (!isWindows) expect((await stat(join(folder, 'topics/b.md'))).mode & 0o777).toBe(0o600)
  })

  it('replaces only what is there exactly once', async () => {
    const folder = await temporaryFolder()
    await put(folder, 'a.md', 'aaa b')
    const replace = (file: string, old_string: string) =>
      run(folder, { command: 'replace', file, old_string, new_string: 'x' })
    await expect(replace('a.md', 'c')).rejects.toThrow('is not in a.md')
    await expect(replace('a.md', 'aa')).rejects.toThrow('more than once')
    await expect(replace('b.md', 'a')).rejects.toThrow('There is no b.md')
    await expect(run(folder, { command: 'delete', file: 'b.md' })).rejects.toThrow('There is no b.md')
    expect(await readFile(join(folder, 'a.md'), 'utf8')).toBe('aaa b')
  })

  it('of the index is done and says with numbers when it is over its limits', async () => {
    const folder = await temporaryFolder()
    const content = 'line\n'.repeat(200)
    expect(await run(folder, { command: 'write', file: 'MEMORY.md', content })).not.toContain('limits')
    const result = await run(folder, { command: 'append', file: 'MEMORY.md', content: 'one more' })
    expect(result).toContain('MEMORY.md has 201 lines and 1008 bytes; only its first 200 lines')
    expect(result).toContain('200 lines and 25600 bytes')
    expect((await readFile(join(folder, 'MEMORY.md'), 'utf8')).endsWith('one more')).toBe(true)
    const long = { command: 'write', file: 'MEMORY.md', content: 'x\n'.repeat(3) + 'y'.repeat(26_000) }
    expect(await run(folder, long)).toContain('only its first 3 lines')
    expect(await run(folder, { ...long, file: 'other.md' })).not.toContain('limits')
  })

  it('keeps no more than 1 MB, and leaves what was there', async () => {
    const folder = await temporaryFolder()
    const content = 'x'.repeat(600_000)
    await run(folder, { command: 'write', file: 'a.md', content })
    await expect(run(folder, { command: 'append', file: 'a.md', content })).rejects.toThrow('1200001 bytes')
    expect((await stat(join(folder, 'a.md'))).size).toBe(600_000)
    await put(folder, 'b.md', 'x'.repeat(1_000_001))
    await expect(run(folder, { command: 'view', file: 'b.md' })).rejects.toThrow('at most 1000000')
  })

  it('spoils nothing that is no text', async () => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'a.md'), Buffer.from([0xff, 0xfe, 0x41]))
    await expect(run(folder, { command: 'append', file: 'a.md', content: 'x' })).rejects.toThrow('not text in UTF-8')
    expect(await readFile(join(folder, 'a.md'))).toEqual(Buffer.from([0xff, 0xfe, 0x41]))
    await run(folder, { command: 'write', file: 'a.md', content: 'x' })
    expect(await readFile(join(folder, 'a.md'), 'utf8')).toBe('x')
  })

  it('loses none of many that come at once, and leaves nothing half-written', async () => {
    const folder = await temporaryFolder()
    const numbers = Array.from({ length: 30 }, (_, index) => index)
    await Promise.all(numbers.map((number) => run(folder, { command: 'append', file: 'a.md', content: `${number}\n` })))
    expect(await readFile(join(folder, 'a.md'), 'utf8')).toBe(numbers.map((number) => `${number}\n`).join(''))
    expect(await readdir(folder)).toEqual(['a.md'])
  })

  it('that was aborted is not made, and those behind it are', async () => {
    const folder = await temporaryFolder()
    const aborted = run(folder, { command: 'write', file: 'a.md', content: 'x' }, { signal: AbortSignal.abort() })
    const next = run(folder, { command: 'write', file: 'b.md', content: 'x' })
    await expect(aborted).rejects.toThrow()
    await next
    expect(await readdir(folder)).toEqual(['b.md'])
  })
})

describe('nothing outside of the folder', () => {
  it.each([
    '/etc/passwd.md',
    '../up.md',
    'a/../../up.md',
    'a/./b.md',
    './a.md',
    'a//b.md',
    '',
    'C:\\up.md',
    'C:up.md',
    '..\\up.md',
    '.hidden.md',
    '.git/a.md',
    'a\0.md',
    'a\n.md',
    'program.sh',
    'no-ending',
    `${'x'.repeat(300)}.md`,
    `${'d/'.repeat(20)}a.md`,
  ])('is reached by %j', async (file) => {
    const folder = join(await temporaryFolder(), 'memory')
    await put(folder, '../up.md', 'up')
    for (const input of [
      { command: 'view', file },
      { command: 'write', file, content: 'x' },
      { command: 'append', file, content: 'x' },
      { command: 'replace', file, old_string: 'up', new_string: 'x' },
      { command: 'delete', file },
    ]) {
      await expect(run(folder, input)).rejects.toThrow(/is not a (file of your memory|text)/)
    }
    expect(await readFile(join(folder, '../up.md'), 'utf8')).toBe('up')
  })

  it.skipIf(isWindows)('is reached by links, of files, of folders, and of the memory itself', async () => {
    const [folder, other] = [await temporaryFolder(), await temporaryFolder()]
    const secret = await put(other, 'secret.md', 'secret')
    await symlink(secret, join(folder, 'file.md'))
    await symlink(other, join(folder, 'folder'))
    await symlink(join(other, 'new.md'), join(folder, 'dangling.md'))
    const places = [
      [folder, 'file.md'],
      [folder, 'folder/secret.md'],
      [folder, 'folder/new.md'],
      [folder, 'dangling.md'],
      [join(folder, 'folder'), 'secret.md'],
    ] as const
    for (const [at, file] of places) {
      for (const input of [{ command: 'view' }, { command: 'write', content: 'x' }, { command: 'delete' }]) {
        await expect(run(at, { ...input, file })).rejects.toThrow('is a link')
      }
    }
    expect(await run(folder, { command: 'view' })).toContain('no files yet')
    expect(await run(join(folder, 'folder'), { command: 'view' })).toContain('no files yet')
    expect(await readFile(secret, 'utf8')).toBe('secret')
    expect(await readdir(other)).toEqual(['secret.md'])
  })

  it.skipIf(isWindows)('keeps the tool waiting: it reads regular files only', async () => {
    const folder = await temporaryFolder()
    execFileSync('mkfifo', [join(folder, 'pipe.md')])
    await mkdir(join(folder, 'folder.md'))
    for (const file of ['pipe.md', 'folder.md']) {
      for (const input of [{ command: 'view' }, { command: 'write', content: 'x' }, { command: 'delete' }]) {
        await expect(run(folder, { ...input, file })).rejects.toThrow('is in the way')
      }
    }
    await put(folder, 'file.md', 'x')
    const below = { command: 'write', file: 'file.md/a.md', content: 'x' }
    await expect(run(folder, below)).rejects.toThrow('it is not a folder')
  })
})
