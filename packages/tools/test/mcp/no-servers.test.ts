import { expect, it, vi } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.js'
import { setUpMcp } from './set-up-mcp.js'

const loaded = vi.hoisted(() => [] as string[])
vi.mock('@modelcontextprotocol/sdk/client/index.js', () => ({ Client: loaded.push('client') }))
vi.mock('@modelcontextprotocol/sdk/types.js', () => ({ types: loaded.push('types') }))

it('loads no library and brings no tools where there are no servers', async () => {
  const { contribution } = await setUpMcp({ files: { user: false } }, { cwd: await temporaryFolder() })
  expect(contribution.tools).toEqual([])
  expect(await contribution.commands?.[0]?.run('', {} as never)).toBe('No MCP servers.')
  expect(loaded).toEqual([])
})
