import { fileTools } from '../../../src/files/files.js'
import { versionOf } from '../version-of.js'

const [, , folder = '.', first = '0'] = process.argv
const { read, write } = fileTools()
const context = { callId: 'any', cwd: folder, signal: new AbortController().signal, progress: () => undefined }

await read.run({ file_path: 'big.txt', limit: 1 }, context)
for (let version = Number(first); ; version++) {
  const { isError, content } = await write.run({ file_path: 'big.txt', content: versionOf(version) }, context)
  if (isError) throw new Error(JSON.stringify(content))
}
