import { invalid } from '../api-error.js'
import type { Marker } from '../cache/markers.js'

const MAX_MARKERS = 4

/** At most four cache markers, long-lived ones before short-lived ones. */
export function checkMarkers(markers: readonly Marker[]): void {
  if (markers.length > MAX_MARKERS) {
    throw invalid(`A maximum of ${MAX_MARKERS} blocks with cache_control may be provided. Found ${markers.length}.`)
  }
  let sawShort = false
  for (const marker of markers) {
    if (marker.ttl === '5m') sawShort = true
    else if (sawShort) {
      throw invalid(
        `${marker.path}.cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that blocks are processed in the following order: \`tools\`, \`system\`, \`messages\`.`,
      )
    }
  }
}
