import { defineConfig } from 'tsup'
import { base } from '../../tsup.base.js'

export default defineConfig({ ...base, entry: { main: 'src/main.ts', worker: 'src/session/worker.ts' } })
