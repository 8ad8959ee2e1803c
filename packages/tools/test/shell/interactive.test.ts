import { expect, it } from 'vitest'
import { startTools } from './start-tools.js'

/** Far above what they take, far below what they would wait. */
const LIMIT = { timeout: 15_000 }

it.each([
  ['cat', '(no output)'],
  ['read x; echo "got $x, $?"', 'got , 1'],
  ['python3; echo $?', '0'],
  ['python3 -c "input()" 2>&1 | tail -n 1', 'EOFError: EOF when reading a line'],
  ['node; echo $?', '0'],
  ['printf "a\\nb\\n" > f; less f', 'a\nb'],
  [
    'git -c init.defaultBranch=main init -q . && git -c core.pager=less log 2>&1; git status | head -n 1',
    /^fatal: .*\nOn branch main$/,
  ],
])('%s does not wait for anybody', async (command, expected) => {
  const { run } = await startTools()
  const text = await run(command, LIMIT)
  if (typeof expected === 'string') expect(text).toBe(expected)
  else expect(text).toMatch(expected)
})

it('git commit without a message fails instead of opening an editor', async () => {
  const { run } = await startTools()
  const identity = '-c user.name=a -c user.email=a@example.org'
  const text = await run(`git init -q . && touch f && git add f && git ${identity} commit`, LIMIT)
  expect(text).toMatch(/supply the message using either -m or -F[\s\S]*\[Exit code 1\.\]/)
})

it('there is no terminal to read a password from', async () => {
  const { run } = await startTools()
  expect(await run('read -s password < /dev/tty', LIMIT)).toMatch(/\/dev\/tty: No such device[\s\S]*\[Exit code 1\.\]/)
  expect(await run('tty; test -t 0 || test -t 1 || test -t 2 || echo none', LIMIT)).toBe('not a tty\nnone')
})

it('git asks for no password', async () => {
  const { run } = await startTools()
  expect(await run('printf "protocol=https\\nhost=localhost\\n\\n" | git credential fill', LIMIT)).toMatch(
    /terminal prompts disabled[\s\S]*\[Exit code 128/,
  )
})
