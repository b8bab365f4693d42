import { lookup, Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import { BlockList, isIP, type Socket } from 'node:net'
import { isLocalAddress } from './local-address.ts'
import { type ConnectionTarget, openConnection } from './pinned-connection.ts'

/** How a mail server that an administrator chose is found and reached. Tests replace it. */
export type MailNetwork = {
  lookup: (host: string) => Promise<readonly string[]>
  /** The texts at a name in the DNS; none for a name without texts. @throws if it cannot be looked up */
  texts: (name: string) => Promise<string[]>
  connect: (target: ConnectionTarget) => Socket
  /** Certificates to trust instead of the usual authorities, as PEM. */
  ca?: string
}

const connectTimeoutMs = 20_000
/** Names that are in no DNS (RFC 6761). */
const reserved = /\.(?:example|invalid|localhost|test)$/
const noTexts = ['ENODATA', 'ENOTFOUND']

export const mailNetwork: MailNetwork = {
  lookup: async host => (await lookup(host, { all: true })).map(({ address }) => address),
  async texts(name) {
    if (reserved.test(name)) return []
    try {
      const found = await new Resolver({ timeout: 2000, tries: 2 }).resolveTxt(name)
      return found.map(parts => parts.join(''))
    } catch (error) {
      if (error instanceof Error && 'code' in error && noTexts.includes(String(error.code))) return []
      throw error
    }
  },
  connect: openConnection,
}

/** A relay in the own network is usual, but there nothing else may be probed: only the ports of mail servers. */
const relayPorts = [25, 465, 587, 2525]
const ownNetworks = new BlockList()
for (const [network, bits] of [
  ['10.0.0.0', 8],
  ['127.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  ownNetworks.addSubnet(network, bits, 'ipv4')
ownNetworks.addAddress('::1', 'ipv6')
ownNetworks.addSubnet('fc00::', 7, 'ipv6')

const isRelay = (address: string, port: number) =>
  relayPorts.includes(port) && ownNetworks.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

/**
 * Connects to a mail server by addresses that were checked.
 * @throws Error for an address that is not one of a mail server, and when it does not answer
 */
export async function connectMail(network: MailNetwork, host: string, port: number): Promise<Socket> {
  const addresses = isIP(host) ? [host] : await network.lookup(host)
  if (addresses.some(address => isLocalAddress(address) && !isRelay(address, port)))
    throw new Error(
      `${host} is in a private network: only the ports ${relayPorts.join(', ')} are used there.`,
    )
  const socket = network.connect({ isSecure: false, host, port, addresses, ca: undefined })
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(connectTimeoutMs) })
  } catch (error) {
    socket.destroy()
    throw error
  }
  return socket
}
