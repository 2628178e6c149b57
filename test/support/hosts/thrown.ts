/** An error with the fields that drivers and Fastify plugins put on it. */
export const thrown = (fields: object, message = 'thrown') => Object.assign(new Error(message), fields)

export const words = (text: string) => text.trim().split(/\s+/)
