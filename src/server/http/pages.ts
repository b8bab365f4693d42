import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import pLimit from 'p-limit'
import { isPublicPath } from '../../domain/content/public-pages.ts'
import { cachedUntilWrite } from '../kernel/cached-until-write.ts'
import { type Deps, todayAt } from '../kernel/deps.ts'
import { yieldToEventLoop } from '../lib/event-loop.ts'
import { installPhase } from '../operations/install/phase.ts'
import { createCaller } from '../root-router.ts'
import { isApiUrl } from './calls-of.ts'
import { mountContactForm } from './contact-form.ts'
import { type Bodies, chooseEncoding, etagOf, isNotModified } from './encodings.ts'
import { isPreview, previewOf, sendPlainPage, sendPreview, sendPreviewEnded } from './preview.ts'

/** The exports of src/web/app/entry-server.tsx; the server depends on the browser app only through this type. */
export type WebApp = {
  /** The route pattern of a path, such as `/application/:id`; undefined if there is no such screen. */
  screenPattern: (path: string) => string | undefined
  /** The source files that the screen needs, as named in the build's manifest. */
  screenSources: (path: string) => string[]
  readPage: (path: string, ask: ReturnType<typeof createCaller>) => Promise<object>
  renderPage: (page: never) => Promise<{ head: string; body: string }>
}

type Pages = {
  web: WebApp
  /** The built index.html for the screen at a path. */
  templateOf: (path: string) => string
}

/** All paths without a screen share one document. */
const unknownPath = '/404'
const warmUpDelayMs = 500
/**
 * The first render of the home page would take 150 ms. No visitor should wait for it, and what smaller pages have in
 * common with it need not be compiled at once.
 */
const warmUpPaths = [unknownPath, '/contact', '/']
/** Bounds the memory: a page and what it is made of take a megabyte. */
const maxWaitingRenders = 20
/** The best quality is 10% smaller, but takes 250 ms. */
const brotliQuality = 5

/** A document in all encodings. */
export type Document = { etag: string; bodies: Bodies }

/**
 * Serves the document of every screen. Public pages are rendered completely; other screens have a header, a footer and
 * a loading message that the browser replaces.
 */
export async function mountPages(app: FastifyInstance, deps: Deps, pages: Pages): Promise<void> {
  const { templateOf, web } = pages
  const render = createRenderer(deps, pages)
  const { origin } = deps.config
  // Pages that are not cached, one per turn of the event loop, so that other requests run in between.
  const uncached = pLimit(1)
  const isBusy = () => uncached.pendingCount >= maxWaitingRenders
  const renderNext = (path: string, readData: () => Promise<object>) =>
    uncached(async () => {
      await yieldToEventLoop()
      return renderPage(web, { path, data: await readData(), origin, template: templateOf(path) })
    })

  const closing = new AbortController()
  const warmUp = async () => {
    for (const path of warmUpPaths) {
      await sleep(warmUpDelayMs, undefined, { ref: false, signal: closing.signal })
      await render(path)
    }
  }
  app.addHook('onListen', async () => {
    void warmUp().catch(error => {
      if (!closing.signal.aborted) deps.log.error({ err: error }, 'a page could not be rendered')
    })
  })
  app.addHook('onClose', async () => closing.abort())

  await mountContactForm(app, deps, isBusy, contactReply =>
    renderNext('/contact', async () => ({ ...(await readPage(web, '/contact', { deps })), contactReply })),
  )
  app.get('/*', async (request, reply) => {
    const path = screenPath(request)
    if (path === undefined) return reply.callNotFound()
    const pattern = shownPattern(deps, web, path)
    // After the administrator is made, only the browser knows who may see the steps.
    if (pattern === undefined || (path === installPath && installPhase(deps) !== 'account')) reply.status(404)
    const isPublic = isPublicPath(path)
    if (!isPublic || deps.opening() !== 'open') reply.header('X-Robots-Tag', 'noindex')
    if (isPublic) {
      // Before the draft is read, which takes a while, too.
      if (isPreview(request) && isBusy())
        return sendPlainPage(
          reply.status(503).header('Retry-After', '2'),
          'Preview',
          'The site is busy. Please try again in a moment.',
        )
      const preview = previewOf(deps, request)
      if (preview === 'ended') return sendPreviewEnded(reply)
      if (preview) return sendPreview(reply, await renderNext(path, () => readPage(web, path, preview)))
    }
    try {
      return send(request, reply, await render(pattern ?? unknownPath))
    } catch (error) {
      // The browser renders the screen instead, and shows the loading error.
      deps.log.error({ err: error, path }, 'a page could not be rendered')
      const plain = fill(templateOf(path), fallbackHead)
      return reply.header('Cache-Control', 'no-store').type('text/html; charset=utf-8').send(plain)
    }
  })
}

const installPath = '/install'

/** The pattern of a path, unless there is no such screen here. */
export const shownPattern = (deps: Deps, web: WebApp, path: string): string | undefined =>
  path === installPath && installPhase(deps) === 'over' ? undefined : web.screenPattern(path)

/** Renders one document per route pattern, again after each write and at midnight. */
function createRenderer(deps: Deps, { web, templateOf }: Pages) {
  const { origin } = deps.config
  const render = async (path: string): Promise<Document> => {
    const data = await readPage(web, path, { deps })
    // Reading and rendering are both slow the first time.
    await yieldToEventLoop()
    return asDocument(await renderPage(web, { path, data, origin, template: templateOf(path) }))
  }
  return (path: string): Promise<Document> => {
    const today = todayAt(deps)
    return cachedUntilWrite(deps, `page ${path} ${today}`, () => render(path))
  }
}

/** Reads a page's data; a preview's data includes the token, which the page adds to its links. */
export const readPage = async (
  web: WebApp,
  path: string,
  { deps, token }: { deps: Deps; token?: string },
) => ({
  ...(await web.readPage(path, createGuestCaller(deps))),
  ...(token !== undefined && { preview: token }),
})

/** Renders a screen as a complete document. */
export async function renderPage(
  web: WebApp,
  { template, ...page }: { path: string; data: object; origin: string; template: string },
): Promise<string> {
  const { head, body } = await web.renderPage(page as never)
  return fill(template, head, body)
}

/** The request's path if it can be a screen; undefined for API and file requests. */
export function screenPath({ url }: FastifyRequest): string | undefined {
  const path = url.split('?', 1)[0] ?? ''
  return isApiUrl(path) || /\.\w{1,8}$/.test(path) ? undefined : path
}

/** Calls procedures for server-side rendering, with the rights of a visitor without an account. */
function createGuestCaller(deps: Deps): ReturnType<typeof createCaller> {
  const actor = { role: 'guest', requestOrigin: { address: '', userAgent: '' } } as const
  return createCaller({ deps, actor, sessionId: undefined, requestId: 'page' })
}

/** The head of a document that could not be rendered: without a title. */
export const fallbackHead = '<meta name="robots" content="noindex" />'
const emptyRoot = '<div id="root"></div>'

/** Inserts a page's head and body into index.html. */
export function fill(template: string, head: string, body = emptyRoot): string {
  return template.replace('<!--head-->', () => head).replace(emptyRoot, () => body)
}

/** Compresses a document. */
export async function asDocument(html: string): Promise<Document> {
  const identity = Buffer.from(html)
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
    [constants.BROTLI_PARAM_SIZE_HINT]: identity.length,
  }
  const [br, zipped] = await Promise.all([
    promisify(brotliCompress)(identity, { params }),
    promisify(gzip)(identity, { level: 7 }),
  ])
  return { etag: etagOf(identity), bodies: { identity, br, gzip: zipped } }
}

/** Sends a document in an encoding that the client accepts, or 304. */
export function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { etag, bodies }: Document,
  type = 'text/html; charset=utf-8',
) {
  reply.header('Vary', 'Accept-Encoding').header('ETag', etag)
  if (!reply.hasHeader('Cache-Control')) reply.header('Cache-Control', 'no-cache')
  if (reply.statusCode === 200 && isNotModified(request, etag)) return reply.status(304).send()
  const encoding = chooseEncoding(request.headers['accept-encoding'], bodies)
  if (encoding !== 'identity') reply.header('Content-Encoding', encoding)
  return reply.type(type).send(bodies[encoding])
}
