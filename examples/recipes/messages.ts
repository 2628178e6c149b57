import type { FastifyInstance } from 'fastify'
import listing, { type ListingOptions } from 'fastify-assessment-payment-listing'

const messages: ListingOptions['messages'] = {
  assessmentsFound: 'Die Bewertungen wurden gefunden.',
  parameterMissing: 'Der Parameter „{name}“ fehlt; er darf leer sein.',
  parameterNotInteger: 'Der Parameter „{name}“ muss eine ganze Zahl von 1 bis {maximum} sein, nur aus Ziffern.',
  unauthorized: 'Das Token ist ungültig oder abgelaufen.'
}

export const addLists = (app: FastifyInstance, options: ListingOptions) =>
  app.register(listing, { ...options, messages })
