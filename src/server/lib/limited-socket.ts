import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import type { ConnectionOptions } from 'node:tls'

/**
 * What Nodemailer needs of a connection that ends once it has received more than a mail server ever says: Nodemailer
 * keeps every complete line that it has not looked at yet, so that a server could fill the memory. From a socket TLS
 * would read megabytes past `push` before anything else runs, so it gets another stream that reads the socket.
 */
export function limitReceived(socket: Socket, maxBytes: number, tls: ConnectionOptions = {}) {
  let received = 0
  const push = socket.push.bind(socket)
  socket.push = (chunk: unknown, encoding?: BufferEncoding) => {
    if (chunk instanceof Uint8Array) received += chunk.byteLength
    if (received <= maxBytes) return push(chunk, encoding)
    socket.destroy(new Error('The mail server sent too much.'))
    return false
  }
  // Nodemailer asks for the stream when it begins TLS.
  const begun = {
    ...tls,
    get socket() {
      return Duplex.from({ readable: socket, writable: socket } as never)
    },
  }
  return { connection: socket, tls: begun }
}
