import { expect, it } from 'vitest'
import { projectSlug } from '../../src/node/places.js'

it('is readable, safe as a folder, and different for projects that read alike', () => {
  expect(projectSlug('/home/me/my app')).toMatch(/^home-me-my-app-[0-9a-f]{8}$/)
  expect(projectSlug('C:\\code\\app')).toMatch(/^C-code-app-[0-9a-f]{8}$/)
  expect(projectSlug('/home/me/my-app')).not.toBe(projectSlug('/home/me/my app'))
  expect(projectSlug('/')).toMatch(/^project-[0-9a-f]{8}$/)
  expect(projectSlug('/x'.repeat(500)).length).toBeLessThan(80)
})
