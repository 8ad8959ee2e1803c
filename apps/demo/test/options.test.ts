import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
    [['--fats'], /There is no option --fats\. Did you mean --fast\?/],
    [['-x'], /There is no option -x\. .*--help/],
    [['quickly'], /'quickly' is no option\. .*--help/],
    [['--json=yes'], /--json takes no value/],
    [['--report'], /--report needs a file/],
    [['--report', '--fast'], /--report needs a file/],
    [['--report', tmpdir()], /is a folder\. Name a file/],
    [['--report', join(process.execPath, 'page.html')], /can't be written .*\(E.+\)\. Name another file with --report/],
    [['--live'], /set ANTHROPIC_API_KEY/],
    [['--live', '--report', 'x.html'], /--report goes with the story/],
  ])('says what is wrong with %j', async (args, words) => {
    const { code, stdout, stderr } = await runDemo(args)
    expect(code).toBe(1)
    expect(stdout).toBe('')
    expect(stderr).toMatch(words)
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
  })

  it.each<[string, readonly string[], NodeJS.ProcessEnv]>([
    ['npm run demo -- --fast', [], { npm_lifecycle_event: 'demo', npm_config_fast: 'true' }],
    ['ANTHROPIC_BASE_URL is not an address: here', ['--live'], { ANTHROPIC_BASE_URL: 'here' }],
  ])('says what is wrong with the environment: %s', async (words, args, environment) => {
    const { code, stdout, stderr } = await runDemo(args, environment)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(words)
  })
})
