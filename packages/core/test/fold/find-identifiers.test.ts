import { describe, expect, it } from 'vitest'
import { findIdentifiers } from '../../src/fold/find-identifiers.js'

describe('identifiers of many kinds', () => {
  it.each([
    ['request 1b4e28ba-2fa1-41d2-883f-0016d3cca427 failed', ['1b4e28ba-2fa1-41d2-883f-0016d3cca427']],
    ['background: #3fa9d2; closes #4512', ['#3fa9d2', '#4512']],
    ['it is slow since 2026-03-14T09:26:53Z', ['2026-03-14T09:26:53Z']],
    ['2026-03-14T09:26:53Z INFO a line of a log', []],
    ['[2026-03-14 09:26:53] a line of another', []],
    ['pinned at 2.31.0-rc.1, then v4.5.6', ['2.31.0-rc.1', 'v4.5.6']],
    ['added @scope/name@1.2.3', ['@scope/name@1.2.3']],
    ['as in ABC-1234 and PEP-0484', ['ABC-1234', 'PEP-0484']],
    ['peer 2001:db8:85a3:8d3::7334 at 12:34:56', ['2001:db8:85a3:8d3::7334']],
    ['from fe80::1ff:fe23 and 00:1b:44:11:3a:b7', ['fe80::1ff:fe23', '00:1b:44:11:3a:b7']],
    ['bound to 10.24.7.1, not to 10.0.0.0/8', ['10.24.7.1', '10.0.0.0/8']],
    ['db.internal.example:5432 is down', ['db.internal.example:5432']],
    ['pod web-front-7d9c5b6f4-x2k8p is pending', ['web-front-7d9c5b6f4-x2k8p']],
    ['state-of-the-art and well-known words', []],
    ['arn:aws:s3:::some-bucket and s3://logs/2026', ['arn:aws:s3:::some-bucket', 's3://logs/2026']],
    ['run with --max-old-space-size=4096 --watch', ['--max-old-space-size=4096', '--watch']],
    ['after 4m12s with 1.8G at 9.5 req/s for $41.20', ['4m12s', '1.8G', '9.5 req/s', '$41.20']],
    ['write to a.b@example.org', ['a.b@example.org']],
    ['app/[slug]/page.tsx and docs/größe.md', ['app/[slug]/page.tsx', 'docs/größe.md']],
    ['pull ghcr.io/acme/api:2.31.0 and/or wait 24/7', ['ghcr.io/acme/api:2.31.0']],
    ['next dev --port 3001 is up', ['port 3001']],
    ['\u001b[38;5;42mplain words', []],
    ['10 of 12 rows, then 7 px', ['12 rows', '7 px']],
    ['costs £5.20 or 3€', ['£5.20']],
    ["error: 'the list is empty'", ["error: 'the list is empty"]],
    ['node->first then list.second', ['node->first', 'list.second']],
    ['\\\\server\\share\\report.xlsx', ['\\\\server\\share\\report.xlsx']],
    ['sha256:9f86d081884c7d659a2feaa0c55ad015', ['sha256:9f86d081884c7d659a2feaa0c55ad015']],
  ])('%s', (line, found) => {
    expect(findIdentifiers(line)).toEqual(found)
  })

  it.each([
    ['fatal: not a git repository', 'fatal: not a git repository'],
    ['FAIL error TS2307: Cannot find module', 'error TS2307: Cannot find module'],
    ['error[E0308]: mismatched types', 'error[E0308]: mismatched types'],
    ['ERROR: relation "users" does not exist', 'ERROR: relation "users" does not exist'],
    ['[ERROR] no space left on device', 'no space left on device'],
    ['ENOENT: no such file', 'ENOENT: no such file'],
    ['ORA-00942: table or view does not exist', 'ORA-00942: table or view does not exist'],
    ['ValueError: no "id" in the row', 'ValueError: no "id" in the row'],
    ['{"error":"TypeError: x is null","code":7}', 'TypeError: x is null'],
  ])('the words of an error: %s', (line, found) => {
    expect(findIdentifiers(line)).toContain(found)
  })

  it('are found in a line of more names than a call has room for', () => {
    expect(findIdentifiers('fooBar,'.repeat(200_000))).toHaveLength(200_000)
  })

  it.each([
    'ab:',
    '1.',
    'a1-',
    'ab-',
    'ab.',
    'a@',
    'a.b@c.',
    '[a]/',
    '1,',
    '--a',
    'Error: "a" ',
    'error: ',
    '\\\\ab',
    '1m',
  ])('are looked for in a long line of %s in no more time than a test has', (piece) => {
    expect(findIdentifiers(piece.repeat(60_000)).length).toBeLessThan(60_000)
  })
})
