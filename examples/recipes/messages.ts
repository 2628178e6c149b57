import type { FastifyInstance } from 'fastify'
import listing, { type ListingMessages, type ListingOptions } from 'fastify-assessment-payment-listing'

const messages: ListingMessages = {
  assessmentsFound: 'Die Bewertungen wurden gefunden.',
  assessmentsForbidden: 'Ihre Rolle darf keine Bewertungen sehen.',
  paymentsFound: 'Die Zahlungen wurden gefunden.',
  paymentsForbidden: 'Ihre Rolle darf keine Zahlungen sehen.',
  parameterMissing: 'Der Parameter „{name}“ fehlt; er darf leer sein.',
  parameterRepeated: 'Der Parameter „{name}“ darf nur einmal vorkommen.',
  parameterUnknown: 'Den Parameter „{name}“ gibt es nicht; erlaubt sind: {allowed}.',
  parameterNotPositive: 'Der Parameter „{name}“ muss eine ganze Zahl von 1 bis {maximum} sein, nur aus Ziffern.',
  parameterNotAllowed: 'Der Parameter „{name}“ muss einer dieser Werte sein: {allowed}.',
  parameterNotTime: 'Der Parameter „{name}“ muss Datum und Uhrzeit in der Form {day} oder {time} sein.',
  parameterNotDate: 'Der Parameter „{name}“ muss ein Datum in der Form {day} sein.',
  parameterNotNumber: 'Der Parameter „{name}“ muss eine Zahl wie -3.5 sein, mit höchstens 16 und 10 Ziffern.',
  parameterNotInteger: 'Der Parameter „{name}“ muss eine ganze Zahl mit höchstens 16 Ziffern sein.',
  parameterRangeReversed: 'Der Parameter „{name}“ darf nicht größer als „{other}“ sein.',
  parameterTooMany: 'Der Parameter „{name}“ darf höchstens {maximum} Mal vorkommen.',
  parameterTooLong: 'Der Parameter „{name}“ darf höchstens {maximum} Zeichen haben.',
  termTooLong: 'Der Parameter „{name}“ ist für diese Liste zu lang.',
  parameterControlCharacters: 'Der Parameter „{name}“ darf keine Steuerzeichen enthalten.',
  parameterNotNext: 'Der Parameter „{name}“ muss das `next` einer Seite dieser Liste mit demselben `sort` sein.',
  queryEncoding: 'Die Abfrage muss als UTF-8 mit Prozentzeichen kodiert sein.',
  unauthorized: 'Das Token ist ungültig oder abgelaufen.',
  internal: 'Auf dem Server ist ein Fehler aufgetreten.',
  unavailable: 'Der Dienst ist vorübergehend nicht erreichbar.',
  timeout: 'Die Anfrage hat zu lange gedauert.'
}

export const addLists = (app: FastifyInstance, options: ListingOptions) =>
  app.register(listing, { ...options, messages })
