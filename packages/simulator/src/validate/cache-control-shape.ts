import { nullable, object, oneOf } from './shape.js'

export const cacheControl = object({ '*type': oneOf('ephemeral'), ttl: nullable(oneOf('5m', '1h')) })
