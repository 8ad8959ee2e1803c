import { existsSync, readdirSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

// Sources, not builds: every package has a private export condition that points at its src.
const conditions = ['@nacre/source', 'module', 'node', 'development|production']

const members = ['packages', 'apps', 'examples'].flatMap((parent) =>
  existsSync(parent)
    ? readdirSync(parent)
        .map((name) => `${parent}/${name}`)
        .filter((folder) => existsSync(`${folder}/package.json`))
    : [],
)

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // Of two processors vitest would use one.
    maxWorkers: '100%',
    // Each file would load every package anew, which takes longer than most tests do; none depends on another.
    isolate: false,
    // A test that hangs is found all the same, and a busy machine makes none fail.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: ['default', 'json'],
    outputFile: { json: '.cache/vitest.json' },
    projects: [
      ...members.map((root) => ({
        extends: true as const,
        root,
        test: { name: root, include: ['{src,test}/**/*.test.ts'] },
      })),
      { extends: true as const, test: { name: 'scripts', include: ['scripts/**/*.test.mjs'] } },
    ],
  },
})
