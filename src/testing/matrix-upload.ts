import type { RouteRow } from './matrix-rows.ts'
import { type MatrixSite, type OpenedMatrixSite, scanForm } from './matrix-site.ts'
import { pictureForm } from './picture-site.ts'
import type { TestResponse } from './transports.ts'

/** Sends the row's form with its file over HTTP. */
export async function sendFile(
  site: OpenedMatrixSite,
  matrix: MatrixSite,
  row: RouteRow,
  token: string | undefined,
): Promise<TestResponse> {
  const { server } = await site.fastify()
  const url = server.listening ? '' : await site.listen()
  const { port } = server.address() as { port: number }
  const { applicationId, itemId, token: linkToken } = row.input?.(matrix) ?? {}
  const path = row.route
    .split(' ')[1]
    ?.replace('{applicationId}', String(applicationId))
    .replace('{itemId}', String(itemId))
  const response = await fetch(`${url || `http://127.0.0.1:${port}`}${path}`, {
    method: 'POST',
    headers: token ? { authorization: `Bearer ${token}` } : {},
    body:
      row.file === 'picture' || row.file === 'photo'
        ? pictureForm(matrix.newPicture, 'new.jpg', row.file)
        : scanForm(String(linkToken ?? applicationId), row.file, linkToken ? 'token' : undefined),
  })
  return {
    status: response.status,
    contentType: response.headers.get('content-type') ?? '',
    body: await response.json(),
  }
}
