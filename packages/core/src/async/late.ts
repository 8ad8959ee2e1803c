const modules: (() => Promise<unknown>)[] = []

/**
 * A module that is loaded once: when it is first needed, or in time with all the others. It is kept here, because to
 * import it again would look for its file again, and a program may outlive the version of the package that it began with.
 */
export function late<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let module: Promise<Module> | undefined
  const loaded = () => {
    module ??= load()
    return module
  }
  modules.push(loaded)
  return loaded
}

/** Loads all that has not been loaded yet. */
export async function loadAll(): Promise<void> {
  await Promise.all(modules.map((load) => load()))
}
