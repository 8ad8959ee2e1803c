import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from './environment.mjs'
import { projectFiles } from './project-files.mjs'

describe('every page', () => {
  it('links to files that exist', () => {
    const pages = projectFiles().filter((file) => file.endsWith('.md'))
    const broken = pages.flatMap((page) =>
      [...readFileSync(page, 'utf8').matchAll(/\]\(([^)\s#]+)(?:#[^)]*)?\)/g)]
        .map((match) => match[1] ?? '')
        .filter((target) => !/^[a-z]+:/.test(target) && !existsSync(join(dirname(page), target)))
        .map((target) => `${relative(root, page)}: ${target}`),
    )
    expect(broken).toEqual([])
  })
})
