/** Depots: what each holds of every kind, when it was counted, and who counted it. */
const depots = {
  AT: { pieces: 400, counted: '2026-01-10', by: 'crew 1', gate: 'G1', phone: 'ext. 2100' },
  BE: { pieces: 497, counted: '2026-02-11', by: 'crew 2', gate: 'G2', phone: 'ext. 2103' },
  BG: { pieces: 594, counted: '2026-03-12', by: 'crew 3', gate: 'G3', phone: 'ext. 2106' },
  CH: { pieces: 691, counted: '2026-04-13', by: 'crew 4', gate: 'G4', phone: 'ext. 2109' },
  CY: { pieces: 788, counted: '2026-05-14', by: 'crew 5', gate: 'G5', phone: 'ext. 2112' },
  CZ: { pieces: 885, counted: '2026-06-15', by: 'crew 6', gate: 'G6', phone: 'ext. 2115' },
  DE: { pieces: 982, counted: '2026-07-16', by: 'crew 7', gate: 'G7', phone: 'ext. 2118' },
  DK: { pieces: 1079, counted: '2026-08-17', by: 'crew 1', gate: 'G8', phone: 'ext. 2121' },
  EE: { pieces: 1176, counted: '2026-09-18', by: 'crew 2', gate: 'G9', phone: 'ext. 2124' },
  ES: { pieces: 1273, counted: '2026-01-19', by: 'crew 3', gate: 'G10', phone: 'ext. 2127' },
  FI: { pieces: 470, counted: '2026-02-20', by: 'crew 4', gate: 'G11', phone: 'ext. 2130' },
  FR: { pieces: 567, counted: '2026-03-21', by: 'crew 5', gate: 'G12', phone: 'ext. 2133' },
  GR: { pieces: 664, counted: '2026-04-22', by: 'crew 6', gate: 'G1', phone: 'ext. 2136' },
  HR: { pieces: 761, counted: '2026-05-23', by: 'crew 7', gate: 'G2', phone: 'ext. 2139' },
  HU: { pieces: 858, counted: '2026-06-24', by: 'crew 1', gate: 'G3', phone: 'ext. 2142' },
  IE: { pieces: 955, counted: '2026-07-25', by: 'crew 2', gate: 'G4', phone: 'ext. 2145' },
  IT: { pieces: 1052, counted: '2026-08-26', by: 'crew 3', gate: 'G5', phone: 'ext. 2148' },
  LT: { pieces: 1149, counted: '2026-09-27', by: 'crew 4', gate: 'G6', phone: 'ext. 2151' },
  LU: { pieces: 1246, counted: '2026-01-10', by: 'crew 5', gate: 'G7', phone: 'ext. 2154' },
  LV: { pieces: 443, counted: '2026-02-11', by: 'crew 6', gate: 'G8', phone: 'ext. 2157' },
  MT: { pieces: 540, counted: '2026-03-12', by: 'crew 7', gate: 'G9', phone: 'ext. 2160' },
  NL: { pieces: 637, counted: '2026-04-13', by: 'crew 1', gate: 'G10', phone: 'ext. 2163' },
  NO: { pieces: 734, counted: '2026-05-14', by: 'crew 2', gate: 'G11', phone: 'ext. 2166' },
  PL: { pieces: 831, counted: '2026-06-15', by: 'crew 3', gate: 'G12', phone: 'ext. 2169' },
  PT: { pieces: 928, counted: '2026-07-16', by: 'crew 4', gate: 'G1', phone: 'ext. 2172' },
  RO: { pieces: 1025, counted: '2026-08-17', by: 'crew 5', gate: 'G2', phone: 'ext. 2175' },
}

export function isInStock(region, pieces) {
  return (depots[region]?.pieces ?? 0) >= pieces
}

export function gateOf(region) {
  return depots[region]?.gate
}
