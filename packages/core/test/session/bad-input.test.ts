import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { scripted } from '@nacre/simulator'
import { describe, expect, it, onTestFinished } from 'vitest'
import { isNacreError, type NacreError } from '../../src/errors.js'
import { fileStore, readSettings } from '../../src/node/index.js'
import { createSession } from '../../src/session/create-session.js'
import type { SessionOptions } from '../../src/session/types.js'
import { memoryStore } from '../../src/stores/memory-store.js'
import { scriptedModel } from '../../src/testing/scripted-model.js'
import { definePlugin } from '../../src/types/plugin.js'
import { eventsOf, setUp } from './setup.js'

const quiet = definePlugin({ name: 'quiet', flags: { loud: false }, setup: () => ({}) })

/** What createSession says when it refuses, and whether it has let the session go again. */
async function refusal(options: Partial<SessionOptions>): Promise<NacreError> {
  const store = memoryStore()
  const open = { id: 'one' }
  const error = await createSession({ model: scriptedModel([]), store, open, ...options }).then(
    () => expect.unreachable(),
    (reason: unknown) => reason,
  )
  expect(isNacreError(error)).toBe(true)
  await (await store.open('one', new AbortController().signal)).close()
  return error as NacreError
}

describe('a session that can not start says who is to blame and what to do', () => {
  it('for a flag that nobody has', async () => {
    const error = await refusal({ plugins: [quiet], flags: { 'quiet.lowd': true } })
    expect(error.code).toBe('UNKNOWN_FLAG')
    expect(error.message).toMatch(/quiet\.lowd.*quiet\.loud/s)
  })

  it('for settings that are no settings', async () => {
    const settings = { 'quiet.loud': 'perhaps' } as never
    const error = await refusal({ plugins: [quiet], details: { flagSources: { settings } } })
    expect(error.code).toBe('INVALID_SETTINGS')
    expect(error.message).toMatch(/quiet\.loud.*settings|settings.*quiet\.loud/s)
  })

  it('for a settings file that is broken', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'nacre-bad-')), 'settings.json')
    onTestFinished(() => rmSync(path, { force: true }))
    expect(await readSettings(path)).toEqual({})
    for (const text of ['{"flags": {', '[]', 'null']) {
      writeFileSync(path, text)
      await expect(readSettings(path)).rejects.toMatchObject({
        code: 'INVALID_SETTINGS',
        message: expect.stringContaining(path),
      })
    }
    writeFileSync(path, '{"flags":{"quiet":false}}')
    expect(await readSettings(path)).toEqual({ flags: { quiet: false } })
  })

  it('for a plugin that throws while it is set up', async () => {
    const broken = definePlugin({
      name: 'broken',
      setup: () => {
        throw new Error('no key')
      },
    })
    const error = await refusal({ plugins: [quiet, broken] })
    expect(error).toMatchObject({ code: 'PLUGIN_SETUP_FAILED', details: { plugin: 'broken' } })
    expect(error.message).toContain('no key')
  })

  it('for two plugins of one name', async () => {
    expect(await refusal({ plugins: [quiet, quiet] })).toMatchObject({ code: 'DUPLICATE_PLUGIN' })
  })

  it('for a plugin that another one needs', async () => {
    const needy = definePlugin({ name: 'needy', requires: ['friend'], setup: () => ({}) })
    const error = await refusal({ plugins: [needy] })
    expect(error.code).toBe('MISSING_PLUGIN')
    expect(error.message).toMatch(/needy.*friend/s)
  })

  it('for two tools of one name', async () => {
    const tool = (await import('./setup.js')).readFile
    const error = await refusal({
      tools: [tool],
      plugins: [definePlugin({ name: 'also', setup: () => ({ tools: [tool] }) })],
    })
    expect(error.message).toMatch(/read_file/)
  })

  it('for a budget that is no number of tokens', async () => {
    const error = await refusal({ details: { limits: { contextBudget: -5 } } })
    expect(error).toMatchObject({ code: 'INVALID_SETTINGS' })
    expect(error.message).toContain('contextBudget')
  })

  it('for a folder that can not be written', async () => {
    const home = join(mkdtempSync(join(tmpdir(), 'nacre-bad-')), 'file')
    writeFileSync(home, '')
    onTestFinished(() => rmSync(home, { force: true }))
    const error = await createSession({ model: scriptedModel([]), store: fileStore({ home }) }).catch(
      (reason) => reason,
    )
    expect(error).toMatchObject({ code: 'STORE_UNWRITABLE' })
    expect(error.message).toContain(home)
  })
})

describe('a session that runs', () => {
  it('ends with the name of a model that nobody knows, and has warned before', async () => {
    const { start } = await setUp(
      scripted(() => 'ok'),
      {},
      { model: 'claude-nobody-9' },
    )
    const session = await start()
    const notices = await eventsOf(session.query('Hello?'))
    expect(notices.at(-1)).toMatchObject({ type: 'end', reason: 'error', error: { code: 'UNKNOWN_MODEL' } })
    expect(JSON.stringify(notices.at(-1))).not.toContain('undefined')
  })

  it('goes on when a hook hangs, and names the plugin', async () => {
    const reports: NacreError[] = []
    const hanging = definePlugin({
      name: 'hanging',
      setup: () => ({ hooks: { PostModelCall: { timeout: 5, handler: () => new Promise<never>(() => undefined) } } }),
    })
    const details = { report: (error: NacreError) => reports.push(error) }
    const session = await createSession({ model: scriptedModel(['hello']), plugins: [hanging], details })
    expect((await eventsOf(session.query('Hi'))).at(-1)).toEqual({ type: 'end', reason: 'done' })
    expect(reports).toMatchObject([{ code: 'HOOK_TIMEOUT', details: { plugin: 'hanging', hook: 'PostModelCall' } }])
    await session.close()
  })

  it('lets a gate that hangs block, and says so', async () => {
    const hanging = definePlugin({
      name: 'hanging',
      setup: () => ({
        hooks: { UserPromptSubmit: { timeout: 5, handler: () => new Promise<never>(() => undefined) } },
      }),
    })
    const session = await createSession({ model: scriptedModel(['hello']), plugins: [hanging] })
    const end = (await eventsOf(session.query('Hi'))).at(-1)
    expect(end).toMatchObject({ type: 'end', reason: 'error', error: { code: 'HOOK_TIMEOUT' } })
    expect(session.view().rounds).toEqual([])
    await session.close()
  })

  it('has nothing to do with a prompt that says nothing', async () => {
    const session = await createSession({ model: scriptedModel(['hello']) })
    const end = (await eventsOf(session.query('  '))).at(-1)
    expect(end).toMatchObject({ type: 'end', reason: 'error', error: { code: 'INVALID_REQUEST' } })
    expect(session.view().rounds).toEqual([])
    await session.close()
  })
})
