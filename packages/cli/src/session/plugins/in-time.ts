/** How long a package may take to load, and a plugin to be set up. */
const SECONDS = 30

/** Waits for something of a plugin. Without a limit, one that never ends would end the program without a word. */
export async function inTime<T>(work: Promise<T> | T, late: (reason: string) => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late(`is not ready after ${SECONDS} seconds`)), SECONDS * 1_000)
  })
  try {
    return await Promise.race([work, limit])
  } finally {
    clearTimeout(timer)
  }
}
