import { fieldError } from '../../../../domain/common/errors.ts'
import { sessionIdPlaceholder } from '../../../../domain/money/payment.ts'
import type { Config } from '../../../kernel/config.ts'

type Site = Pick<Config, 'origin' | 'mode' | 'demo'>

/**
 * The URLs to which the provider returns the browser; adds the session id to `successUrl` if it is missing.
 * @throws AppError bad_request for a URL on another site
 */
export function returnUrls(site: Site, requested: { successUrl?: string; cancelUrl?: string }) {
  const successUrl = ownAddress(site, requested.successUrl || '/payment/success', 'successUrl')
  const cancelUrl = ownAddress(site, requested.cancelUrl || '/payment/cancel', 'cancelUrl')
  return { successUrl: withSessionId(successUrl), cancelUrl: cancelUrl.href }
}

function ownAddress(site: Site, address: string, field: string): URL {
  const url = URL.parse(address, site.origin)
  if (url && originsOf(site).includes(url.origin) && !url.username && !url.password) return url
  throw fieldError(field, 'The return address must be on this site.')
}

/** The demo is reachable under several host names. */
function originsOf({ demo, mode, origin }: Site): string[] {
  const { port, protocol } = new URL(origin)
  const others = mode === 'demo' ? demo.hosts.map(host => `${protocol}//${host}${port && `:${port}`}`) : []
  return [new URL(origin).origin, ...others]
}

/** The provider replaces its placeholder literally, so the braces must not be escaped. */
function withSessionId(url: URL): string {
  const escaped = encodeURIComponent(sessionIdPlaceholder)
  const hasPlaceholder = [...url.searchParams.values()].some(value => value.includes(sessionIdPlaceholder))
  if (!hasPlaceholder) url.searchParams.set('session_id', sessionIdPlaceholder)
  return url.href.replaceAll(
    new RegExp(`${escaped}|${encodeURI(sessionIdPlaceholder)}`, 'gi'),
    sessionIdPlaceholder,
  )
}
