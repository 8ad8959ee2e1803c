import type { Layer } from '../layer.js'

export const erasing: Layer = () => ({})
