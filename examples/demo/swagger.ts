/** Authorizes Swagger UI as a caller of the demo, so that "Try it out" works. */

/** Of the browser: the script below, and Swagger UI's own script, into which the text of the function goes. */
declare const chosenRole: string
declare const ui: { preauthorizeApiKey(scheme: string, token: string): void }

function authorizeCaller(): void {
  void fetch('/demo/callers')
    .then((response) => response.json())
    .then((callers) => {
      const caller = (callers as { role: string; token: string }[]).find(({ role }) => role === chosenRole)
      if (caller) ui.preauthorizeApiKey('bearerAuth', caller.token)
    })
}

/** The trial page links to `docs#/payments/listPayments/Admin`. Swagger UI forgets the last part once it has loaded. */
const content = "const chosenRole = decodeURIComponent(location.hash.split('/')[3] ?? 'Admin')"

export const swaggerUiOptions = {
  routePrefix: '/docs',
  theme: { js: [{ filename: 'caller.js', content }] },
  uiConfig: { onComplete: authorizeCaller }
}
