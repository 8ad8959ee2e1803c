import type { Tool } from '@nacre/core'
import { expect, it } from 'vitest'
import { createPermissions, type PermissionsOptions } from '../../src/index.js'
import { bashTool } from './bash-tool.js'

function judge(name: string, input: Record<string, string>, rules: NonNullable<PermissionsOptions['rules']>) {
  const tool: Tool = { ...bashTool().tool, name, schema: { json: {}, parse: (value) => value } }
  return createPermissions({ rules }).judge({ id: 'call', name, input }, tool, '/').verdict
}

it.each([
  ['https://example.com/a', 'allow'],
  ['https://EXAMPLE.com./a', 'allow'],
  ['http://example.com:8080', 'allow'],
  ['https://sub.example.com', 'ask'],
  ['https://example.com.evil.test', 'ask'],
  ['https://example.com@evil.test', 'ask'],
  ['https://evil.test/example.com', 'ask'],
  ['https://evil.test#example.com', 'ask'],
  ['https://evil.test\\@example.com', 'ask'],
  ['https://ехample.com', 'ask'],
  ['ftp://example.com', 'ask'],
  ['no address', 'ask'],
])('takes WebFetch(domain:example.com) by the host alone: %s is %s', (url, verdict) => {
  expect(judge('WebFetch', { url }, { allow: ['WebFetch(domain:example.com)'] })).toBe(verdict)
})

it('denies a domain with all hosts below it', () => {
  const rules = { allow: ['WebFetch'], deny: ['WebFetch(domain:evil.test)'] }
  expect(judge('WebFetch', { url: 'https://a.evil.test' }, rules)).toBe('deny')
  expect(judge('WebFetch', { url: 'https://evil.test' }, rules)).toBe('deny')
  expect(judge('WebFetch', { url: 'https://notevil.test' }, rules)).toBe('allow')
  expect(judge('WebFetch', { url: 'https://a.b.test' }, { allow: ['WebFetch(domain:*.b.test)'] })).toBe('allow')
  expect(judge('WebFetch', { url: 'https://b.test' }, { allow: ['WebFetch(domain:*.b.test)'] })).toBe('ask')
})

it('knows tools of an MCP server one by one and all together', () => {
  expect(judge('mcp__git__push', {}, { allow: ['mcp__git'] })).toBe('allow')
  expect(judge('mcp__git__push', {}, { allow: ['mcp__git__*'] })).toBe('allow')
  expect(judge('mcp__git__push', {}, { allow: ['mcp__git__push'] })).toBe('allow')
  expect(judge('mcp__git__push', {}, { allow: ['mcp__git__pull'] })).toBe('ask')
  expect(judge('mcp__gitlab__push', {}, { allow: ['mcp__git'] })).toBe('ask')
  expect(judge('mcp__git__push', {}, { allow: ['mcp__git'], deny: ['mcp__git__push'] })).toBe('deny')
})

it('knows skills by name, and asks nobody about one unless a rule says so', () => {
  expect(judge('Skill', { name: 'deploy' }, { deny: ['Skill(deploy)'] })).toBe('deny')
  expect(judge('Skill', { name: 'deploy' }, { ask: ['Skill(de*)'] })).toBe('ask')
  expect(judge('Skill', { name: 'review' }, { deny: ['Skill(deploy)'] })).toBe('pass')
  expect(judge('Skill', { name: 'deploy' }, { allow: ['Skill(deploy)'] })).toBe('allow')
})

it('takes a bare name for every call of a tool', () => {
  expect(judge('Custom', {}, { allow: ['Custom'] })).toBe('allow')
  expect(judge('Custom', {}, { deny: ['Custom'] })).toBe('deny')
  expect(judge('Todo', {}, {})).toBe('pass')
  expect(judge('Todo', {}, { deny: ['Todo'] })).toBe('deny')
})
