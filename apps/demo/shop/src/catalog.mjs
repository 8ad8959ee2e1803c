/** Everything that the shop sells: price in cents, weight, and where it stands in the store. */
const products = {
  'oak-kettle': { cents: 827, grams: 181, shelf: 'B2' },
  'linen-kettle': { cents: 964, grams: 242, shelf: 'C3' },
  'copper-kettle': { cents: 1101, grams: 303, shelf: 'D4' },
  'glass-kettle': { cents: 1238, grams: 364, shelf: 'E5' },
  'wool-kettle': { cents: 1375, grams: 425, shelf: 'F6' },
  'slate-kettle': { cents: 1512, grams: 486, shelf: 'A7' },
  'oak-lamp': { cents: 1649, grams: 547, shelf: 'B8' },
  'linen-lamp': { cents: 1786, grams: 608, shelf: 'C9' },
  'copper-lamp': { cents: 1923, grams: 669, shelf: 'D1' },
  'glass-lamp': { cents: 2060, grams: 730, shelf: 'E2' },
  'wool-lamp': { cents: 2197, grams: 791, shelf: 'F3' },
  'slate-lamp': { cents: 2334, grams: 852, shelf: 'A4' },
  'oak-mug': { cents: 2471, grams: 913, shelf: 'B5' },
  'linen-mug': { cents: 2608, grams: 974, shelf: 'C6' },
  'copper-mug': { cents: 2745, grams: 1035, shelf: 'D7' },
  'glass-mug': { cents: 2882, grams: 1096, shelf: 'E8' },
  'wool-mug': { cents: 3019, grams: 1157, shelf: 'F9' },
  'slate-mug': { cents: 3156, grams: 1218, shelf: 'A1' },
  'oak-bowl': { cents: 3293, grams: 1279, shelf: 'B2' },
  'linen-bowl': { cents: 3430, grams: 1340, shelf: 'C3' },
  'copper-bowl': { cents: 3567, grams: 1401, shelf: 'D4' },
  'glass-bowl': { cents: 3704, grams: 1462, shelf: 'E5' },
  'wool-bowl': { cents: 3841, grams: 1523, shelf: 'F6' },
  'slate-bowl': { cents: 3978, grams: 1584, shelf: 'A7' },
  'oak-chair': { cents: 4115, grams: 1645, shelf: 'B8' },
  'linen-chair': { cents: 4252, grams: 1706, shelf: 'C9' },
  'copper-chair': { cents: 4389, grams: 1767, shelf: 'D1' },
  'glass-chair': { cents: 4526, grams: 1828, shelf: 'E2' },
  'wool-chair': { cents: 4663, grams: 1889, shelf: 'F3' },
  'slate-chair': { cents: 4800, grams: 1950, shelf: 'A4' },
  'oak-rug': { cents: 4937, grams: 2011, shelf: 'B5' },
  'linen-rug': { cents: 5074, grams: 2072, shelf: 'C6' },
  'copper-rug': { cents: 5211, grams: 2133, shelf: 'D7' },
  'glass-rug': { cents: 5348, grams: 2194, shelf: 'E8' },
  'wool-rug': { cents: 5485, grams: 2255, shelf: 'F9' },
  'slate-rug': { cents: 5622, grams: 2316, shelf: 'A1' },
  'oak-clock': { cents: 5759, grams: 2377, shelf: 'B2' },
  'linen-clock': { cents: 696, grams: 2438, shelf: 'C3' },
  'copper-clock': { cents: 833, grams: 2499, shelf: 'D4' },
  'glass-clock': { cents: 970, grams: 160, shelf: 'E5' },
  'wool-clock': { cents: 1107, grams: 221, shelf: 'F6' },
  'slate-clock': { cents: 1244, grams: 282, shelf: 'A7' },
  'oak-vase': { cents: 1381, grams: 343, shelf: 'B8' },
  'linen-vase': { cents: 1518, grams: 404, shelf: 'C9' },
  'copper-vase': { cents: 1655, grams: 465, shelf: 'D1' },
  'glass-vase': { cents: 1792, grams: 526, shelf: 'E2' },
  'wool-vase': { cents: 1929, grams: 587, shelf: 'F3' },
  'slate-vase': { cents: 2066, grams: 648, shelf: 'A4' },
  'oak-towel': { cents: 2203, grams: 709, shelf: 'B5' },
  'linen-towel': { cents: 2340, grams: 770, shelf: 'C6' },
  'copper-towel': { cents: 2477, grams: 831, shelf: 'D7' },
  'glass-towel': { cents: 2614, grams: 892, shelf: 'E8' },
  'wool-towel': { cents: 2751, grams: 953, shelf: 'F9' },
  'slate-towel': { cents: 2888, grams: 1014, shelf: 'A1' },
  'oak-basket': { cents: 3025, grams: 1075, shelf: 'B2' },
  'linen-basket': { cents: 3162, grams: 1136, shelf: 'C3' },
  'copper-basket': { cents: 3299, grams: 1197, shelf: 'D4' },
  'glass-basket': { cents: 3436, grams: 1258, shelf: 'E5' },
  'wool-basket': { cents: 3573, grams: 1319, shelf: 'F6' },
  'slate-basket': { cents: 3710, grams: 1380, shelf: 'A7' },
  'oak-mirror': { cents: 3847, grams: 1441, shelf: 'B8' },
  'linen-mirror': { cents: 3984, grams: 1502, shelf: 'C9' },
  'copper-mirror': { cents: 4121, grams: 1563, shelf: 'D1' },
  'glass-mirror': { cents: 4258, grams: 1624, shelf: 'E2' },
  'wool-mirror': { cents: 4395, grams: 1685, shelf: 'F3' },
  'slate-mirror': { cents: 4532, grams: 1746, shelf: 'A4' },
  'oak-candle': { cents: 4669, grams: 1807, shelf: 'B5' },
  'linen-candle': { cents: 4806, grams: 1868, shelf: 'C6' },
  'copper-candle': { cents: 4943, grams: 1929, shelf: 'D7' },
  'glass-candle': { cents: 5080, grams: 1990, shelf: 'E8' },
  'wool-candle': { cents: 5217, grams: 2051, shelf: 'F9' },
  'slate-candle': { cents: 5354, grams: 2112, shelf: 'A1' },
}

export function priceOf(product) {
  return find(product).cents
}

export function weightOf(product) {
  return find(product).grams
}

export function shelfOf(product) {
  return find(product).shelf
}

function find(product) {
  const found = products[product]
  if (!found) throw new Error(`There is no product '${product}'.`)
  return found
}
