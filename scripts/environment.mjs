import { existsSync, mkdtempSync, rmdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
export const cache = join(root, '.cache')

/**
 * The environment of every child process: our pnpm and the project's tools come first on PATH, and nothing is
 * reported to anybody. Where the home folder can't be written, all caches move into the project.
 * @param {NodeJS.ProcessEnv} base
 * @returns {NodeJS.ProcessEnv}
 */
export function childEnvironment(base = process.env) {
  const path = [join(cache, 'pnpm', 'node_modules', '.bin'), join(root, 'node_modules', '.bin'), base.PATH ?? '']
  return {
    ...base,
    ...(homeIsWritable(base) ? {} : cachesInProject()),
    PATH: path.join(delimiter),
    DO_NOT_TRACK: '1',
    TURBO_TELEMETRY_DISABLED: '1',
    NO_UPDATE_NOTIFIER: '1',
  }
}

/**
 * npm and pnpm write below these two folders; either may exist and belong to somebody else.
 * @param {NodeJS.ProcessEnv} base
 */
function homeIsWritable(base) {
  try {
    const home = base.HOME ?? homedir()
    for (const folder of [join(home, '.npm'), join(base.XDG_DATA_HOME ?? join(home, '.local', 'share'), 'pnpm')]) {
      rmdirSync(mkdtempSync(join(nearestFolder(folder), '.nacre-')))
    }
    return true
  } catch {
    return false
  }
}

/**
 * The folder itself, or the nearest parent that exists.
 * @param {string} folder
 * @returns {string}
 */
function nearestFolder(folder) {
  return existsSync(folder) || dirname(folder) === folder ? folder : nearestFolder(dirname(folder))
}

function cachesInProject() {
  return {
    npm_config_cache: join(cache, 'npm'),
    npm_config_store_dir: join(cache, 'store'),
    XDG_CACHE_HOME: join(cache, 'xdg', 'cache'),
    XDG_CONFIG_HOME: join(cache, 'xdg', 'config'),
    XDG_DATA_HOME: join(cache, 'xdg', 'data'),
    XDG_STATE_HOME: join(cache, 'xdg', 'state'),
  }
}
