import { execFileSync } from 'node:child_process'
import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { builtInTypes } from '../../src/definitions/built-in.js'
import { findAgentTypes } from '../../src/definitions/definitions.js'
import { put, temporaryFolder } from './temporary-folder.js'

const isWindows = process.platform === 'win32'
const agent = (name: string, description = 'Helps.') => `---\nname: ${name}\ndescription: ${description}\n---\nHelp.\n`

describe('the types that are built in', () => {
  it('are there without any file', async () => {
    const { types, problems } = await findAgentTypes({})
    expect([...types.keys()]).toEqual(['explore', 'general', 'plan'])
    expect(problems).toEqual([])
  })

  it('change nothing but for the general one, which has all tools', () => {
    const [general, ...others] = builtInTypes
    expect(general).not.toHaveProperty('tools')
    expect(general).not.toHaveProperty('isReadOnly')
    expect(others.map(({ isReadOnly }) => isReadOnly)).toEqual([true, true])
  })

  it('give way to a file without a word', async () => {
    const home = await temporaryFolder()
    const file = await put(home, '.nacre/agents/explore.md', agent('explore', 'Mine.'))
    const { types, problems } = await findAgentTypes({ home })
    expect(types.get('explore')).toMatchObject({ description: 'Mine.', file })
    expect(problems).toEqual([])
  })
})

describe('of two types with one name', () => {
  it('the nearest wins, and the other one is told of', async () => {
    const [home, project] = [await temporaryFolder(), await temporaryFolder()]
    const places = [
      [home, '.claude'],
      [home, '.nacre'],
      [project, '.claude'],
      [project, '.nacre'],
    ] as const
    const files: string[] = []
    for (const [folder, name] of places) {
      files.push(await put(folder, `${name}/agents/a.md`, agent('a', `Number ${files.length}.`)))
      const { types, problems } = await findAgentTypes({ home, project })
      expect(types.get('a')?.file).toBe(files.at(-1))
      expect(problems.map(({ file, isRefused }) => [file, isRefused])).toEqual(
        files.slice(0, -1).map((file) => [file, false]),
      )
    }
  })

  it('the farther one stays where the nearer one is refused', async () => {
    const [home, project] = [await temporaryFolder(), await temporaryFolder()]
    const file = await put(home, '.claude/agents/a.md', agent('a'))
    await put(project, '.claude/agents/a.md', '---\nname: a\ndescription: b\nsandbox: strict\n---\n')
    expect((await findAgentTypes({ home, project })).types.get('a')?.file).toBe(file)
  })
})

describe('a project', () => {
  it('has no say unless it is given', async () => {
    const [home, project] = [await temporaryFolder(), await temporaryFolder()]
    await put(project, '.nacre/agents/a.md', agent('a'))
    expect((await findAgentTypes({ home })).types.has('a')).toBe(false)
    expect((await findAgentTypes({ home, project })).types.has('a')).toBe(true)
  })
})

describe('a folder of definitions', () => {
  it('may have others in it, and files that are none', async () => {
    const home = await temporaryFolder()
    await put(home, '.claude/agents/team/deep/a.md', agent('a'))
    await put(home, '.claude/agents/b.MD', '---\ndescription: Helps.\n---\nHelp.')
    await put(home, '.claude/agents/notes.txt', agent('c'))
    await put(home, '.claude/agents/d.md.bak', agent('d'))
    const { types, problems } = await findAgentTypes({ home })
    expect([...types.keys()]).toEqual(['a', 'b', 'explore', 'general', 'plan'])
    expect(problems).toEqual([])
  })

  it('may be missing, or a file', async () => {
    const home = await temporaryFolder()
    await put(home, '.claude/agents', 'not a folder')
    expect((await findAgentTypes({ home, project: join(home, 'none') })).types.size).toBe(3)
  })

  it('is read with a byte order mark and the line ends of Windows', async () => {
    const home = await temporaryFolder()
    const text = agent('a', 'Use when: asked').replace('Help.', 'One\nTwo')
    await put(home, '.claude/agents/a.md', `\uFEFF${text.replaceAll('\n', '\r\n')}`)
    const { types, problems } = await findAgentTypes({ home })
    expect(types.get('a')).toMatchObject({ description: 'Use when: asked', prompt: 'One\nTwo' })
    expect(problems).toEqual([])
  })

  it('leaves large files unread', async () => {
    const home = await temporaryFolder()
    await put(home, '.claude/agents/fits.md', agent('fits') + 'x'.repeat(250 * 1024))
    const file = await put(home, '.claude/agents/large.md', agent('large') + 'x'.repeat(256 * 1024))
    const { types, problems } = await findAgentTypes({ home })
    expect(types.has('fits')).toBe(true)
    expect(problems).toEqual([
      { file, line: 1, isRefused: true, message: expect.stringContaining('larger than 262144') },
    ])
  })

  it.skipIf(isWindows)('does not wait for a pipe', async () => {
    const home = await temporaryFolder()
    const folder = join(home, '.claude', 'agents')
    await mkdir(folder, { recursive: true })
    execFileSync('mkfifo', [join(folder, 'pipe.md')])
    await symlink(join(folder, 'pipe.md'), join(folder, 'linked.md'))
    const { problems } = await findAgentTypes({ home })
    expect(problems.map(({ message }) => message)).toEqual(Array(2).fill(expect.stringContaining('regular file')))
  })

  it.skipIf(isWindows)('is not left by links, neither of files nor of folders', async () => {
    const [home, other] = [await temporaryFolder(), await temporaryFolder()]
    const folder = join(home, '.claude', 'agents')
    await put(folder, 'own.md', agent('own'))
    const secret = await put(other, 'secret.md', agent('secret'))
    await symlink(secret, join(folder, 'linked.md'))
    await symlink(other, join(folder, 'team'))
    await symlink(folder, join(folder, 'itself'))
    await symlink(join(folder, 'own.md'), join(folder, 'same.md'))
    await symlink(join(folder, 'nowhere'), join(folder, 'dangling.md'))
    const { types, problems } = await findAgentTypes({ home })
    expect([...types.keys()]).toEqual(['explore', 'general', 'own', 'plan'])
    expect(problems.map(({ file, message }) => [file, message.replace(/ out of.*|: E.*/, '')])).toEqual([
      [join(folder, 'team'), 'It is a link'],
      [join(folder, 'dangling.md'), 'It can not be read'],
      [join(folder, 'linked.md'), 'It is a link'],
    ])
  })

  it('is not walked without end', async () => {
    const home = await temporaryFolder()
    const folder = join(home, '.claude', 'agents')
    await Promise.all(Array.from({ length: 2_100 }, (_, index) => mkdir(join(folder, `${index}`), { recursive: true })))
    const { problems } = await findAgentTypes({ home })
    expect(problems).toMatchObject([{ file: folder, message: expect.stringContaining('more than 2000') }])
  })
})
