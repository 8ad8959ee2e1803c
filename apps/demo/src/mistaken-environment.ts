import type { Options } from './options.js'

/** What is wrong with the environment for what is asked of the demo. */
export function mistakenEnvironment({ live }: Options, env: NodeJS.ProcessEnv): string | undefined {
  const kept = ['fast', 'json', 'live', 'report'].find((name) => env[`npm_config_${name}`] !== undefined)
  if (kept && env.npm_lifecycle_event === 'demo') {
    return `npm kept --${kept} for itself. Options of the demo come after two dashes: npm run demo -- --${kept}`
  }
  if (!live) return undefined
  const { ANTHROPIC_API_KEY, ANTHROPIC_AUTH_TOKEN, ANTHROPIC_BASE_URL } = env
  if (!ANTHROPIC_API_KEY && !ANTHROPIC_AUTH_TOKEN && !ANTHROPIC_BASE_URL) {
    return '--live asks the real API: set ANTHROPIC_API_KEY, or leave --live out to play offline.'
  }
  if (ANTHROPIC_BASE_URL && !URL.canParse(ANTHROPIC_BASE_URL)) {
    return `ANTHROPIC_BASE_URL is not an address: ${ANTHROPIC_BASE_URL}`
  }
  return undefined
}
