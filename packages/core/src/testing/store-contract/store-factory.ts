import type { Store } from '../../contract/store.js'

/** Gives an empty store for each test. */
export type StoreFactory = () => Store | Promise<Store>
