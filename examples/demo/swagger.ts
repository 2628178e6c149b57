/** Authorizes Swagger UI as a caller of the demo, so that "Try it out" works. */

/** Of the browser, and of Swagger UI's own script, into which the text of the function goes. */
declare const location: { hash: string }
declare const ui: { preauthorizeApiKey(scheme: string, token: string): void }

/** The trial page links to `docs#/payments/listPayments/Admin`; Swagger UI reads the first two parts. */
export function authorizeCaller(): void {
  const role = decodeURIComponent(location.hash.split('/')[3] ?? 'Admin')
  void fetch('/demo/callers')
    .then((response) => response.json())
    .then((callers) => {
      const caller = (callers as { role: string; token: string }[]).find((caller) => caller.role === role)
      if (caller) ui.preauthorizeApiKey('bearerAuth', caller.token)
    })
}
