// The baseline for the site: plain node:http that sends the same bytes from memory.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

/** A response; the body is base64. */
export type BaselineRoute = { status: number; headers: Record<string, string>; body: string }

const routes: Record<string, BaselineRoute> = JSON.parse(readFileSync(process.env.ROUTES ?? '', 'utf8'))
const responses = new Map(
  Object.entries(routes).map(([path, { body, headers, status }]) => {
    const bytes = Buffer.from(body, 'base64')
    return [
      path,
      { status, bytes, headers: [...Object.entries(headers).flat(), 'Content-Length', `${bytes.length}`] },
    ]
  }),
)
createServer((request, response) => {
  const found = responses.get(request.url ?? '')
  if (found) response.writeHead(found.status, found.headers).end(found.bytes)
  else response.writeHead(404).end()
}).listen(Number(process.env.PORT), '127.0.0.1')
