import type { FastifyInstance } from 'fastify'
import listing, { type ListingMessages, type ListingOptions } from 'fastify-assessment-payment-listing'

/** One registration for each language, between which `Accept-Language` chooses. The first language is the default. */
export async function addLists(
  app: FastifyInstance,
  options: ListingOptions,
  languages: Record<string, Partial<ListingMessages>>
) {
  const [first = 'en', ...others] = Object.keys(languages)
  app.addConstraintStrategy({
    name: 'language',
    storage() {
      const handlers = new Map()
      return {
        get: (language) => handlers.get(language) ?? handlers.get(first) ?? null,
        set: (language, handler) => void handlers.set(language, handler)
      }
    },
    deriveConstraint: ({ headers }) => {
      const wanted = String(headers['accept-language']).match(/[a-z]{2,}/gi) ?? []
      return wanted.find((language) => languages[language]) ?? first
    }
  })
  for (const language of [first, ...others]) {
    await app.register(async (scope) => {
      scope.addHook('onRoute', (route) => {
        route.constraints = { ...route.constraints, language }
      })
      const check = language === first ? {} : { checkOnReady: 'off' as const }
      await scope.register(listing, { ...options, ...check, messages: languages[language] })
    })
  }
}
