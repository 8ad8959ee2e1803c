import { definePlugin, memoryStore, type NoticeEntry, type Session } from '@nacre/core'
import { scripted } from '@nacre/simulator'
import { describe, expect, it } from 'vitest'
import { compact } from '../../src/index.js'
import { eventsOf, type Setup, setUp } from '../support/start-session.js'
import { type FoldingOptions, folding, OTHERS_OFF } from './folding.js'

const LONG = 'word '.repeat(3_000)

function noticesOf(session: Session): NoticeEntry[] {
  const notices: NoticeEntry[] = []
  session.events.on('notice', ({ notice }) => notices.push(notice))
  return notices
}

async function start(setup: Setup, options: FoldingOptions = {}, more: Parameters<Setup['start']>[0] = {}) {
  const { plugins = [], ...rest } = more
  return setup.start({ plugins: [compact(), folding(options), ...plugins], flags: OTHERS_OFF, ...rest })
}

async function talk(session: Session, turns = 3): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await eventsOf(session.query(`Say it, for the time ${turn}`))
}

const veto = (text: string) =>
  definePlugin({ name: 'careful', setup: () => ({ hooks: { PreCompact: () => ({ veto: text }) } }) })

describe('the line after a fold', () => {
  it('comes once, as a notice, with tokens, messages, dollars and the undo', async () => {
    const session = await start(await setUp(scripted(() => LONG)))
    const notices = noticesOf(session)
    await talk(session)
    const { edit } = await session.compact()
    expect(notices).toMatchObject([{ owner: 'compact', level: 'info' }])
    const figures = String.raw`[\d,]+ → [\d,]+ tokens, 4 messages folded, \$0\.\d+`
    expect(notices[0]?.text).toMatch(
      new RegExp(`^Compacted by hand with a summary: ${figures}; to take it back, undo ${edit?.id}\\.$`),
    )
    await session.undo()
    await talk(session, 1)
    expect(notices).toHaveLength(1)
  })

  it('does not come again when the session is resumed', async () => {
    const store = memoryStore()
    const setup = await setUp(scripted(() => LONG))
    const first = await start(setup, {}, { store })
    await talk(first)
    await first.compact()
    await first.close()
    const second = await start(setup, {}, { store, open: { resume: first.id } })
    const notices = noticesOf(second)
    await talk(second, 1)
    expect(notices).toEqual([])
    expect(await second.command('receipts')).toContain('manual, summary')
  })

  it('says how many checks failed', async () => {
    const checks = [
      { name: 'sections', ok: true },
      { name: 'todos', ok: false },
    ]
    const session = await start(await setUp(scripted(() => LONG)), { checks })
    const notices = noticesOf(session)
    await talk(session)
    await session.compact()
    expect(notices[0]?.text).toContain('1 of 2 checks failed')
  })

  it('does not come for a dry run', async () => {
    const session = await start(await setUp(scripted(() => LONG)), { failures: ['no answer'] })
    const notices = noticesOf(session)
    await talk(session)
    await session.compact({ dryRun: true })
    expect(notices).toEqual([])
  })
})

describe('a warning', () => {
  it('says why a way to compact did not work, once for each climb, and the next way is told with the fold', async () => {
    const session = await start(await setUp(scripted(() => LONG)), { failures: ['The summary is empty', 'again'] })
    const notices = noticesOf(session)
    await talk(session)
    await session.compact()
    expect(notices.map(({ level, text }) => `${level}: ${text.split(',')[0]}`)).toEqual([
      expect.stringMatching(/^warning: One way to compact did not work: The summary is empty\. Nothing was changed/),
      expect.stringMatching(/^info: Compacted by hand with a digest/),
    ])
  })

  it('says who held a compaction back', async () => {
    const setup = await setUp(scripted(() => LONG))
    const session = await start(setup, {}, { plugins: [veto('a release is on')] })
    const notices = noticesOf(session)
    await talk(session)
    expect(await session.compact()).toEqual({ refused: 'careful: a release is on' })
    expect(notices).toMatchObject([
      {
        level: 'warning',
        text: 'Compaction was held back by a plugin: careful: a release is on. The conversation stays as it is.',
      },
    ])
  })
})

describe('the commands', () => {
  it('say so where nothing was compacted', async () => {
    const session = await start(await setUp(scripted(() => LONG)))
    expect(await session.command('receipt')).toBe('Nothing has been compacted in this session.')
    expect(await session.command('receipts')).toBe('Nothing has been compacted in this session.')
  })

  it('show the last receipt in full, or the one that is named', async () => {
    const checks = [{ name: 'sections', ok: false, detail: 'section 6 is not there' }]
    const session = await start(await setUp(scripted(() => LONG)), { checks })
    await talk(session)
    const first = await session.compact()
    await talk(session)
    const second = await session.compact()
    const shown = await session.command('receipt')
    expect(shown).toContain(`undo       ${second.edit?.id}`)
    expect(shown).toContain('FAILED  sections: section 6 is not there')
    expect(shown).toContain('chain      fold 2 of this session, 3 responses since the one before')
    expect(shown).toMatch(/messages {3}\d+ folded, 2 kept, 0 dropped before/)
    expect(await session.command('receipt', first.edit?.id)).toContain(`undo       ${first.edit?.id}`)
    expect(await session.command('receipt', 'e0')).toBe(
      `There is no compaction 'e0'. Known: ${first.edit?.id}, ${second.edit?.id}.`,
    )
  })

  it('list all folds, also before a checkpoint, and which were taken back', async () => {
    const store = memoryStore()
    const setup = await setUp(scripted(() => LONG))
    const session = await start(setup, {}, { store })
    await talk(session)
    const first = await session.compact()
    await talk(session)
    const second = await session.compact()
    await session.close()
    const resumed = await start(setup, {}, { store, open: { resume: session.id } })
    await resumed.undo()
    const lines = (await resumed.command('receipts')).split('\n')
    expect(lines).toEqual([
      expect.stringMatching(new RegExp(`^${first.edit?.id}  .* tokens  \\$[\\d.]+$`)),
      expect.stringMatching(new RegExp(`^${second.edit?.id}  .*  taken back$`)),
    ])
    expect(await resumed.command('receipt')).toContain('It was taken back.')
  })
})
