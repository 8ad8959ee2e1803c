import type { Layer } from '../layer.js'

export const digest: Layer = () => ({})
