import { isIP, type LookupFunction, connect as netConnect, type Socket } from 'node:net'
import { connect as tlsConnect } from 'node:tls'

/** A connection's target: `host` is only for the certificate check; only `addresses` are connected to. */
export type ConnectionTarget = {
  isSecure: boolean
  host: string
  port: number
  addresses: readonly string[]
  ca: string | undefined
}

/** Connects only to these addresses: the name is not resolved again. */
export function openConnection({ isSecure, host, port, addresses, ca }: ConnectionTarget): Socket {
  const known = addresses.map(address => ({ address, family: isIP(address) }))
  const [first] = known
  if (!first) throw new Error('no address to connect to')
  const lookup: LookupFunction = (_hostname, { all }, done) =>
    all ? done(null, known) : done(null, first.address, first.family)
  // Addresses are tried one after another; the default of 250 ms per attempt is too short for a distant host.
  const options = { port, lookup, autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 2_000 }
  if (!isSecure) return netConnect({ ...options, host: isIP(host) ? first.address : host })
  const name = host.replace(/\.+$/, '')
  return tlsConnect({
    ...options,
    host: isIP(host) ? first.address : name,
    servername: isIP(host) ? undefined : name,
    ALPNProtocols: ['http/1.1'],
    // Overrides NODE_TLS_REJECT_UNAUTHORIZED.
    rejectUnauthorized: true,
    ca,
  })
}
