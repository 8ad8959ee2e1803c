import type { mountScreen } from './mount-screen.js'

/**
 * Loads Ink. It paints nothing where the environment looks like a build server, and looks only once; whoever sits in
 * front of a terminal there wants to see it all the same.
 */
export async function loadPainter(): Promise<typeof mountScreen> {
  const { CI } = process.env
  process.env.CI = 'false'
  try {
    return (await import('./mount-screen.js')).mountScreen
  } finally {
    if (CI === undefined) delete process.env.CI
    else process.env.CI = CI
  }
}
