import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import helmet from 'helmet'
import type { Config } from '../kernel/config.ts'
import type { Deps } from '../kernel/deps.ts'

const stripeScripts = 'https://js.stripe.com'

/** The security headers by whether the provider's scripts are loaded, which the saved settings can change. */
export function createSecurityHeaders(deps: Deps): () => Record<string, string> {
  const [without, withScripts] = [false, true].map(hasScripts => securityHeaders(deps.config, hasScripts))
  const { sandbox, stripe } = deps.config
  return () =>
    (!sandbox && (stripe.publishableKey || deps.provider?.publishableKey) ? withScripts : without) ?? {}
}

/**
 * The security headers: the policy allows only what is used, without inline scripts or eval. All responses share them,
 * so they are assembled once.
 */
function securityHeaders({ mode }: Config, hasScripts: boolean): Record<string, string> {
  const provider = hasScripts ? [stripeScripts] : []
  const addHeaders = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'", ...provider],
        // Dialogs add a style element while they lock the page's scrolling.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'"],
        mediaSrc: ["'self'"],
        connectSrc: ["'self'", ...(provider.length > 0 ? ['https://api.stripe.com'] : [])],
        // Signed leases open from blob: URLs.
        frameSrc: ["'self'", 'blob:', ...provider],
        objectSrc: ['blob:'],
        manifestSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        ...(mode === 'production' && { upgradeInsecureRequests: [] }),
      },
    },
    strictTransportSecurity: mode === 'production' ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    referrerPolicy: { policy: 'no-referrer' },
    frameguard: { action: 'deny' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    crossOriginOpenerPolicy: { policy: 'same-origin' },
  })
  const response = new ServerResponse(new IncomingMessage(new Socket()))
  addHeaders(response.req, response, () => undefined)
  return Object.fromEntries(
    Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]),
  )
}
