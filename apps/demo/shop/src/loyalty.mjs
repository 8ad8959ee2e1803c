/** Points by tier: what a tier takes, what it gives, and the partner who pays for it. */
const tiers = [
  { name: 'tier-01', from: 0, perEuro: 1.0, partner: 'P-7000', gift: 'oak-kettle' },
  { name: 'tier-02', from: 40, perEuro: 1.05, partner: 'P-7037', gift: 'linen-lamp' },
  { name: 'tier-03', from: 160, perEuro: 1.1, partner: 'P-7074', gift: 'copper-mug' },
  { name: 'tier-04', from: 360, perEuro: 1.15, partner: 'P-7111', gift: 'glass-bowl' },
  { name: 'tier-05', from: 640, perEuro: 1.2, partner: 'P-7148', gift: 'wool-chair' },
  { name: 'tier-06', from: 1000, perEuro: 1.25, partner: 'P-7185', gift: 'slate-rug' },
  { name: 'tier-07', from: 1440, perEuro: 1.3, partner: 'P-7222', gift: 'oak-clock' },
  { name: 'tier-08', from: 1960, perEuro: 1.35, partner: 'P-7259', gift: 'linen-vase' },
  { name: 'tier-09', from: 2560, perEuro: 1.4, partner: 'P-7296', gift: 'copper-towel' },
  { name: 'tier-10', from: 3240, perEuro: 1.45, partner: 'P-7333', gift: 'glass-basket' },
  { name: 'tier-11', from: 4000, perEuro: 1.5, partner: 'P-7370', gift: 'wool-mirror' },
  { name: 'tier-12', from: 4840, perEuro: 1.55, partner: 'P-7407', gift: 'slate-candle' },
  { name: 'tier-13', from: 5760, perEuro: 1.6, partner: 'P-7444', gift: 'oak-kettle' },
  { name: 'tier-14', from: 6760, perEuro: 1.65, partner: 'P-7481', gift: 'linen-lamp' },
  { name: 'tier-15', from: 7840, perEuro: 1.7, partner: 'P-7518', gift: 'copper-mug' },
  { name: 'tier-16', from: 9000, perEuro: 1.75, partner: 'P-7555', gift: 'glass-bowl' },
  { name: 'tier-17', from: 10240, perEuro: 1.8, partner: 'P-7592', gift: 'wool-chair' },
  { name: 'tier-18', from: 11560, perEuro: 1.85, partner: 'P-7629', gift: 'slate-rug' },
  { name: 'tier-19', from: 12960, perEuro: 1.9, partner: 'P-7666', gift: 'oak-clock' },
  { name: 'tier-20', from: 14440, perEuro: 1.95, partner: 'P-7703', gift: 'linen-vase' },
  { name: 'tier-21', from: 16000, perEuro: 2.0, partner: 'P-7740', gift: 'copper-towel' },
  { name: 'tier-22', from: 17640, perEuro: 2.05, partner: 'P-7777', gift: 'glass-basket' },
  { name: 'tier-23', from: 19360, perEuro: 2.1, partner: 'P-7814', gift: 'wool-mirror' },
  { name: 'tier-24', from: 21160, perEuro: 2.15, partner: 'P-7851', gift: 'slate-candle' },
  { name: 'tier-25', from: 23040, perEuro: 2.2, partner: 'P-7888', gift: 'oak-kettle' },
  { name: 'tier-26', from: 25000, perEuro: 2.25, partner: 'P-7925', gift: 'linen-lamp' },
  { name: 'tier-27', from: 27040, perEuro: 2.3, partner: 'P-7962', gift: 'copper-mug' },
  { name: 'tier-28', from: 29160, perEuro: 2.35, partner: 'P-7999', gift: 'glass-bowl' },
  { name: 'tier-29', from: 31360, perEuro: 2.4, partner: 'P-8036', gift: 'wool-chair' },
  { name: 'tier-30', from: 33640, perEuro: 2.45, partner: 'P-8073', gift: 'slate-rug' },
  { name: 'tier-31', from: 36000, perEuro: 2.5, partner: 'P-8110', gift: 'oak-clock' },
  { name: 'tier-32', from: 38440, perEuro: 2.55, partner: 'P-8147', gift: 'linen-vase' },
  { name: 'tier-33', from: 40960, perEuro: 2.6, partner: 'P-8184', gift: 'copper-towel' },
  { name: 'tier-34', from: 43560, perEuro: 2.65, partner: 'P-8221', gift: 'glass-basket' },
  { name: 'tier-35', from: 46240, perEuro: 2.7, partner: 'P-8258', gift: 'wool-mirror' },
  { name: 'tier-36', from: 49000, perEuro: 2.75, partner: 'P-8295', gift: 'slate-candle' },
]

export function tierOf(points) {
  return tiers.findLast(({ from }) => points >= from)
}

export function pointsFor(cents, points) {
  return Math.floor((cents / 100) * Number(tierOf(points).perEuro))
}
