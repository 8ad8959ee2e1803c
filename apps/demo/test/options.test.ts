import { describe, expect, it } from 'vitest'
import { runDemo } from './run-demo.js'

describe('the command line of the demo', () => {
  it('has a help with every option and examples', async () => {
    const { code, stdout } = await runDemo(['--help'])
    expect(code).toBe(0)
    for (const option of ['--fast', '--json', '--report', '--live', '--help']) expect(stdout).toContain(`  ${option} `)
    expect(stdout).toContain('Examples:')
  })

  it.each([
    [['--fats'], /--fats/],
    [['--live'], /set ANTHROPIC_API_KEY/],
    [['--live', '--report', 'x.html'], /--report goes with the story/],
  ])('says what is wrong with %j', async (args, words) => {
    const { code, stdout, stderr } = await runDemo(args)
    expect(code).toBe(1)
    expect(stdout).toBe('')
    expect(stderr).toMatch(words)
  })
})
