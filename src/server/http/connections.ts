import type { Server } from 'node:http'

const maxConnections = 500
/** With more connections than these, each one closes after its response, so that clients that wait cannot keep all. */
const maxKeptAlive = 400
/** Long enough for a slow client: the buffers of the system and of a proxy take up hundreds of KB at a time. */
const defaultStallMs = 30_000

/** Limits the connections, and how long a client may stop reading a response. The work before a response may take longer. */
export function limitConnections(server: Server, maxStallMs = defaultStallMs): void {
  server.maxConnections = maxConnections
  let open = 0
  server.on('connection', socket => {
    open++
    socket.once('close', () => open--)
  })
  server.prependListener('request', (_request, response) => {
    if (open > maxKeptAlive) response.shouldKeepAlive = false
    const limitStall = () => response.setTimeout(maxStallMs)
    response.once('pipe', limitStall).once('prefinish', limitStall)
  })
}
