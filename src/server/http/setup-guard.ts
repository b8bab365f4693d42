import type { FastifyRequest, onRequestHookHandler } from 'fastify'
import { AppError } from '../../domain/common/errors.ts'
import type { Deps } from '../kernel/deps.ts'
import { installPhase } from '../operations/install/phase.ts'
import { isApiUrl } from './api-url.ts'
import { callsOf } from './calls-of.ts'
import { sendPlainPage } from './preview.ts'

const sentence = 'This site is being set up.'

/** Until there is an administrator, a site that is installed in the browser answers only for that (INST-14). */
export function setupGuard(deps: Deps): onRequestHookHandler {
  if (!deps.config.install) return (_request, _reply, done) => done()
  return (request, reply, done) => {
    if (installPhase(deps) !== 'account' || isForSetup(request)) return done()
    reply.header('X-Robots-Tag', 'noindex')
    if (isApiUrl(request.url)) return done(new AppError('unavailable', sentence))
    void sendPlainPage(reply.status(503), 'Being set up', sentence)
  }
}

function isForSetup(request: FastifyRequest): boolean {
  const path = request.url.split('?', 1)[0] ?? ''
  if (path === '/install' || path === '/favicon.svg' || path.startsWith('/assets/')) return true
  const calls = callsOf(request)
  return calls.length > 0 && calls.every(call => call === 'site.health' || call.startsWith('install.'))
}
