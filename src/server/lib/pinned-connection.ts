import { isIP, type LookupFunction, connect as netConnect, type Socket } from 'node:net'
import { connect as tlsConnect } from 'node:tls'

/** Where a connection goes: `host` is only what the certificate must name, `addresses` are all that may be connected to. */
export type ConnectionTarget = {
  isSecure: boolean
  host: string
  port: number
  addresses: readonly string[]
  ca: string | undefined
}

/** Connects to these addresses and no other: the name is not resolved again. */
export function openConnection({ isSecure, host, port, addresses, ca }: ConnectionTarget): Socket {
  const known = addresses.map(address => ({ address, family: isIP(address) }))
  const [first] = known
  if (!first) throw new Error('no address to connect to')
  const lookup: LookupFunction = (_hostname, { all }, done) =>
    all ? done(null, known) : done(null, first.address, first.family)
  // Several addresses are tried one after the other; the default of a quarter second is too short for a far host.
  const options = { port, lookup, autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 2_000 }
  if (!isSecure) return netConnect({ ...options, host: isIP(host) ? first.address : host })
  const name = host.replace(/\.+$/, '')
  return tlsConnect({
    ...options,
    host: isIP(host) ? first.address : name,
    servername: isIP(host) ? undefined : name,
    ALPNProtocols: ['http/1.1'],
    // Also where the environment says otherwise.
    rejectUnauthorized: true,
    ca,
  })
}
