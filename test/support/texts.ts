/** Random texts, the same in each run, for searches under each collation. */

/** Characters that a collation may take for equal, or for a part of another. */
const groups = [
  [...'aAáàâÅåæÆ', 'a\u0301', 'a\u030a', '\u212b'],
  [...'bBßsSẞﬁfiIıİſ', 'i\u0307', 'ss', 'SS'],
  [...'cChHčČȟ', 'ch', 'cH', 'CH', 'c\u030c', 'h\u030c'],
  [...'lLjJnNzZdDžǅǆǄšŠkK\u212a'],
  [...'ab \t\n', '\x01', '\x00', '\u00a0', '\u00ad', '\u200d', '\ufeff', '\uffff', '\u{10ffff}'],
  ['😀', '👍', '🏽', '\u200d', '𝐚', '𝐀', 'a', 'A', '\ufe0f', '𐐀', '𐐨'],
  [...'%_!\\\'"a%_-.@1 '],
  [...'ИийЙеёЕЁσςΣΩω', '\u0306', '\u0308'],
  ['ᄀ', 'ᅡ', 'ᆨ', '가', '각', ...'かがカガｶ', '\u3099', 'ﾞ', 'あ', 'ァ', '漢', '字'],
  [...'12①２½²ⅧⅷVvIi'],
  [...'annahmrsdoty.e@le', 'N', 'A']
]

let seed = 17
export const random = (below: number) => {
  seed = (seed * 1103515245 + 12345) % 2147483648
  return Math.floor((seed / 2147483648) * below)
}
export const pick = <Value>(values: readonly Value[]) => values[random(values.length)] as Value
export const text = (length: number) => {
  const [a, b] = [pick(groups), pick(groups)]
  return Array.from({ length: random(length) + 1 }, () => pick(random(4) ? a : b)).join('')
}
const swapped = (char: string) => (char === char.toUpperCase() ? char.toLowerCase() : char.toUpperCase())
export const changed = (chars: string[]) =>
  chars.map((char) =>
    random(5) ? char : random(3) ? swapped(char) : pick(groups.find((group) => group.includes(char)) ?? [char])
  )
