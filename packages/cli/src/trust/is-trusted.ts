import { trustedBy } from './trusted-by.js'

/** Whether what a folder brings along may take effect. Trust in a folder holds for all below it. */
export async function isTrusted(data: string, folder: string): Promise<boolean> {
  return (await trustedBy(data, folder)) !== undefined
}
