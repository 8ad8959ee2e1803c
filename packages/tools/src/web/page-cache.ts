/** Keeps a few values for a time. What was not asked for longest goes first. */
export interface PageCache<Value> {
  get(key: string): Value | undefined
  set(key: string, value: Value): void
}

const MAX_PAGES = 30

/** A cache whose values last for `time` milliseconds by the clock given. */
export function pageCache<Value>(time: number, now: () => number): PageCache<Value> {
  const pages = new Map<string, { readonly value: Value; readonly until: number }>()
  return {
    get(key) {
      const page = pages.get(key)
      pages.delete(key)
      if (!page || page.until <= now()) return undefined
      pages.set(key, page)
      return page.value
    },
    set(key, value) {
      if (time <= 0) return
      pages.delete(key)
      pages.set(key, { value, until: now() + time })
      const [oldest] = pages.keys()
      if (pages.size > MAX_PAGES && oldest !== undefined) pages.delete(oldest)
    },
  }
}
