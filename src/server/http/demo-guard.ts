import type { FastifyRequest, onRequestHookHandler } from 'fastify'
import { AppError } from '../../domain/common/errors.ts'
import type { Config } from '../kernel/config.ts'
import type { Deps } from '../kernel/deps.ts'
import { installPhase } from '../operations/install/phase.ts'
import { callsOf, isApiUrl, routedUrl } from './calls-of.ts'
import { sendPlainPage } from './preview.ts'

const forwardingHeaders = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'via',
]

/**
 * In demo mode, accepts only requests to this machine's own host names, and none that came through a proxy, so that
 * a forgotten NODE_ENV does not publish the demo.
 */
export function demoGuard({ mode, demo }: Config): onRequestHookHandler {
  if (mode === 'production') return (_request, _reply, done) => done()
  return (request, _reply, done) => {
    const host = (request.headers.host ?? '').replace(/:\d+$/, '').toLowerCase()
    const forwarded = forwardingHeaders.find(name => request.headers[name] !== undefined)
    if (demo.hosts.includes(host) && forwarded === undefined) return done()
    const reason = forwarded
      ? `This is the demo, and the request came through a proxy (${forwarded}).`
      : 'This is the demo, and it accepts only requests to this machine’s host names.'
    const remedy =
      'For whoever runs the server: set NODE_ENV=production for a public site, or DEMO_HOSTS=name,… to allow more host names on a home network.'
    done(new AppError('forbidden', `${reason} ${remedy}`))
  }
}

const sentence = 'This site is being set up.'

/** Until there is an administrator, a site that is installed in the browser answers only for that (INST-14). */
export function setupGuard(deps: Deps): onRequestHookHandler {
  if (!deps.config.install) return (_request, _reply, done) => done()
  return (request, reply, done) => {
    if (installPhase(deps) !== 'account' || isForSetup(request)) return done()
    reply.header('X-Robots-Tag', 'noindex')
    if (isApiUrl(routedUrl(request))) return done(new AppError('unavailable', sentence))
    void sendPlainPage(reply.status(503), 'Being set up', sentence)
  }
}

function isForSetup(request: FastifyRequest): boolean {
  const path = request.url.split('?', 1)[0] ?? ''
  if (path === '/install' || path === '/favicon.svg' || path.startsWith('/assets/')) return true
  const calls = callsOf(request)
  return calls.length > 0 && calls.every(call => call === 'site.health' || call.startsWith('install.'))
}
