import type { FastifyRequest } from 'fastify'
import { restRoutes } from '../procedure-list.ts'

/** The procedure of each documented path, by method and pattern of the route. */
const restCalls = new Map(
  restRoutes.map(({ method, pattern, procedure }) => [`${method} ${pattern}`, procedure.call]),
)

/** The names of the procedures that a request calls, over tRPC or REST; none for other requests. */
export function callsOf({ method, params, routeOptions: { url } }: FastifyRequest): string[] {
  if (url === '/trpc/:path') {
    const { path } = params as { path: string }
    // tRPC decodes what is encoded twice once more, and would read a comma as a batch.
    return path.includes('%') ? [] : path.split(',')
  }
  const call = restCalls.get(`${method === 'HEAD' ? 'GET' : method} ${url}`)
  return call === undefined ? [] : [call]
}

/**
 * The path of a request by which to tell an API from a page: its route's, as the path itself may be written with `%`;
 * its own where no route, or only that of all pages, has it.
 */
export const routedUrl = ({ routeOptions: { url: route }, url }: FastifyRequest): string =>
  route === undefined || route === '/*' ? url : route

export const isProcedureUrl = (url: string) => /^\/trpc([/?]|$)/.test(url)
export const isApiUrl = (url: string) => isProcedureUrl(url) || url.startsWith('/api/') || url === '/api'
