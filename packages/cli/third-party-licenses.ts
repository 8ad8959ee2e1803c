import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The part of esbuild's report that is looked at. */
export interface BundleReport {
  readonly inputs: Readonly<Record<string, unknown>>
}

/** The licenses of all packages of others that a bundle has parts of: they ask to be kept with copies. */
export async function thirdPartyLicenses({ inputs }: BundleReport): Promise<string> {
  const folders = Object.keys(inputs).map((path) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0])
  const parts = await Promise.all([...new Set(folders)].filter((folder) => folder !== undefined).map(licenseOf))
  return `${[...new Set(parts)].sort().join(`\n${'-'.repeat(80)}\n`)}\n`
}

async function licenseOf(folder: string): Promise<string> {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  const files = (await readdir(folder)).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file)).sort()
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))
  return [`${name} ${version} (${license})`, ...texts.map((text) => text.trim())].join('\n\n')
}
