import { describe } from 'vitest'
import { blobContract } from './store-contract/blob-contract.js'
import { checkpointContract } from './store-contract/checkpoint-contract.js'
import { leaseContract } from './store-contract/lease-contract.js'
import { listContract } from './store-contract/list-contract.js'
import { logContract } from './store-contract/log-contract.js'
import { openContract } from './store-contract/open-contract.js'
import type { StoreFactory } from './store-contract/store-factory.js'

/** What every store promises to a session. Call it in a vitest file. */
export function storeContract(label: string, factory: StoreFactory): void {
  describe(`${label} keeps the contract of a store`, () => {
    for (const part of PARTS) part(factory)
  })
}

const PARTS = [logContract, openContract, checkpointContract, blobContract, leaseContract, listContract]
