import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'tsup'
import { expect, it, onTestFinished } from 'vitest'
import { checkChapter } from '../expectations.js'
import { writeProject } from '../story.js'
import { painter } from '../table.js'
import { playChapter } from './chapter.js'
import { chapterText } from './chapter-text.js'

it('plays a session through a kill, a resume, an edit and its undo, and shows what each did', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'nacre-demo-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await writeProject(folder)
  const worker = await bundledWorker(folder)
  const chapter = await playChapter(folder, worker)
  checkChapter(chapter)
  const text = chapterText(chapter, painter(false))
  for (const word of ['killed', 'resumed', 'undone', 'cost', 'cache break'])
    expect(text).toMatch(new RegExp(`^${word} `, 'm'))
}, 30_000)

/** From source, with all it needs: the test does not depend on a build. */
async function bundledWorker(folder: string): Promise<string> {
  const entry = { worker: fileURLToPath(new URL('./worker.ts', import.meta.url)) }
  await build({
    entry,
    outDir: folder,
    format: 'esm',
    config: false,
    silent: true,
    noExternal: [/.*/],
    esbuildOptions: (options) => {
      options.conditions = ['@nacre/source']
      options.banner = {
        js: "import { createRequire } from 'node:module';const require = createRequire(import.meta.url);",
      }
    },
    outExtension: () => ({ js: '.mjs' }),
  })
  return join(folder, 'worker.mjs')
}
