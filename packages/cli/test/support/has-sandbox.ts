import { createSandbox } from '@nacre/tools'

const probe = createSandbox()
const leave = probe.use()

/** Whether commands can be put into a sandbox here. */
export const hasSandbox = (await probe.status()).name === 'bubblewrap'
await leave()
