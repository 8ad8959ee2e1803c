import { readdir } from 'node:fs/promises'
import { constants } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { program } from '../support/program.js'
import { idle } from './idle.js'
import { setUp } from './set-up.js'

it.runIf(process.platform !== 'win32')('keeps the session and ends when the terminal is closed', async () => {
  const { start, place } = await setUp(['Hello.', [{ type: 'tool_use', name: 'Bash', input: { command: 'sleep 60' } }]])
  const terminal = start(['--permission-mode', 'bypassPermissions'])
  terminal.type('say hi\r')
  await terminal.see('● Hello.')
  terminal.type('wait\r')
  await terminal.see('○ $ sleep 60')
  terminal.hangUp()
  expect(await terminal.signal).toBe(constants.signals.SIGHUP)
  // What was open is closed: nobody holds it, and what was cut off has its place in the log.
  const projects = join(String(place.env.NACRE_HOME), 'projects')
  const [project = ''] = await readdir(projects)
  expect(await readdir(join(projects, project, 'locks'))).toEqual([])
  const log = await program.run(['log', 'latest'], place)
  expect(log.stdout).toContain('Interrupted by the user')
  expect(await program.run(['verify', 'latest'], place)).toMatchObject({ code: 0 })
})

it.runIf(process.platform !== 'win32')('takes the terminal again after it was stopped, and paints anew', async () => {
  const { start } = await setUp(['Hello.'])
  const terminal = start()
  await terminal.see('context left')
  terminal.type('half')
  await terminal.see('❯ half')
  process.kill(terminal.pid, 'SIGCONT')
  await terminal.see('Here again.')
  // No shell is there to go back to, so the system goes on with it at once.
  terminal.type('\u001a')
  await terminal.until(() => terminal.raw().split('\u001b[?2004h').length > 3, 'the terminal to be taken again')
  terminal.type(' a line\u001b[D\u001b[D\u001b[D\u001b[DX')
  await terminal.see('❯ half a Xline')
})

it('shows a long paste, goes on to type behind it, and sends it whole', async () => {
  const { start, simulator } = await setUp(['Read.'])
  let sent = ''
  simulator.observe(({ body }) => {
    sent = body
  })
  const terminal = start()
  await terminal.see('context left')
  const lines = Array.from({ length: 2_000 }, (_, index) => `line ${index} ${'x'.repeat(40)}`)
  terminal.type(`\u001b[200~${lines.join('\n')}\u001b[201~`)
  await terminal.see('line 1999')
  terminal.type(' end\r')
  await terminal.see('● Read.')
  await idle(terminal)
  expect(JSON.parse(sent).messages[0].content.map(({ text }: { text: string }) => text)).toContain(
    `${lines.join('\n')} end`,
  )
})
