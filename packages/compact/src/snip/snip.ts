import type { Layer } from '../layer.js'

export const snip: Layer = () => ({})
