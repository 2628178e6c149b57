/** The servers that are compared: how each is started, asked and read. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'

/**
 * Only measured at 32 connections, in long turns. `kysely`: ours with and without plugins of Kysely, and Kysely by hand.
 * `reach`: ours, for reaches that no other server has.
 */
export type Kind = 'kysely' | 'reach'

/** What a request asks. */
export interface Question {
  list: 'assessments' | 'payments'
  caller: { id: number; role: 'Individual' | 'Practitioner' | 'Admin' | 'Desk' | 'Lead' }
  search?: string
  /** Of the assessment, or of the payment at the processor. */
  status?: string
  page?: number
}

export interface Server {
  name: string
  /** In `servers/`, and its arguments. */
  script: string[]
  /** Of which the version is told. */
  packages: string[]
  /** The kind of the scenarios in which it is asked. */
  only?: Kind
  path: (question: Question) => string
}

const limit = 12

/** The ids and the total of any server's answer. */
// biome-ignore lint/suspicious/noExplicitAny: each server has answers of its own
export const answerOf = ({ total, meta, assessments, payments, data }: any) => ({
  total: total ?? meta.totalItems,
  ids: (assessments ?? payments ?? data).map((item: Record<string, unknown>) =>
    String(item.assessment_id ?? item.payment_id ?? item.assessmentId ?? item.paymentId)
  )
})

/** Our own API. */
const ourPath = ({ list, search = '', status, page = 1 }: Question) => {
  const parameters = new URLSearchParams({ search, page: String(page), limit: String(limit) })
  if (status) parameters.set(list === 'payments' ? 'processor_status' : 'status', status)
  return `${list === 'payments' ? '/payment/list' : '/assessment/list'}?${parameters}`
}

/** The rivals' own API, which has no need of our names. */
const rivalPath = ({ list, search, status }: Question, paging: Record<string, string | number | undefined>) => {
  const given = Object.entries({ search, status, ...paging }).filter(([, value]) => value)
  return `/${list}?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}

const pagePath = (question: Question) => rivalPath(question, { page: question.page, limit })

export const ours = 'ours'
export const handQuery = 'hand-written, query'
export const handExecute = 'hand-written, execute'
export const handKysely = 'hand-written, Kysely'
export const platformatic = 'Platformatic'
export const nest = 'NestJS, nestjs-paginate'
export const feathers = 'FeathersJS'
export const drizzle = 'Drizzle'

/** A server of ours that is only compared with Kysely by hand. */
const variant = (name: string, ...parameters: string[]): Server => {
  const script = ['ours.mjs', ...parameters]
  return { name, script, packages: [], only: 'kysely', path: ourPath }
}

export const servers: Server[] = [
  { name: ours, script: ['ours.mjs'], packages: ['fastify', 'kysely', 'mysql2'], path: ourPath },
  variant('ours, CamelCasePlugin', '--camel-case'),
  variant('ours, withSchema', '--schema'),
  variant('ours, both plugins', '--camel-case', '--schema'),
  variant('ours, renaming selects', '--renaming'),
  { name: handQuery, script: ['hand-written.mjs', 'query'], packages: ['fastify', 'mysql2'], path: ourPath },
  { name: handExecute, script: ['hand-written.mjs', 'execute'], packages: ['fastify', 'mysql2'], path: ourPath },
  { name: handKysely, script: ['kysely.mjs'], packages: [], only: 'kysely', path: ourPath },
  { name: platformatic, script: ['platformatic.mjs'], packages: ['@platformatic/sql-mapper'], path: pagePath },
  {
    name: nest,
    // compiled from servers/nest
    script: ['../dist/nest/main.js'],
    packages: ['@nestjs/core', 'typeorm', 'nestjs-paginate'],
    path: ({ status, ...question }) => {
      const path = pagePath(question)
      const column = question.list === 'payments' ? 'processorStatus' : 'status'
      return status ? `${path}&filter.${column}=${status}` : path
    }
  },
  {
    name: feathers,
    script: ['feathers.mjs'],
    packages: ['@feathersjs/feathers', '@feathersjs/knex', 'knex'],
    path: (question) => rivalPath(question, { $limit: limit, $skip: ((question.page ?? 1) - 1) * limit })
  },
  { name: drizzle, script: ['drizzle.mjs'], packages: ['drizzle-orm'], path: pagePath }
]

export const oursInTarball = 'the tarball'

/** Our servers of own records with the package of a tarball, which takes its dependencies from the repository. */
export function serversOf(tarball: string): Server[] {
  const folder = join(import.meta.dirname, '../node_modules/.cache/bench')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  execFileSync('tar', ['-xzf', resolve(tarball), '-C', folder])
  const parameters = ['--package', join(folder, 'package/dist/index.js')]
  return [
    { name: oursInTarball, script: ['ours.mjs', ...parameters], packages: [], path: ourPath },
    variant(`${oursInTarball}, renaming selects`, ...parameters, '--renaming')
  ]
}
