import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterThisTest } from '../cleanups.ts'

/** S3-compatible storage with one bucket, in memory; enough for restic. It checks the access key, not the signature. */
export async function bucketHost(accessKey: string) {
  const objects = new Map<string, Buffer>()
  const refused = { count: 0 }
  /** Answers instead of the host if it returns true. */
  const fault = { at: (_method: string, _key: string, _response: ServerResponse): boolean => false }
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '', 'http://host')
    const [, bucket = '', ...rest] = url.pathname.split('/')
    const key = decodeURIComponent(rest.join('/'))
    const body = await buffer(request)
    const answer = (status: number, content: Buffer | string = '', headers: Record<string, string> = {}) =>
      response.writeHead(status, headers).end(request.method === 'HEAD' ? '' : content)
    if (!(request.headers.authorization ?? '').includes(`Credential=${accessKey}/`)) {
      refused.count += 1
      return answer(403, '<Error><Code>AccessDenied</Code><Message>Access Denied.</Message></Error>')
    }
    if (fault.at(request.method ?? '', key, response)) return
    if (bucket !== 'bucket') return answer(404, '<Error><Code>NoSuchBucket</Code></Error>')
    if (key === '') {
      if (url.searchParams.has('location'))
        return answer(200, '<LocationConstraint>us-east-1</LocationConstraint>')
      const prefix = url.searchParams.get('prefix') ?? ''
      const found = [...objects].filter(([name]) => name.startsWith(prefix))
      const rows = found.map(
        ([name, { byteLength }]) => `<Contents><Key>${name}</Key><Size>${byteLength}</Size></Contents>`,
      )
      return answer(
        200,
        `<ListBucketResult><IsTruncated>false</IsTruncated>${rows.join('')}</ListBucketResult>`,
      )
    }
    if (request.method === 'PUT') {
      objects.set(key, decoded(body, request.headers['x-amz-content-sha256']))
      return answer(200, '', { etag: '"1"' })
    }
    const object = objects.get(key)
    if (!object) return answer(404, '<Error><Code>NoSuchKey</Code><Message>none</Message></Error>')
    if (request.method === 'DELETE') {
      objects.delete(key)
      return answer(204)
    }
    const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? []
    const part = from === undefined ? object : object.subarray(Number(from), to ? Number(to) + 1 : undefined)
    const headers = {
      'content-length': String(part.byteLength),
      etag: '"1"',
      'last-modified': new Date(0).toUTCString(),
    }
    return answer(from === undefined ? 200 : 206, part, headers)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  afterThisTest(() => {
    server.closeAllConnections()
    server.close()
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { origin, address: `${origin}/bucket/condo`, objects, refused, fault }
}

/** Uploads may come in signed chunks: length in hex, signature, then the bytes. */
function decoded(body: Buffer, kind: string | string[] | undefined): Buffer {
  if (!String(kind).startsWith('STREAMING-')) return body
  const parts: Buffer[] = []
  for (let at = 0; at < body.byteLength; ) {
    const end = body.indexOf('\r\n', at)
    const length = parseInt(body.subarray(at, end).toString(), 16)
    if (length === 0) break
    parts.push(body.subarray(end + 2, end + 2 + length))
    at = end + 2 + length + 2
  }
  return Buffer.concat(parts)
}
