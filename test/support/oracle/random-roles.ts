/**
 * A role only adds: whatever a request shows or allows to a caller, it shows and allows to the same caller with a role more.
 * The caller must have a role, because without one an unknown role answers.
 */
import type { Asked } from './oracle.js'
import type { Random } from './random.js'
import { newRole, type RandomList, roleNames } from './random-lists.js'

interface Answer {
  status: number
  total?: unknown
  items?: string[]
}

/** The same request with a role more, and both with as many records as a page can have. */
export function withMoreRoles(random: Random, asked: Asked): [asked: Asked, more: Asked] {
  const whole = asked.pairs.filter(([name]) => name !== 'page' && name !== 'limit')
  const pairs = [...whole, ['limit', '100'] as const]
  const one = [asked.role].flat()
  const role = random.shuffled([...one, ...random.times(random.pick([1, 1, 2]), () => random.pick(added))])
  return [
    { ...asked, role: one, pairs },
    { ...asked, role, pairs }
  ]
}

const added = [...roleNames, newRole, 'Nobody']

/** @returns what the role has taken away */
export function lostBy({ id }: Pick<RandomList, 'id'>, before: Answer, after: Answer): string | undefined {
  if (before.status !== 200) return undefined
  if (after.status !== 200) return `200 became ${after.status}`
  const [fewer, total] = [Number(before.total), Number(after.total)]
  if (total < fewer) return `the total ${fewer} became ${total}`
  if (total > 100) return undefined
  const read = (items: string[] = []) => items.map((item): Record<string, unknown> => JSON.parse(item))
  const known = new Map(read(after.items).map((item) => [item[id], item]))
  const lost = read(before.items).find((item) => {
    const now = known.get(item[id])
    return !now || Object.entries(item).some(([name, value]) => JSON.stringify(now[name]) !== JSON.stringify(value))
  })
  return lost && `${JSON.stringify(lost)} became ${JSON.stringify(known.get(lost[id]))}`
}
