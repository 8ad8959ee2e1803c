import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPermissions, fileTools, textOf } from '../../src/index.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { toolContext } from '../support/tool-context.js'

/** As Jupyter writes one today: one blank for each level, sorted keys, a newline at the end. */
const MODERN = `{
 "cells": [
  {
   "cell_type": "markdown",
   "id": "intro",
   "metadata": {},
   "source": [
    "# Träume\\n",
    "of 1e3 pearls"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": 7,
   "id": "a1b2c3d4",
   "metadata": {"tags": [ "keep" ], "x": 1.0},
   "outputs": [
    {
     "data": { "text/plain": [ "42" ] },
     "execution_count": 7,
     "metadata": {},
     "output_type": "execute_result"
    }
   ],
   "source": [
    "6 * 7"
   ]
  }
 ],
 "metadata": {
  "kernelspec": {"name": "python3"}
 },
 "nbformat": 4,
 "nbformat_minor": 5
}
`
/** Of 2015: four blanks, no ids, sources as one text, Windows line ends, none at the end. */
const OLD = `{
    "nbformat_minor": 0,
    "cells": [
        {
            "source": "print('one')",
            "cell_type": "code",
            "outputs": [],
            "execution_count": null,
            "metadata": {}
        },
        {
            "source": "two",
            "cell_type": "markdown",
            "metadata": {}
        }
    ],
    "nbformat": 4,
    "metadata": {}
}`.replaceAll('\n', '\r\n')
const COMPACT =
  '{"cells":[{"cell_type":"raw","id":"r","metadata":{},"source":["x"]}],"metadata":{},"nbformat":4,"nbformat_minor":5}'
const EMPTY = '{\n "cells": [],\n "metadata": {},\n "nbformat": 4,\n "nbformat_minor": 5\n}\n'

type Input = Readonly<Record<string, unknown>>

/** Reads a notebook, edits it, and gives what is on disk then. */
async function edited(text: string, ...inputs: readonly Input[]) {
  const folder = await temporaryFolder()
  const path = join(folder, 'work.ipynb')
  await writeFile(path, text)
  const { read, notebookEdit } = fileTools()
  await read.run({ file_path: path }, toolContext(folder))
  const said: string[] = []
  for (const input of inputs) {
    const parsed = notebookEdit.schema.parse({ notebook_path: path, ...input })
    const result = await notebookEdit.run(parsed, toolContext(folder))
    said.push(textOf(result), notebookEdit.show(parsed, result))
  }
  return { text: await readFile(path, 'utf8'), said }
}

it('shows an output image that is too large by its size alone', async () => {
  const folder = await temporaryFolder()
  const image = (data: string) => ({ output_type: 'display_data', data: { 'image/png': data } })
  const cell = {
    cell_type: 'code',
    id: 'big',
    source: 'plot()',
    outputs: [image('A'.repeat(6_000_000)), image('iVBORw0K')],
  }
  await writeFile(join(folder, 'a.ipynb'), JSON.stringify({ cells: [cell], nbformat: 4, nbformat_minor: 5 }))
  const { content } = await fileTools().read.run({ file_path: 'a.ipynb' }, toolContext(folder))
  expect(content.map(({ type }) => type)).toEqual(['text', 'text', 'image'])
  expect(content[0]).toMatchObject({ text: expect.stringContaining('<cell number="1" type="code" id="big">') })
  expect(content[1]).toMatchObject({ text: expect.stringContaining('4500000 bytes: it is too large') })
})

/** What is said of an edit that is not made; the file is as it was. */
async function failing(text: string, input: Input): Promise<string> {
  const done = await edited(text, input).catch(({ message }: Error) => ({ text, said: [message] }))
  expect(done.text).toBe(text)
  return done.said[0] ?? ''
}

describe('NotebookEdit', () => {
  it('replaces a source, clears the outputs of that cell, and touches no other character', async () => {
    const { text, said } = await edited(MODERN, { cell_id: 'a1b2c3d4', new_source: 'x = 1\nx + 1' })
    const [start, end] = [MODERN.indexOf('"execution_count": 7'), MODERN.indexOf('\n  }\n ],\n "metadata"')]
    expect(text.slice(0, start)).toBe(MODERN.slice(0, start))
    expect(text.endsWith(MODERN.slice(end))).toBe(true)
    expect(text.slice(start, -MODERN.slice(end).length)).toBe(
      `"execution_count": null,
   "id": "a1b2c3d4",
   "metadata": {"tags": [ "keep" ], "x": 1.0},
   "outputs": [],
   "source": [
    "x = 1\\n",
    "x + 1"
   ]`,
    )
    expect(said[0]).toMatch(
      /^Replaced the source of cell 2 \(id a1b2c3d4\) and cleared its outputs in .*work\.ipynb\. It now has:/,
    )
    expect(said[1]).toMatch(/\bwork\.ipynb: \d+ added, \d+ removed[\s\S]*-.*6 \* 7[\s\S]*\+.*x \+ 1/)
  })

  it('keeps the way in which an old notebook is written', async () => {
    const { text } = await edited(OLD, { cell_number: 2, new_source: 'zwei\ndrei' })
    expect(text).toBe(OLD.replace('"two"', '"zwei\\ndrei"'))
    const inserted = await edited(OLD, {
      edit_mode: 'insert',
      cell_number: 1,
      new_source: 'new',
      cell_type: 'markdown',
    })
    const made = `        {
            "cell_type": "markdown",
            "metadata": {},
            "source": [
                "new"
            ]
        },\n`.replaceAll('\n', '\r\n')
    const place = OLD.indexOf('        {\r\n            "source": "two"')
    expect(inserted.text).toBe(OLD.slice(0, place) + made + OLD.slice(place))
  })

  it('gives a new cell an id from 4.5 on, and puts it first where no cell is named', async () => {
    const { text, said } = await edited(
      MODERN,
      { edit_mode: 'insert', new_source: '1\n' },
      { edit_mode: 'insert', cell_id: 'a1b2c3d4', new_source: '2' },
    )
    const { cells } = JSON.parse(text) as { cells: { id: string; source: string[]; outputs?: unknown }[] }
    expect(cells.map(({ source }) => source)).toEqual([['1\n'], ['# Träume\n', 'of 1e3 pearls'], ['6 * 7'], ['2']])
    expect(cells[0]).toMatchObject({ cell_type: 'code', execution_count: null, outputs: [], metadata: {} })
    expect(cells[0]?.id).toMatch(/^[0-9a-f]{8}$/)
    expect(new Set(cells.map(({ id }) => id)).size).toBe(4)
    expect(said[0]).toContain(`Inserted cell 1 (id ${cells[0]?.id})`)
  })

  it('deletes a cell anywhere, down to none, and fills an empty notebook', async () => {
    expect((await edited(MODERN, { edit_mode: 'delete', cell_number: 2 })).text).toBe(
      MODERN.replace(/,\n {2}\{\n {3}"cell_type": "code"[\s\S]*?\n {2}\}\n \],/, '\n ],'),
    )
    const none = await edited(
      MODERN,
      { edit_mode: 'delete', cell_id: 'intro' },
      { edit_mode: 'delete', cell_number: 1 },
    )
    expect(none.text).toContain('"cells": [],\n')
    const { text } = await edited(EMPTY, { edit_mode: 'insert', new_source: 'x', cell_type: 'raw' })
    expect(text).toMatch(
      /^\{\n "cells": \[\n {2}\{\n {3}"cell_type": "raw",\n {3}"id": "\w{8}",[\s\S]*\n {2}\}\n \],\n "metadata"/,
    )
  })

  it('changes the type of a cell, with the fields that come and go', async () => {
    const { text } = await edited(
      MODERN,
      { cell_id: 'intro', new_source: 'x', cell_type: 'code' },
      { cell_id: 'a1b2c3d4', new_source: 'y', cell_type: 'markdown' },
    )
    const { cells } = JSON.parse(text) as { cells: object[] }
    expect(Object.keys(cells[0] ?? {})).toEqual(['cell_type', 'execution_count', 'id', 'metadata', 'outputs', 'source'])
    expect(Object.keys(cells[1] ?? {})).toEqual(['cell_type', 'id', 'metadata', 'source'])
    expect((await edited(COMPACT, { cell_number: 1, new_source: 'y' })).text).toBe(COMPACT.replace('["x"]', '["y"]'))
  })

  it.each<[string, string, Input, RegExp]>([
    ['no name', MODERN, { new_source: 'x' }, /Which cell\? There are 2 cells: give its cell_id or its cell_number/],
    ['an unknown id', MODERN, { cell_id: 'zz', new_source: 'x' }, /no cell with the id 'zz'\. Known: intro, a1b2c3d4/],
    ['an id where there are none', OLD, { cell_id: 'zz', new_source: 'x' }, /have none: give the cell_number/],
    ['a number too high', MODERN, { cell_number: 3, new_source: 'x' }, /no cell number 3\. There are 2 cells/],
    [
      'an id and another number',
      MODERN,
      { cell_id: 'intro', cell_number: 2, new_source: 'x' },
      /'intro' is number 1, not 2/,
    ],
    [
      'an id that is there twice',
      MODERN.replace('a1b2c3d4', 'intro'),
      { cell_id: 'intro', new_source: 'x' },
      /2 cells have the id 'intro', numbers 1, 2/,
    ],
    ['no source', MODERN, { cell_number: 1 }, /new_source is missing: give the source of the cell to replace/],
    ['the same source', MODERN, { cell_number: 2, new_source: '6 * 7' }, /nothing would change/],
    [
      'an old format',
      '{"nbformat": 3, "worksheets": []}',
      { cell_number: 1, new_source: 'x' },
      /of format 3.*jupyter nbconvert/,
    ],
    ['no JSON', '{"nbformat": 4,', { cell_number: 1, new_source: 'x' }, /is no JSON.*Mend it with Edit/],
    ['no cells', '{"nbformat": 4}', { cell_number: 1, new_source: 'x' }, /has no list of cells/],
    ['a cell of an empty notebook', EMPTY, { cell_number: 1, new_source: 'x' }, /has no cells\. Insert one/],
  ])('says what to do about %s', async (_name, text, input, message) => {
    expect(await failing(text, input)).toMatch(message)
  })

  it('wants a notebook that was read and is as it was', async () => {
    const folder = await temporaryFolder()
    const path = join(folder, 'a.ipynb')
    await writeFile(path, MODERN)
    const { read, notebookEdit } = fileTools()
    const input = notebookEdit.schema.parse({ notebook_path: path, cell_number: 1, new_source: 'x' })
    await expect(notebookEdit.run(input, toolContext(folder))).resolves.toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/was not read/) }],
    })
    await read.run({ file_path: path }, toolContext(folder))
    await writeFile(path, `${MODERN}\n`)
    await expect(notebookEdit.run(input, toolContext(folder))).resolves.toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/was changed since/) }],
    })
    const other = notebookEdit.schema.parse({ notebook_path: 'a.txt', cell_number: 1, new_source: 'x' })
    await expect(async () => notebookEdit.run(other, toolContext(folder))).rejects.toThrow(/no notebook.*Use Edit/)
  })

  it('is judged as an edit is', () => {
    const { notebookEdit } = fileTools()
    const verdict = (rules: object, mode?: 'plan') => {
      const input = { notebook_path: 'deep/a.ipynb', cell_number: 1, new_source: 'x' }
      return createPermissions({ rules, ...(mode && { mode }) }).judge(
        { id: '1', name: 'NotebookEdit', input },
        notebookEdit,
        '/tmp',
      ).verdict
    }
    expect(verdict({})).toBe('ask')
    expect(verdict({ allow: ['Edit(deep/**)'] })).toBe('allow')
    expect(verdict({ deny: ['Edit(deep/**)'] })).toBe('deny')
    expect(verdict({}, 'plan')).toBe('deny')
  })

  it('leaves every other cell to the byte, however the notebook is written', async () => {
    const style = fc.constantFrom(' ', '  ', '    ', '\t', '')
    const value = fc.jsonValue({ maxDepth: 2 })
    const cell = fc.record({
      type: fc.constantFrom('code', 'markdown', 'raw'),
      source: fc.string({ unit: 'binary' }),
      metadata: value,
      extra: value,
    })
    const kinds = fc.constantFrom('replace' as const, 'insert' as const, 'delete' as const)
    await fc.assert(
      fc.asyncProperty(
        style,
        fc.array(cell, { minLength: 1, maxLength: 5 }),
        kinds,
        fc.nat(),
        fc.string(),
        async (step, all, mode, pick, source) => {
          const raw = all.map(({ type, ...rest }, index) =>
            writeCell(
              {
                cell_type: type,
                id: `c${index}`,
                ...rest,
                ...(type === 'code' && { outputs: [{}], execution_count: 1 }),
              },
              step,
            ),
          )
          const [open, between, close] =
            step === ''
              ? ['{"cells":[', ',', '],']
              : [`{\n${step}"cells": [\n${step}${step}`, `,\n${step}${step}`, `\n${step}],`]
          const tail = '"odd" : [ 1.50, "]}" ], "nbformat": 4, "nbformat_minor": 5 }\n'
          const number = (pick % raw.length) + 1
          const text = `${open}${raw.join(between)}${close}${tail}`
          const wanted = source === (all[number - 1]?.source ?? '') ? `${source}!` : source
          const after = (
            await edited(text, {
              edit_mode: mode,
              cell_number: number,
              ...(mode !== 'delete' && { new_source: wanted }),
            })
          ).text
          const kept = mode === 'insert' ? raw : raw.filter((_each, index) => index !== number - 1)
          let place = 0
          for (const each of kept) {
            place = after.indexOf(each, place)
            expect(place).toBeGreaterThanOrEqual(0)
            place += each.length
          }
          expect([after.startsWith(open.trimEnd()), after.endsWith(`],${tail}`)]).toEqual([true, true])
          const { cells } = JSON.parse(after) as { cells: { source: string[] | string; metadata: unknown }[] }
          expect(cells).toHaveLength(raw.length + { replace: 0, insert: 1, delete: -1 }[mode])
          if (mode === 'delete') return
          const changed = cells[mode === 'insert' ? number : number - 1]
          expect([changed?.source ?? []].flat().join('')).toBe(wanted)
        },
      ),
      { numRuns: 60 },
    )
  })
})

function writeCell(cell: object, step: string): string {
  return step === '' ? JSON.stringify(cell) : JSON.stringify(cell, null, step).replaceAll('\n', `\n${step}${step}`)
}
