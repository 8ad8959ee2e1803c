import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Whether the shop's own tests pass, asked of no model. */
export async function testsPass(project: string): Promise<boolean> {
  // A test runner inside another one would report to it.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  return promisify(execFile)(process.execPath, ['--test'], { cwd: project, env }).then(
    () => true,
    () => false,
  )
}
