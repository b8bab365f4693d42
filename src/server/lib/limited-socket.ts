import type { Socket } from 'node:net'

const pollMs = 20

/**
 * Ends a connection once it has received more than a mail server ever says. Nodemailer keeps every complete line that it
 * has not looked at yet, so that a server could fill the memory. What is inside TLS bypasses `push`, so the bytes are
 * also counted by time.
 */
export function limitReceived(socket: Socket, maxBytes: number): Socket {
  const end = () => socket.destroy(new Error('The mail server sent too much.'))
  let received = 0
  const push = socket.push.bind(socket)
  socket.push = (chunk: unknown, encoding?: BufferEncoding) => {
    if (chunk instanceof Uint8Array) received += chunk.byteLength
    if (received <= maxBytes) return push(chunk, encoding)
    end()
    return false
  }
  const timer = setInterval(() => {
    if (socket.bytesRead > maxBytes) end()
  }, pollMs).unref()
  socket.once('close', () => clearInterval(timer))
  return socket
}
