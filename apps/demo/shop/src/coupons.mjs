/** Every coupon that was ever printed: percent off, and the first and last moment at which it counts. */
export const coupons = {
  SPRING: coupon(10, '2026-03-02T00:00Z', '2026-03-27T23:59Z'),
  EASTER: coupon(12, '2026-04-03T00:00Z', '2026-04-12T23:59Z'),
  SUMMER: coupon(15, '2026-07-01T00:00Z', '2026-07-31T23:59Z'),
  SCHOOL: coupon(8, '2026-09-01T00:00Z', '2026-09-14T23:59Z'),
  AUTUMN: coupon(20, '2026-10-24T00:00Z', '2026-11-02T23:59Z'),
  ADVENT: coupon(10, '2026-12-01T00:00Z', '2026-12-24T23:59Z'),
}

/** Cents that a coupon takes off at a moment. */
export function discountOf(coupon, cents, moment) {
  return coupon && isInForce(coupon, moment) ? Math.round((cents * coupon.percent) / 100) : 0
}

function isInForce({ from, until }, moment) {
  return moment.getUTCDate() >= from.getUTCDate() && moment.getUTCDate() <= until.getUTCDate()
}

function coupon(percent, from, until) {
  return { percent, from: new Date(from), until: new Date(until) }
}
