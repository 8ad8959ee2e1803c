import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

// By a name that bundlers do not see: the package looks for its binary beside itself.
const PACKAGE: string = '@vscode/ripgrep'

let found: Promise<string | undefined> | undefined

/** The ripgrep to run: that of the package @vscode/ripgrep, else `rg` on the PATH. Looked for once. */
export function findRipgrep(): Promise<string | undefined> {
  found ??= lookUp()
  return found
}

async function lookUp(): Promise<string | undefined> {
  return (await packaged()) ?? onPath()
}

async function packaged(): Promise<string | undefined> {
  try {
    // An optional dependency, whose own import throws where the platform has no binary.
    const { rgPath }: { readonly rgPath: string } = await import(PACKAGE)
    return existsSync(rgPath) ? rgPath : undefined
  } catch {
    return undefined
  }
}

function onPath(): string | undefined {
  const name = process.platform === 'win32' ? 'rg.exe' : 'rg'
  return (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find((file) => existsSync(file))
}
