/** Browsers do not accept an IP address as the host of passkeys. */
const ipAddress = /^(\d{1,3}(\.\d{1,3}){3}|\[.*\])$/

/**
 * The host that passkeys belong to (rpID), from ORIGIN. Undefined if browsers do not support passkeys there: at an IP
 * address, or without https except on localhost.
 */
export function passkeyHost(origin: string): string | undefined {
  const { hostname, protocol } = new URL(origin)
  if (ipAddress.test(hostname)) return undefined
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  return protocol === 'https:' || isLocal ? hostname : undefined
}

/**
 * Whether a signature counter is plausible (SAFE-12): always zero with authenticators that do not count, otherwise
 * increasing. A counter that does not increase indicates a cloned passkey.
 */
export function isCounterValid(stored: number, received: number): boolean {
  return received > stored || (received === 0 && stored === 0)
}

/** The hosts of passkeys that do not work at this address of the site (SAFE-14). */
export function otherPasskeyHosts(hosts: readonly string[], origin: string): string[] {
  const own = passkeyHost(origin)
  return [...new Set(hosts)].filter(host => host !== own).toSorted()
}

/** The client data of a passkey response that is checked before the signature. */
export type ClientData = { challenge: string; origin: string; type: string }

/**
 * Parses client data from base64url; undefined if it is invalid, or if it comes from a frame in another site's page.
 */
export function readClientData(clientDataJSON: string): ClientData | undefined {
  try {
    const bytes = Uint8Array.from(atob(clientDataJSON.replaceAll('-', '+').replaceAll('_', '/')), letter =>
      letter.charCodeAt(0),
    )
    const data: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    if (typeof data !== 'object' || data === null) return undefined
    const { challenge, crossOrigin, origin, topOrigin, type } = data as Record<string, unknown>
    if (typeof challenge !== 'string' || typeof origin !== 'string' || typeof type !== 'string')
      return undefined
    // The library accepts a page inside another site's frame if the browser does not report the frame's origin.
    const isFramed = (crossOrigin ?? false) !== false || topOrigin !== undefined
    return isFramed ? undefined : { challenge, origin, type }
  } catch {
    return undefined
  }
}
