/** Browsers take no address of numbers as the host of passkeys. */
const ipAddress = /^(\d{1,3}(\.\d{1,3}){3}|\[.*\])$/

/**
 * The host that passkeys belong to (rpID), from ORIGIN. Undefined where browsers have no passkeys: at an IP address, and
 * without https anywhere but on localhost.
 */
export function passkeyHost(origin: string): string | undefined {
  const { hostname, protocol } = new URL(origin)
  if (ipAddress.test(hostname)) return undefined
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  return protocol === 'https:' || isLocal ? hostname : undefined
}

/**
 * Whether a signature counter goes on (SAFE-12): both are zero with authenticators that count nothing, and all others
 * count upwards. One that does not is a sign of a copy.
 */
export function isCounterGoingOn(stored: number, received: number): boolean {
  return received > stored || (received === 0 && stored === 0)
}

/** The hosts of passkeys that do not work at this address of the site (SAFE-14). */
export function otherPasskeyHosts(hosts: readonly string[], origin: string): string[] {
  const own = passkeyHost(origin)
  return [...new Set(hosts)].filter(host => host !== own).toSorted()
}

/** What a browser says about a passkey's use, as far as it is needed before its signature is checked. */
export type ClientData = { challenge: string; origin: string; type: string }

/** Reads it from base64url; undefined for what is none, and for one from inside another site's page. */
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
    // The library lets a page inside a foreign frame pass where the browser does not name the frame's owner.
    const isFramed = (crossOrigin ?? false) !== false || topOrigin !== undefined
    return isFramed ? undefined : { challenge, origin, type }
  } catch {
    return undefined
  }
}
