/** Keeps a value in a request or a reply. A WeakMap with an entry for each request slows down the garbage collection. */
export function property<Owner extends object, Value>() {
  const key = Symbol()
  type Keeper = Owner & { [key]?: Value }
  return {
    get: (owner: Owner): Value | undefined => (owner as Keeper)[key],
    set(owner: Owner, value: Value): void {
      ;(owner as Keeper)[key] = value
    }
  }
}
