import { execFileSync } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findSkills, skillFolders, skillTool, textOf } from '../../src/index.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { toolContext } from '../support/tool-context.js'
import { skillText, writeSkill } from './write-skill.js'

describe('a folder of skills', () => {
  it('gives what each SKILL.md says of itself, by name, whatever other fields there are', async () => {
    const folder = await temporaryFolder()
    await writeSkill(folder, 'b', skillText('release', 'Makes a\n  release.', 'Tag it.'))
    const odd = '---\nname: audit\ndescription: "Looks: closely"\nallowed-tools: [Read]\nlicense: MIT\n---\nLook.'
    await writeSkill(folder, 'a', `\uFEFF${odd.replaceAll('\n', '\r\n')}`)
    await writeFile(join(folder, 'README.md'), 'not a skill')
    await mkdir(join(folder, 'empty'))
    const { skills, problems } = await findSkills([folder])
    expect(problems).toEqual([])
    expect(skills).toMatchObject([
      { name: 'audit', description: 'Looks: closely', body: 'Look.', folder: join(folder, 'a') },
      { name: 'release', description: 'Makes a release.', body: 'Tag it.', file: join(folder, 'b', 'SKILL.md') },
    ])
  })

  it('lends its name, and the first words of the text, to a skill without', async () => {
    const folder = await temporaryFolder()
    await writeSkill(folder, 'deploy', '---\nversion: 2\n---\n# Deploy\n\nBrings it out.\nThen waits.')
    expect((await findSkills([folder])).skills).toMatchObject([{ name: 'deploy', description: 'Brings it out.' }])
  })

  it.each([
    ['nothing', '', 1, 'does not begin with front matter'],
    ['no front matter', '# Deploy', 1, 'does not begin with front matter'],
    ['no end', '---\nname: a\n', 1, 'has no end'],
    ['a colon too many', '---\nname: a\ndescription: use when: asked\n---\n', 3, 'is not YAML'],
    ['an open quote', '---\nname: a\nlicense: MIT\ndescription: "b\n---\n', 4, 'is not YAML'],
    ['a name twice', '---\nname: a\nname: b\n---\n', 3, 'unique'],
    ['a list', '---\n- a\n---\n', 2, 'not a list of fields'],
    ['a bomb', bomb(), 2, 'can not be read'],
    ['a way out as name', '---\nname: ../../etc\ndescription: b\n---\n', 1, 'is not a name'],
    ['dots in its name', '---\nname: a..b\ndescription: b\n---\n', 1, 'is not a name'],
    ['front matter without end', `---\n${'k: v\n'.repeat(5_000)}---\n`, 1, 'longer than'],
    ['nothing to go by', '---\nname: a\n---\n# Only a title', 1, 'no description'],
  ])('leaves a skill with %s out, and says in which line', async (_what, text, line, message) => {
    const folder = await temporaryFolder()
    const file = await writeSkill(folder, 'broken', text)
    await writeSkill(folder, 'whole', skillText('whole', 'Works.'))
    const { skills, problems } = await findSkills([folder])
    expect(problems).toEqual([{ file, line, message: expect.stringContaining(message) }])
    expect(skills.map(({ name }) => name)).toEqual(['whole'])
  })

  it('leaves a SKILL.md out that is no file, or too large', async () => {
    const folder = await temporaryFolder()
    await mkdir(join(folder, 'a', 'SKILL.md'), { recursive: true })
    await writeSkill(folder, 'b', skillText('b', 'Large.', 'x'.repeat(1_100_000)))
    const { skills, problems } = await findSkills([folder])
    expect(skills).toEqual([])
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringContaining('can not be read'),
      expect.stringContaining('larger than'),
    ])
  })

  it.skipIf(process.platform === 'win32')('does not wait for a SKILL.md that is a pipe', async () => {
    const folder = await temporaryFolder()
    await mkdir(join(folder, 'pipe'))
    execFileSync('mkfifo', [join(folder, 'pipe', 'SKILL.md')])
    const { problems } = await findSkills([folder])
    expect(problems).toMatchObject([{ message: expect.stringContaining('not a regular file') }])
  })

  it('gives descriptions without halves of characters', async () => {
    const folder = await temporaryFolder()
    await writeSkill(folder, 'a', '---\ndescription: "One \\uD83D half"\n---\nText.')
    await writeSkill(folder, 'b', skillText('b', `${'x'.repeat(1_023)}😀`))
    const { skills } = await findSkills([folder])
    expect(skills.map(({ description }) => description)).toEqual(['One \uFFFD half', 'x'.repeat(1_023)])
  })

  it.skipIf(process.platform === 'win32')('is not left by links, neither of folders nor of files', async () => {
    const [folder, other] = [await temporaryFolder(), await temporaryFolder()]
    await writeSkill(other, 'secret', skillText('secret', 'Is not yours.'))
    await symlink(join(other, 'secret'), join(folder, 'linked'))
    await mkdir(join(folder, 'own'))
    await symlink(join(other, 'secret', 'SKILL.md'), join(folder, 'own', 'SKILL.md'))
    await symlink(join(folder, 'nowhere'), join(folder, 'dangling'))
    await writeSkill(folder, 'real', skillText('real', 'Is here.'))
    await symlink(join(folder, 'real'), join(folder, 'same'))
    const { skills, problems } = await findSkills([folder])
    expect(skills.map(({ name }) => name)).toEqual(['real'])
    expect(problems.every(({ message }) => message.includes('link out of'))).toBe(true)
    expect(problems.map(({ file }) => file)).toEqual([
      join(folder, 'linked', 'SKILL.md'),
      join(folder, 'own', 'SKILL.md'),
    ])
  })

  it('that is not there has no skills', async () => {
    expect(await findSkills([join(await temporaryFolder(), 'none')])).toEqual({ skills: [], problems: [] })
  })
})

describe('of two skills with one name', () => {
  it('the nearest wins, and the other one is reported', async () => {
    const [far, near] = [await temporaryFolder(), await temporaryFolder()]
    const hidden = await writeSkill(far, 'deploy', skillText('deploy', 'Far.'))
    const file = await writeSkill(near, 'deploy', skillText('deploy', 'Near.'))
    const { skills, problems } = await findSkills([far, near])
    expect(skills).toMatchObject([{ name: 'deploy', description: 'Near.' }])
    expect(problems).toEqual([{ file: hidden, line: 1, message: expect.stringContaining(file) }])
  })
})

describe.skipIf(process.platform === 'win32')('the customary folders', () => {
  it('go from what is managed over the person to the project, and down to the working directory', async () => {
    const root = await temporaryFolder()
    await mkdir(join(root, '.git'))
    const folders = skillFolders(join(root, 'app'), '/home/ada')
    expect(folders.slice(1)).toEqual([
      '/home/ada/.claude/skills',
      '/home/ada/.nacre/skills',
      join(root, '.claude/skills'),
      join(root, '.nacre/skills'),
      join(root, 'app/.claude/skills'),
      join(root, 'app/.nacre/skills'),
    ])
  })

  it('go no further up than the project, where others may have put something', async () => {
    const folder = await temporaryFolder()
    const own = [join(folder, 'app', '.claude', 'skills'), join(folder, 'app', '.nacre', 'skills')]
    expect(skillFolders(join(folder, 'app'), '/home/ada').slice(3)).toEqual(own)
  })

  it('are each there once, also for a project in the home of the person', () => {
    const folders = skillFolders('/home/ada/app', '/home/ada')
    expect(new Set(folders).size).toBe(folders.length)
    expect(folders.indexOf('/home/ada/.nacre/skills')).toBeLessThan(folders.indexOf('/home/ada/app/.nacre/skills'))
  })
})

describe('the tool Skill', () => {
  const load = async (folder: string, input: object) => {
    const tool = skillTool(() => findSkills([folder]))
    const result = await tool.run(tool.schema.parse(input), toolContext('.'))
    return { text: textOf(result), isError: result.isError, shown: tool.show(tool.schema.parse(input), result) }
  }

  it('gives the text without front matter, with the folder and the arguments', async () => {
    const folder = await temporaryFolder()
    await writeSkill(folder, 'deploy', skillText('deploy', 'Brings it out.', 'Deploy $ARGUMENTS, then see run.sh.'))
    const { text, isError, shown } = await load(folder, { name: 'deploy', args: "$& to 'prod'" })
    expect(text).toBe(
      `Skill deploy. Files that it names are in ${join(folder, 'deploy')}.\n\nDeploy $& to 'prod', then see run.sh.`,
    )
    expect(isError).toBeUndefined()
    expect(shown).toBe('Loaded the skill deploy.')
  })

  it('says the arguments at the end of a text that has no place for them', async () => {
    const folder = await temporaryFolder()
    await writeSkill(folder, 'deploy', skillText('deploy', 'Brings it out.', 'Deploy.'))
    expect((await load(folder, { name: '/deploy', args: 'now' })).text).toMatch(/Deploy\.\n\nArguments: now$/)
    expect((await load(folder, { name: 'deploy' })).text).toMatch(/Deploy\.$/)
  })

  it.each(['../deploy', 'deploy/../deploy', '/etc', 'DEPLOY', '__proto__'])(
    'knows no skill %s and names those there are',
    async (name) => {
      const folder = await temporaryFolder()
      await writeSkill(folder, 'deploy', skillText('deploy', 'Brings it out.'))
      const { text, isError } = await load(folder, { name })
      expect(isError).toBe(true)
      expect(text).toContain('There are: deploy.')
    },
  )

  it('does not load what is for people', async () => {
    const folder = await temporaryFolder()
    await writeSkill(folder, 'wipe', '---\nname: wipe\ndescription: x\ndisable-model-invocation: true\n---\nWipe it.')
    expect(await load(folder, { name: 'wipe' })).toMatchObject({ isError: true })
    expect((await load(folder, { name: 'other' })).text).toContain('There are none at all.')
  })

  it('is never cleared, asks for no permission, and does not begin before an answer has ended', () => {
    const tool = skillTool(() => findSkills([]))
    const input = { name: 'deploy' }
    expect([tool.isCompactable, tool.isReadOnly(input), tool.isConcurrencySafe(input)]).toEqual([false, true, false])
    expect(tool.title({ name: 'deploy', args: 'now' })).toBe('Skill deploy now')
  })
})

function bomb(): string {
  const levels = Array.from({ length: 9 }, (_, level) =>
    level === 0
      ? 'a0: &a0 [x]'
      : `a${level}: &a${level} [${Array(9)
          .fill(`*a${level - 1}`)
          .join(', ')}]`,
  )
  return `---\n${levels.join('\n')}\n---\n`
}
