import { expect, it } from 'vitest'
import { parseCommand } from '../../src/permissions/shell/parse-command.js'
import { settlesGit } from '../../src/permissions/shell/plain-commands.js'

it.each([
  'git switch -c imports --track origin/feature/import && git status --short --branch',
  'git branch -d x',
  'git push -u origin main',
])('yes %s', (c) => expect(settlesGit(parseCommand(c, '/'))).toBe(true))
it.each([
  'git branch -d x; git config core.fsmonitor evil',
  'git branch -d x; sleep 100 & node evil',
  'git clone -c core.x=y a b',
  'git rebase -x evil main && git branch -d y',
])('no %s', (c) => expect(settlesGit(parseCommand(c, '/'))).toBe(false))
