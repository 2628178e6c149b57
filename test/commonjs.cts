/** What compiles in a host that is CommonJS, whose declarations of @sinclair/typebox are others. Nobody calls it. */
import typebox = require('@sinclair/typebox')
import lib = require('../src/index.js')

const { Type } = typebox

/** Compiles only where both are the very same type. */
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const exact = <A, B>(..._proof: Equal<A, B> extends true ? [] : ['the types differ']) => undefined

function schemas() {
  const nested = Type.Object({ first: lib.PaymentItem, more: Type.Array(lib.PaymentItem) })
  exact<typebox.Static<typeof nested>, { first: lib.PaymentItem; more: lib.PaymentItem[] }>()
  const picked = Type.Pick(lib.PaymentItem, ['payment_id', 'amount'])
  exact<typebox.Static<typeof picked>, { payment_id: string; amount: number }>()
  const query = Type.Pick(lib.PaymentQuery, ['page', 'search'])
  exact<typebox.Static<typeof query>, { page?: number; search?: string }>()
}

export = schemas
