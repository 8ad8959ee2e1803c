import { randomUUID } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makePrivateFolder } from '@nacre/core/node'

const STATE = '.nacre'

/** A file of a folder's own state, which is no part of its history. What can not be read counts as missing. */
export async function readJson<Value>(folder: string, name: string, fallback: Value): Promise<Value> {
  try {
    return JSON.parse(await readFile(join(folder, STATE, name), 'utf8')) as Value
  } catch {
    return fallback
  }
}

/** Writes a state file whole or not at all. */
export async function writeState(folder: string, name: string, value: unknown): Promise<void> {
  const state = join(folder, STATE)
  await makePrivateFolder(state)
  const unfinished = join(state, `.tmp-${randomUUID()}`)
  try {
    await writeFile(unfinished, `${JSON.stringify(value, undefined, 1)}\n`, { mode: 0o600 })
    await rename(unfinished, join(state, name))
  } finally {
    await rm(unfinished, { force: true })
  }
}

export async function removeState(folder: string, name: string): Promise<void> {
  await rm(join(folder, STATE, name), { recursive: true, force: true })
}
