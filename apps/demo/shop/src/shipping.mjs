/** Carriers by region: a first parcel, each one more, the days it takes, and the cut-off hour of the depot. */
const carriers = {
  AT: { carrier: 'Post AT', first: 390, more: 90, days: 2, cutOff: '14:30' },
  BE: { carrier: 'Kurier BE', first: 413, more: 97, days: 3, cutOff: '15:30' },
  BG: { carrier: 'Rapid BG', first: 436, more: 104, days: 4, cutOff: '16:30' },
  CH: { carrier: 'Nord CH', first: 459, more: 111, days: 5, cutOff: '17:30' },
  CY: { carrier: 'Post CY', first: 482, more: 118, days: 6, cutOff: '18:30' },
  CZ: { carrier: 'Kurier CZ', first: 505, more: 125, days: 2, cutOff: '14:30' },
  DE: { carrier: 'Rapid DE', first: 528, more: 132, days: 3, cutOff: '15:30' },
  DK: { carrier: 'Nord DK', first: 551, more: 139, days: 4, cutOff: '16:30' },
  EE: { carrier: 'Post EE', first: 574, more: 146, days: 5, cutOff: '17:30' },
  ES: { carrier: 'Kurier ES', first: 597, more: 153, days: 6, cutOff: '18:30' },
  FI: { carrier: 'Rapid FI', first: 620, more: 160, days: 2, cutOff: '14:30' },
  FR: { carrier: 'Nord FR', first: 643, more: 167, days: 3, cutOff: '15:30' },
  GR: { carrier: 'Post GR', first: 666, more: 94, days: 4, cutOff: '16:30' },
  HR: { carrier: 'Kurier HR', first: 689, more: 101, days: 5, cutOff: '17:30' },
  HU: { carrier: 'Rapid HU', first: 712, more: 108, days: 6, cutOff: '18:30' },
  IE: { carrier: 'Nord IE', first: 735, more: 115, days: 2, cutOff: '14:30' },
  IT: { carrier: 'Post IT', first: 758, more: 122, days: 3, cutOff: '15:30' },
  LT: { carrier: 'Kurier LT', first: 781, more: 129, days: 4, cutOff: '16:30' },
  LU: { carrier: 'Rapid LU', first: 804, more: 136, days: 5, cutOff: '17:30' },
  LV: { carrier: 'Nord LV', first: 827, more: 143, days: 6, cutOff: '18:30' },
  MT: { carrier: 'Post MT', first: 850, more: 150, days: 2, cutOff: '14:30' },
  NL: { carrier: 'Kurier NL', first: 873, more: 157, days: 3, cutOff: '15:30' },
  NO: { carrier: 'Rapid NO', first: 896, more: 164, days: 4, cutOff: '16:30' },
  PL: { carrier: 'Nord PL', first: 919, more: 91, days: 5, cutOff: '17:30' },
  PT: { carrier: 'Post PT', first: 942, more: 98, days: 6, cutOff: '18:30' },
  RO: { carrier: 'Kurier RO', first: 965, more: 105, days: 2, cutOff: '14:30' },
  SE: { carrier: 'Rapid SE', first: 988, more: 112, days: 3, cutOff: '15:30' },
  SI: { carrier: 'Nord SI', first: 401, more: 119, days: 4, cutOff: '16:30' },
  SK: { carrier: 'Post SK', first: 424, more: 126, days: 5, cutOff: '17:30' },
  UK: { carrier: 'Kurier UK', first: 447, more: 133, days: 6, cutOff: '18:30' },
}

export function shippingFor(region, parcels) {
  const { first, more } = carrierOf(region)
  return first + more * Math.max(0, parcels - 1)
}

export function arrivalIn(region) {
  return carrierOf(region).days
}

function carrierOf(region) {
  const carrier = carriers[region]
  if (!carrier) throw new Error(`Nobody carries parcels to '${region}'.`)
  return carrier
}
