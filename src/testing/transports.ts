import type { TestApp } from './test-app.ts'

export type TestResponse = { status: number; contentType: string; body: unknown }
type TestRequest = { token?: string | undefined; input?: Record<string, unknown> | undefined }

const bearer = (token: string | undefined) => (token ? { authorization: `Bearer ${token}` } : {})

/** Calls a procedure over HTTP as the browser does. The body is its data, or its error in the REST format. */
export async function callTrpc(
  http: TestApp['http'],
  call: string,
  type: string,
  { token, input }: TestRequest,
): Promise<TestResponse> {
  const isQuery = type === 'query'
  const search = isQuery && input ? `?input=${encodeURIComponent(JSON.stringify(input))}` : ''
  const response = await http.inject({
    method: isQuery ? 'GET' : 'POST',
    url: `/trpc/${call}${search}`,
    headers: bearer(token),
    ...(isQuery ? {} : { payload: input ?? {} }),
  })
  const { result, error } = response.json()
  const body = error
    ? {
        error: error.message,
        ...(error.data.fields && { fields: error.data.fields }),
        ...(error.data.stepUp && { stepUp: error.data.stepUp }),
        requestId: 'x',
      }
    : result.data
  return { status: response.statusCode, contentType: String(response.headers['content-type']), body }
}

/** Calls a documented path, `METHOD /path/{id}`. Ids in the input go into the path, the rest into the query or body. */
export async function callRest(
  http: TestApp['http'],
  route: string,
  { token, input = {} }: TestRequest,
): Promise<TestResponse> {
  const [method = '', template = ''] = route.split(' ')
  const ids = [...template.matchAll(/\{(\w+)\}/g)].map(match => match[1] ?? '')
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input[name])))
  const others = Object.entries(input).filter(([name]) => !ids.includes(name))
  const isQuery = method === 'GET' || method === 'DELETE'
  const search = new URLSearchParams(isQuery ? others.map(([name, value]) => [name, String(value)]) : [])
  const response = await http.inject({
    method: method as 'GET',
    url: `${path}${search.size > 0 ? `?${search}` : ''}`,
    headers: bearer(token),
    ...(isQuery || others.length === 0 ? {} : { payload: Object.fromEntries(others) }),
  })
  const contentType = String(response.headers['content-type'])
  return {
    status: response.statusCode,
    contentType,
    body: contentType.includes('json') ? response.json() : response.body,
  }
}
