/** Value added tax by region: what is common, what is reduced, and from when on it counts. */
const rates = {
  AT: { standard: 20, reduced: 10, since: '2010-01-01' },
  BE: { standard: 21, reduced: 10.5, since: '2011-02-01' },
  BG: { standard: 20, reduced: 10, since: '2012-03-01' },
  CH: { standard: 8.1, reduced: 4, since: '2013-04-01' },
  CY: { standard: 19, reduced: 9.5, since: '2014-05-01' },
  CZ: { standard: 21, reduced: 10.5, since: '2015-06-01' },
  DE: { standard: 19, reduced: 9.5, since: '2016-07-01' },
  DK: { standard: 25, reduced: 12.5, since: '2017-08-01' },
  EE: { standard: 22, reduced: 11, since: '2018-09-01' },
  ES: { standard: 21, reduced: 10.5, since: '2019-01-01' },
  FI: { standard: 25.5, reduced: 12.8, since: '2020-02-01' },
  FR: { standard: 20, reduced: 10, since: '2021-03-01' },
  GR: { standard: 24, reduced: 12, since: '2022-04-01' },
  HR: { standard: 25, reduced: 12.5, since: '2023-05-01' },
  HU: { standard: 27, reduced: 13.5, since: '2010-06-01' },
  IE: { standard: 23, reduced: 11.5, since: '2011-07-01' },
  IT: { standard: 22, reduced: 11, since: '2012-08-01' },
  LT: { standard: 21, reduced: 10.5, since: '2013-09-01' },
  LU: { standard: 17, reduced: 8.5, since: '2014-01-01' },
  LV: { standard: 21, reduced: 10.5, since: '2015-02-01' },
  MT: { standard: 18, reduced: 9, since: '2016-03-01' },
  NL: { standard: 21, reduced: 10.5, since: '2017-04-01' },
  NO: { standard: 25, reduced: 12.5, since: '2018-05-01' },
  PL: { standard: 23, reduced: 11.5, since: '2019-06-01' },
  PT: { standard: 23, reduced: 11.5, since: '2020-07-01' },
  RO: { standard: 19, reduced: 9.5, since: '2021-08-01' },
  SE: { standard: 25, reduced: 12.5, since: '2022-09-01' },
  SI: { standard: 22, reduced: 11, since: '2023-01-01' },
  SK: { standard: 20, reduced: 10, since: '2010-02-01' },
  UK: { standard: 20, reduced: 10, since: '2011-03-01' },
}

/** Tax on an amount of cents, rounded once, at the end. */
export function taxOn(cents, region) {
  return Math.round((cents * rateOf(region).standard) / 100)
}

export function reducedTaxOn(cents, region) {
  return Math.round((cents * rateOf(region).reduced) / 100)
}

function rateOf(region) {
  const rate = rates[region]
  if (!rate) throw new Error(`No tax is known for '${region}'.`)
  return rate
}
