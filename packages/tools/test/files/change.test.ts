import { chmod, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { fileTools, textOf } from '../../src/index.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { toolContext } from '../support/tool-context.js'

async function workshop() {
  const folder = await temporaryFolder()
  const tools = fileTools()
  const run = (name: keyof typeof tools, input: object) => {
    const tool = tools[name]
    return tool.run(tool.schema.parse(input) as never, toolContext(folder))
  }
  const at = (name: string) => join(folder, name)
  return {
    folder,
    tools,
    at,
    run,
    content: (name: string) => readFile(at(name), 'utf8'),
    /** A file that was read. */
    async seen(name: string, content: string) {
      await writeFile(at(name), content)
      await run('read', { file_path: name })
    },
    edit: (old_string: string, new_string: string, more: object = {}) =>
      run('edit', { file_path: 'a.txt', old_string, new_string, ...more }),
  }
}

it('makes a new file with its folders, and may change it at once', async () => {
  const { run, content } = await workshop()
  const made = await run('write', { file_path: 'src/deep/a.txt', content: 'one\ntwo\n' })
  expect(made.isError).toBeUndefined()
  expect(textOf(made)).toMatch(/^Made .*src\/deep\/a\.txt: 2 lines\.$/)
  expect(textOf(await run('write', { file_path: 'b.txt', content: 'one' }))).toMatch(/b\.txt: 1 line\.$/)
  const edited = await run('edit', { file_path: 'src/deep/a.txt', old_string: 'two', new_string: 'three' })
  expect(edited.isError).toBeUndefined()
  expect(await content('src/deep/a.txt')).toBe('one\nthree\n')
})

it('does not replace a file that was not read', async () => {
  const { run, content, at } = await workshop()
  await writeFile(at('a.txt'), 'precious')
  for (const result of [
    await run('write', { file_path: 'a.txt', content: 'gone' }),
    await run('edit', { file_path: 'a.txt', old_string: 'precious', new_string: 'gone' }),
    await run('multiEdit', { file_path: 'a.txt', edits: [{ old_string: 'precious', new_string: 'gone' }] }),
  ]) {
    expect(result.isError).toBe(true)
    expect(textOf(result)).toMatch(/a\.txt was not read.*Read it before you change it/)
  }
  expect(await content('a.txt')).toBe('precious')
})

it('does not change a file that was changed since, even in the same instant and with the same size', async () => {
  const { run, seen, content, edit, at } = await workshop()
  await seen('a.txt', 'one')
  await writeFile(at('a.txt'), 'two')
  for (const result of [await edit('two', 'three'), await run('write', { file_path: 'a.txt', content: 'x' })]) {
    expect(result.isError).toBe(true)
    expect(textOf(result)).toMatch(/was changed since you have seen it.*Read it again/)
  }
  expect(await content('a.txt')).toBe('two')
})

it('minds the content and not the time: a file that was only touched is unchanged', async () => {
  const { seen, at, edit, content } = await workshop()
  await seen('a.txt', 'one')
  await writeFile(at('a.txt'), 'one')
  expect((await edit('one', 'two')).isError).toBeUndefined()
  expect(await content('a.txt')).toBe('two')
})

it('replaces exactly and shows the lines with their numbers, and people what went and came', async () => {
  const { seen, edit, tools, content } = await workshop()
  await seen('a.txt', 'a\nb\nc\nd\ne\nf\ng\nh\n')
  const result = await edit('d\ne', 'D\nE\nE2')
  expect(await content('a.txt')).toBe('a\nb\nc\nD\nE\nE2\nf\ng\nh\n')
  expect(textOf(result)).toContain('     4\tD\n     5\tE\n     6\tE2\n     7\tf')
  const input = tools.edit.schema.parse({ file_path: 'a.txt', old_string: 'd\ne', new_string: 'D' })
  expect(tools.edit.show(input, result)).toMatch(/a\.txt: 3 added, 2 removed\n@@ line 1 @@\n[\s\S]*-d\n-e\n\+D\n\+E/)
})

it('refuses a text that is there more than once, with the count and the lines', async () => {
  const { seen, edit, content } = await workshop()
  await seen('a.txt', 'x = 1\ny = 2\nx = 1\n')
  const result = await edit('x = 1', 'x = 2')
  expect(result.isError).toBe(true)
  expect(textOf(result)).toMatch(/2 times, at lines 1, 3.*replace_all/s)
  await edit('x = 1', 'x = 2', { replace_all: true })
  expect(await content('a.txt')).toBe('x = 2\ny = 2\nx = 2\n')
})

it('refuses a text whose places overlap: it is not known which one is meant', async () => {
  const { seen, edit, content } = await workshop()
  await seen('a.txt', '{\n}\n}\n}\n')
  expect(textOf(await edit('}\n}\n', 'x\n'))).toMatch(/2 times, at lines 2, 3/)
  expect(await content('a.txt')).toBe('{\n}\n}\n}\n')
  await edit('}\n}\n', 'x\n', { replace_all: true })
  expect(await content('a.txt')).toBe('{\nx\n}\n')
})

it('refuses a text that is not there, with the lines that come nearest', async () => {
  const { seen, edit } = await workshop()
  await seen('a.txt', 'function add(a, b) {\n    return a + b\n}\n')
  const result = await edit('  return a + c', 'return 0')
  expect(result.isError).toBe(true)
  expect(textOf(result)).toMatch(/not in the file\. The nearest lines are:\n[\s\S]* {5}2\t {4}return a \+ b/)
  expect(textOf(await edit('  return a + b\n  }', 'x'))).toMatch(/differs in white space only/)
  expect(textOf(await edit('     2\t    return a + b', 'x'))).toMatch(/line numbers/)
  expect(textOf(await edit('quite another thing', 'x'))).toMatch(/Read it again/)
  expect(textOf(await edit('\t\n\t', 'x'))).not.toMatch(/line numbers/)
})

it('refuses a change that changes nothing, and an empty text to replace', async () => {
  const { seen, edit } = await workshop()
  await seen('a.txt', 'one')
  expect(textOf(await edit('one', 'one'))).toMatch(/nothing would change/)
  expect(textOf(await edit('', 'one'))).toMatch(/old_string is empty/)
})

it('names a missing file, and how to make it', async () => {
  const { edit } = await workshop()
  expect(textOf(await edit('a', 'b'))).toMatch(/There is no file .*a\.txt\. A new one is made with Write/)
})

it('makes several edits in order, each in what the one before has left', async () => {
  const { seen, run, content } = await workshop()
  await seen('a.txt', 'one two')
  const edits = [
    { old_string: 'one', new_string: 'two' },
    { old_string: 'two two', new_string: 'three' },
  ]
  await run('multiEdit', { file_path: 'a.txt', edits })
  expect(await content('a.txt')).toBe('three')
})

it('makes none of several edits when one of them can not be made', async () => {
  const { seen, run, content } = await workshop()
  await seen('a.txt', 'one two')
  const edits = [
    { old_string: 'one', new_string: 'three' },
    { old_string: 'four', new_string: 'five' },
  ]
  const result = await run('multiEdit', { file_path: 'a.txt', edits })
  expect(result.isError).toBe(true)
  expect(textOf(result)).toMatch(/^Edit 2 of 2 can not be made, so none was\. old_string is not in the file/)
  expect(await content('a.txt')).toBe('one two')
})

it.skipIf(process.platform === 'win32')('keeps the mode of a file, and follows a link to the real one', async () => {
  const { folder, seen, run, at, content } = await workshop()
  await mkdir(at('real'))
  await seen('real/a.sh', '#!/bin/sh\nold\n')
  await chmod(at('real/a.sh'), 0o750)
  await symlink(join(folder, 'real', 'a.sh'), at('link.sh'))
  await run('edit', { file_path: 'link.sh', old_string: 'old', new_string: 'new' })
  expect(await content('real/a.sh')).toBe('#!/bin/sh\nnew\n')
  expect((await stat(at('real/a.sh'))).mode & 0o777).toBe(0o750)
  expect(await content('link.sh')).toBe('#!/bin/sh\nnew\n')
})

it('says what stands in the way of a new file', async () => {
  const { run, at } = await workshop()
  await writeFile(at('file'), '')
  const result = await run('write', { file_path: 'file/a.txt', content: 'x' })
  expect(textOf(result)).toMatch(/^file\/a\.txt: A part of the path is a file/)
})

it('leaves a character that the encoding of a file does not have to the model', async () => {
  const { run, at, edit } = await workshop()
  await writeFile(at('a.txt'), Buffer.from('Straße\n', 'latin1'))
  await run('read', { file_path: 'a.txt' })
  expect(textOf(await edit('Straße', '街'))).toMatch(/kept in latin1, which has no '街'/)
  await edit('Straße', 'Weg über')
  expect(await readFile(at('a.txt'))).toEqual(Buffer.from('Weg über\n', 'latin1'))
})

it.each([
  ['UTF-8 by its mark and latin1 by its text', [0xef, 0xbb, 0xbf, 0x61, 0xe9, 0x0a, 0x62]],
  ['UTF-16 with half a character at its end', [0xff, 0xfe, 0x61, 0, 0x62, 0, 0x63]],
])('changes no file whose other bytes would not survive: %s', async (_name, bytes) => {
  const { run, at, edit } = await workshop()
  await writeFile(at('a.txt'), Buffer.from(bytes))
  await run('read', { file_path: 'a.txt' })
  const result = await edit('b', 'c')
  expect(result.isError).toBe(true)
  expect(textOf(result)).toMatch(/a\.txt has bytes that are no (utf8|utf16le)/)
  expect([...(await readFile(at('a.txt')))]).toEqual(bytes)
})

it('asks before it writes, and not before it reads', async () => {
  const { tools, folder } = await workshop()
  const context = toolContext(folder)
  const change = { file_path: 'a.txt', old_string: 'a', new_string: 'b', replace_all: false }
  expect(await tools.edit.check?.(change, context)).toEqual({ verdict: 'ask', reason: 'It would write to a.txt.' })
  expect(await tools.write.check?.({ file_path: 'a.txt', content: '' }, context)).toMatchObject({ verdict: 'ask' })
  expect(await tools.multiEdit.check?.({ file_path: 'a.txt', edits: [change] }, context)).toMatchObject({
    verdict: 'ask',
  })
  expect(tools.read.check).toBeUndefined()
  expect(tools.edit.isReadOnly(change) || tools.edit.isConcurrencySafe(change)).toBe(false)
  const { notebookEdit, ...others } = tools
  expect(Object.values(others).every(({ isCompactable }) => isCompactable)).toBe(true)
  // What was done to a notebook stays in view: its file tells it less plainly than other files do.
  expect(notebookEdit.isCompactable ?? false).toBe(false)
})

it('says only that a file is unchanged when it is read again, and reads it when it is not', async () => {
  const { run, seen, at, edit } = await workshop()
  await seen('a.txt', 'one\ntwo\n')
  expect(textOf(await run('read', { file_path: 'a.txt' }))).toMatch(/unchanged since you read it/)
  expect(textOf(await run('read', { file_path: 'a.txt', offset: 2 }))).toBe('     2\ttwo')
  await edit('two', 'three')
  expect(textOf(await run('read', { file_path: 'a.txt' }))).toBe('     1\tone\n     2\tthree')
  await writeFile(at('a.txt'), 'four')
  expect(textOf(await run('read', { file_path: 'a.txt' }))).toBe('     1\tfour')
})
