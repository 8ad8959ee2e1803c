/** Rates of the morning, for one euro, and how many digits people write. */
const currencies = {
  EUR: { rate: 0.8, digits: 2, source: 'desk 1', checked: '2026-10-10' },
  CHF: { rate: 41.1918, digits: 2, source: 'desk 2', checked: '2026-10-11' },
  GBP: { rate: 40.3361, digits: 2, source: 'desk 3', checked: '2026-10-12' },
  SEK: { rate: 39.4804, digits: 2, source: 'desk 4', checked: '2026-10-13' },
  NOK: { rate: 38.6247, digits: 2, source: 'desk 5', checked: '2026-10-14' },
  DKK: { rate: 37.7691, digits: 2, source: 'desk 1', checked: '2026-10-15' },
  PLN: { rate: 36.9134, digits: 2, source: 'desk 2', checked: '2026-10-16' },
  CZK: { rate: 36.0577, digits: 2, source: 'desk 3', checked: '2026-10-17' },
  HUF: { rate: 35.2021, digits: 0, source: 'desk 4', checked: '2026-10-18' },
  RON: { rate: 34.3464, digits: 2, source: 'desk 5', checked: '2026-10-19' },
  BGN: { rate: 33.4907, digits: 2, source: 'desk 1', checked: '2026-10-20' },
  USD: { rate: 32.6351, digits: 2, source: 'desk 2', checked: '2026-10-21' },
  CAD: { rate: 31.7794, digits: 2, source: 'desk 3', checked: '2026-10-22' },
  JPY: { rate: 30.9237, digits: 0, source: 'desk 4', checked: '2026-10-23' },
  AUD: { rate: 30.068, digits: 2, source: 'desk 5', checked: '2026-10-24' },
  NZD: { rate: 29.2124, digits: 2, source: 'desk 1', checked: '2026-10-25' },
  TRY: { rate: 28.3567, digits: 2, source: 'desk 2', checked: '2026-10-26' },
  ILS: { rate: 27.501, digits: 2, source: 'desk 3', checked: '2026-10-27' },
  KRW: { rate: 26.6454, digits: 0, source: 'desk 4', checked: '2026-10-28' },
  SGD: { rate: 25.7897, digits: 2, source: 'desk 5', checked: '2026-10-10' },
}

export function inCurrency(cents, currency) {
  const { rate, digits } = currencies[currency]
  return ((cents / 100) * rate).toFixed(digits)
}
