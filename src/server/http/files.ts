import { Readable } from 'node:stream'
import type { MultipartFile } from '@fastify/multipart'
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { requireAdmin, requireSignedIn, requireTenant, type SignedIn } from '../../domain/accounts/access.ts'
import { evidenceRefusals, maxEvidenceBytes } from '../../domain/bookings/evidence.ts'
import { AppError } from '../../domain/common/errors.ts'
import { toNormalForm } from '../../domain/common/printable.ts'
import { withApplication, withToken } from '../../domain/common/record-ids.ts'
import { maxPictureBytes, pictureMessages } from '../../domain/content/picture.ts'
import { messageRefusals } from '../../domain/conversations/message.ts'
import { leaseMessages, maxUploadBytes } from '../../domain/leases/lease.ts'
import { bookCsvInput, bookYearInput } from '../../domain/money/book-input.ts'
import { revenueInput } from '../../domain/money/payment-input.ts'
import { importTemplate } from '../applications/manual/import-template.ts'
import { stayCalendar } from '../arrival/calendar.ts'
import { readEvidence } from '../bookings/evidence.ts'
import {
  deadLink,
  openLink,
  readMessageFile,
  requireReceivable,
  type Sender,
  storeMessageFile,
} from '../conversations/send.ts'
import type { MessageFileView } from '../conversations/views.ts'
import type { Context } from '../kernel/context.ts'
import type { Deps } from '../kernel/deps.ts'
import { sessionDeps } from '../kernel/session-write.ts'
import { addendumPdf } from '../leases/addenda/queries.ts'
import { requireUploadableAddendum, uploadSignedAddendum } from '../leases/addenda/upload.ts'
import { leasePdf, readSignedLease } from '../leases/queries.ts'
import { signerPdf } from '../leases/signing/open.ts'
import { requireUploadable, requireUploader, type Uploader, uploadSignedLease } from '../leases/upload.ts'
import { booksCsv, booksPdf } from '../money/books/files.ts'
import { addItemPhoto } from '../money/deposits/items.ts'
import { adminDeposit } from '../money/deposits/queries.ts'
import { letterFile, statementFile } from '../money/deposits/statements.ts'
import { receiptPdf } from '../money/payments/receipts.ts'
import { revenueCsv } from '../money/payments/revenue.ts'
import { uploadPicture } from '../site/pictures/upload-picture.ts'
import { leasePreview, leasePreviewInput } from '../site/wordings/preview.ts'
import type { GetContext } from './context.ts'
import { createQueryParser } from './json-schema.ts'
import { type Sender as BodySender, collect, holdBytes, receiveForm } from './receive-body.ts'
import { createUploadSlots, type UploadSlots } from './upload-slots.ts'

/** Allowance for the rest of a form: boundaries, headers, the application id. */
const formOverheadBytes = 64 * 1024
/** Memory that files leave to signatures. */
const spareBytes = 4 * 1024 * 1024

const readRevenueQuery = createQueryParser(revenueInput)

type Download = { content: Uint8Array | Readable; contentType: string; fileName: string }

/** Mounts uploads and downloads, which are not procedures but call the same services. */
export async function mountFiles(app: FastifyInstance, deps: Deps, getContext: GetContext): Promise<void> {
  await app.register(async scope => {
    await scope.register(multipart, { throwFileSizeLimit: false })
    const inSlot = createUploadSlots()
    const receiveLease = createUploadReceiver(deps, inSlot)
    const receiveFile = createMessageFileReceiver(deps, inSlot)
    const receiveAddendum = createAddendumReceiver(deps, inSlot)
    const actorOf = async (request: FastifyRequest) => {
      const { actor, waitForTurn } = await getContext(request)
      await waitForTurn?.()
      return requireSignedIn(actor)
    }

    const sendPdf = (reply: FastifyReply, { content, filename }: { content: Uint8Array; filename: string }) =>
      sendFile(reply, { content, fileName: filename, contentType: 'application/pdf' })

    scope.post('/api/lease/upload-signed', async request => {
      const { tenantView } = await receiveLease(request, await getContext(request), 'tenant')
      return { uploadedLease: { ...tenantView.signedLeaseFile, applicationId: tenantView.id } }
    })
    scope.post('/api/application/admin/upload-lease', async request => {
      const { adminView } = await receiveLease(request, await getContext(request), 'admin')
      return { application: adminView }
    })
    scope.post<{ Params: { addendumId: string } }>(
      '/api/change/addendum/:addendumId/upload-signed',
      async request => receiveAddendum(request, await getContext(request), request.params.addendumId),
    )
    scope.get<{ Params: { addendumId: string } }>(
      '/api/change/addendum/:addendumId/pdf',
      async (request, reply) =>
        sendFile(reply, await addendumPdf(deps, await actorOf(request), request.params.addendumId)),
    )
    for (const [path, role] of [
      ['/api/message/:applicationId/file', 'tenant'],
      ['/api/message/admin/:applicationId/file', 'admin'],
    ] as const)
      scope.post<{ Params: { applicationId: string } }>(path, async (request, reply) => {
        const actor = await actorOf(request)
        const { applicationId } = request.params
        const sender = { actor: role === 'admin' ? requireAdmin(actor) : requireTenant(actor), applicationId }
        return reply.status(201).send({ file: await receiveFile(request, await getContext(request), sender) })
      })
    scope.post('/api/message/reply/file', async (request, reply) =>
      reply.status(201).send({ file: await receiveFile(request, await getContext(request)) }),
    )
    scope.get<{ Params: { fileId: string } }>('/api/message/file/:fileId', async (request, reply) =>
      sendFile(reply, await readMessageFile(deps, await actorOf(request), request.params.fileId)),
    )
    for (const path of ['/api/evidence/:evidenceId', '/api/deposit/photo/:photoId'])
      scope.get<{ Params: Record<string, string> }>(path, async (request, reply) => {
        const actor = await actorOf(request)
        const { preview } = z.object({ preview: z.literal('1').optional() }).parse(request.query)
        const [id = ''] = Object.values(request.params)
        return sendFile(reply, await readEvidence(deps, actor, id, preview !== undefined))
      })
    scope.post<{ Params: { itemId: string } }>(
      '/api/deposit/admin/item/:itemId/photo',
      async (request, reply) => {
        const { itemId } = request.params
        const added = await receiveItemPhoto(deps, inSlot, request, await getContext(request), itemId)
        return reply.status(201).send(added)
      },
    )
    scope.get<{ Params: { applicationId: string } }>(
      '/api/stay/:applicationId/stay.ics',
      async (request, reply) => {
        const { applicationId } = request.params
        return sendFile(reply, stayCalendar(deps, { actor: await actorOf(request), applicationId }))
      },
    )
    scope.post('/api/stay/open/ics', async (request, reply) => {
      await deps.limits.consume('guestLinkByAddress', request.ip)
      return sendFile(reply, stayCalendar(deps, withToken.parse(request.body)))
    })
    scope.post('/api/signer/pdf', async (request, reply) => {
      await deps.limits.consume('signerOpenByAddress', request.ip)
      return sendFile(reply, await signerPdf(deps, withToken.parse(request.body).token))
    })
    scope.post('/api/picture/admin', async (request, reply) => {
      const { isNew, picture } = await receivePicture(deps, request, await getContext(request))
      return reply.status(isNew ? 201 : 200).send({ picture })
    })
    scope.get('/api/lease/download', async (request, reply) => {
      const actor = await actorOf(request)
      const { applicationId } = withApplication.parse(request.query)
      return sendFile(reply, await leasePdf(deps, actor, applicationId))
    })
    scope.get('/api/lease/view-signed', async (request, reply) =>
      sendFile(reply, await readSignedLease(deps, await actorOf(request), undefined)),
    )
    scope.get<{ Params: { applicationId: string } }>(
      '/api/lease/view-signed/:applicationId',
      async (request, reply) =>
        sendFile(reply, await readSignedLease(deps, await actorOf(request), request.params.applicationId)),
    )
    scope.get<{ Params: { id: string } }>('/api/payment/:id/receipt.pdf', async (request, reply) => {
      return sendPdf(reply, await receiptPdf(deps, await actorOf(request), request.params.id))
    })
    scope.get<{ Params: { applicationId: string; statementId: string } }>(
      '/api/deposit/:applicationId/statement/:statementId',
      async (request, reply) => {
        const { applicationId, statementId } = request.params
        return sendPdf(reply, await statementFile(deps, await actorOf(request), applicationId, statementId))
      },
    )
    scope.get<{ Params: { letterId: string } }>(
      '/api/deposit/admin/letter/:letterId/pdf',
      async (request, reply) => {
        const actor = requireAdmin(await actorOf(request))
        return sendPdf(reply, await letterFile(deps, actor, request.params.letterId))
      },
    )
    scope.get('/api/payment/admin/revenue.csv', async (request, reply) => {
      const actor = requireAdmin(await actorOf(request))
      const query = readRevenueQuery(request.query as Record<string, unknown>)
      const { fileName, parts } = revenueCsv(deps, actor, revenueInput.parse(query))
      return sendFile(reply, {
        content: Readable.from(parts),
        fileName,
        contentType: 'text/csv; charset=utf-8',
      })
    })
    scope.get<{ Params: { year: string } }>('/api/book/admin/csv/:year', async (request, reply) => {
      const actor = requireAdmin(await actorOf(request))
      const input = bookCsvInput.parse({ ...(request.query as object), ...request.params })
      return sendFile(reply, { ...booksCsv(deps, actor, input), contentType: 'text/csv; charset=utf-8' })
    })
    scope.get<{ Params: { year: string } }>('/api/book/admin/pdf/:year', async (request, reply) => {
      const actor = requireAdmin(await actorOf(request))
      const file = await booksPdf(deps, actor, bookYearInput.parse(request.params).year)
      return sendFile(reply, { ...file, contentType: 'application/pdf' })
    })
    scope.post('/api/site/admin/lease-preview', async (request, reply) => {
      const actor = requireAdmin(await actorOf(request))
      const { body, kind } = leasePreviewInput.parse(request.body)
      return sendFile(reply, await leasePreview(deps, actor, body, kind))
    })
    scope.get('/api/booking/admin/import/template.csv', async (request, reply) =>
      sendFile(reply, importTemplate((await getContext(request)).actor)),
    )
  })
}

/** Sends a file so that it cannot run in the browser: as a sandboxed attachment with the detected content type. */
function sendFile(reply: FastifyReply, { content, contentType, fileName }: Download) {
  return reply
    .type(contentType)
    .header('Content-Disposition', attachment(fileName))
    .header('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'; sandbox")
    .header('X-Content-Type-Options', 'nosniff')
    .header('Cache-Control', 'no-store')
    .send(content)
}

/** The file name in plain ASCII for old clients and in UTF-8 for all others (RFC 6266). */
function attachment(fileName: string): string {
  const ascii = toNormalForm(fileName, 'NFD').replace(/[^\x20-\x7e]|["\\%]/g, '') || 'lease.pdf'
  const utf8 = encodeURIComponent(fileName).replace(/['()*]/g, c => `%${c.charCodeAt(0).toString(16)}`)
  return `attachment; filename="${ascii}"; filename*=UTF-8''${utf8}`
}

/**
 * Receives a form with a file, whose length is limited also when the client does not announce it.
 * @throws AppError too_large with the message; what `read` throws
 */
function receive<T>(
  request: FastifyRequest,
  sender: BodySender,
  { maxFileBytes, tooLarge }: { maxFileBytes: number; tooLarge: string },
  read: () => Promise<T>,
): Promise<T> {
  const maxBytes = maxFileBytes + formOverheadBytes
  if (Number(request.headers['content-length']) > maxBytes) throw new AppError('too_large', tooLarge)
  return receiveForm(request, sender, maxBytes, read)
}

const scan = { maxFileBytes: maxUploadBytes, tooLarge: leaseMessages.fileTooLarge }
const messageFile = { maxFileBytes: maxUploadBytes, tooLarge: messageRefusals.fileTooLarge }
const photo = { maxFileBytes: maxEvidenceBytes, tooLarge: evidenceRefusals.fileTooLarge }
const picture = { maxFileBytes: maxPictureBytes, tooLarge: pictureMessages.fileTooLarge }

/** Receives a form with one file. The caller, and an application id before the file, are checked before reading it. */
function createUploadReceiver(deps: Deps, inSlot: UploadSlots) {
  return async (request: FastifyRequest, context: Context, uploader: Uploader) => {
    const actor = requireSignedIn(context.actor)
    requireUploader(deps.db, actor, uploader)
    await deps.limits.consume('uploadByUser', actor.userId)
    const check = (applicationId: string) => requireUploadable(deps, deps.db, actor, uploader, applicationId)
    return inSlot(actor, () =>
      receive(request, actor, scan, async () => {
        const form = await readForm(request, actor, check)
        return uploadSignedLease(sessionDeps(deps, context.sessionId), actor, uploader, form)
      }),
    )
  }
}

/** Receives a form with the scan of an addendum; the caller is checked before reading it. */
function createAddendumReceiver(deps: Deps, inSlot: UploadSlots) {
  return async (request: FastifyRequest, context: Context, id: string) => {
    const actor = requireSignedIn(context.actor)
    await deps.limits.consume('uploadByUser', actor.userId)
    requireUploadableAddendum(deps, deps.db, actor, id)
    return inSlot(actor, () =>
      receive(request, actor, scan, async () => {
        const form = await readForm(request, actor, () => {}, id)
        return uploadSignedAddendum(sessionDeps(deps, context.sessionId), actor, { id, ...form })
      }),
    )
  }
}

type Standing = { isBooked: boolean }

/** Receives a form with a file for a message: of the sender, or of the link whose token comes before the file. */
function createMessageFileReceiver(deps: Deps, inSlot: UploadSlots) {
  return async (request: FastifyRequest, { actor, sessionId }: Context, known?: Sender) => {
    const read = async (sender?: Sender, standing?: Standing): Promise<MessageFileView> => {
      for await (const part of refusingBadForms(request.parts({ limits: limitsOf(maxUploadBytes) }))) {
        if (part.type !== 'file') {
          if (!known && part.fieldname === 'token') sender = openLink(deps, actor, String(part.value)).sender
          continue
        }
        if (!sender) throw deadLink()
        const from = sender
        const store = async (standing: Standing) =>
          storeMessageFile(sessionDeps(deps, sessionId), from, {
            content: await contentOf(part, { ...from.actor, ...standing }, messageRefusals.fileTooLarge),
            name: part.filename ?? '',
          })
        if (standing) return store(standing)
        const found = await requireReceivable(deps, from)
        return inSlot(from.actor, () => store(found), found)
      }
      throw sender ? new AppError('bad_request', messageRefusals.fileMissing) : deadLink()
    }
    if (!known) {
      await deps.limits.consume('guestLinkByAddress', request.ip)
      return receive(request, actor, messageFile, () => read())
    }
    const standing = await requireReceivable(deps, known)
    const { actor: sender } = known
    return inSlot(
      sender,
      () => receive(request, { ...sender, ...standing }, messageFile, () => read(known, standing)),
      standing,
    )
  }
}

/** Receives a form with a photo of a deposit's item, and its `requestId` before or after it. */
async function receiveItemPhoto(
  deps: Deps,
  inSlot: UploadSlots,
  request: FastifyRequest,
  { actor, sessionId }: Context,
  itemId: string,
) {
  const admin = requireAdmin(actor)
  await deps.limits.consume('uploadByUser', admin.userId)
  const read = async () => {
    let requestId: string | undefined
    let found: { name: string; content: Buffer } | undefined
    for await (const part of refusingBadForms(request.parts({ limits: limitsOf(maxEvidenceBytes) }))) {
      if (part.type === 'file')
        found = {
          name: part.filename ?? '',
          content: await contentOf(part, admin, evidenceRefusals.fileTooLarge),
        }
      else if (part.fieldname === 'requestId') requestId = z.uuid().parse(part.value)
    }
    if (!found) throw new AppError('bad_request', evidenceRefusals.fileMissing)
    const upload = { name: found.name, source: Readable.from([found.content]) }
    const of = { itemId, requestId }
    const { applicationId, photoId } = await addItemPhoto(sessionDeps(deps, sessionId), admin, of, upload)
    return { ...adminDeposit(deps, admin, applicationId), photoId }
  }
  return inSlot(admin, () => receive(request, admin, photo, read))
}

/** Receives a form with a picture, which is streamed to disk after the caller is checked. */
async function receivePicture(deps: Deps, request: FastifyRequest, { actor, sessionId }: Context) {
  const admin = requireAdmin(actor)
  await deps.limits.consume('pictureByUser', admin.userId)
  return receive(request, admin, picture, async () => {
    for await (const part of refusingBadForms(request.parts({ limits: limitsOf(maxPictureBytes) }))) {
      if (part.type !== 'file') continue
      const source = refusingBadForms(part.file as AsyncIterable<Buffer>)
      const upload = { source, name: part.filename ?? '' }
      return uploadPicture(sessionDeps(deps, sessionId), admin, upload)
    }
    throw new AppError('bad_request', pictureMessages.fileMissing)
  })
}

/** One byte over the limit is enough to know that the file is too large. */
const limitsOf = (maxFileBytes: number) =>
  ({ files: 1, fields: 5, parts: 6, fieldSize: 1000, fileSize: maxFileBytes + 1 }) as const

async function readForm(
  request: FastifyRequest,
  actor: SignedIn,
  check: (applicationId: string) => void,
  applicationId?: string,
) {
  let file: { name: string; content: Buffer } | undefined
  let release = () => {}
  const parts = request.parts({ limits: limitsOf(maxUploadBytes) })
  try {
    for await (const part of refusingBadForms(parts)) {
      if (part.type === 'file') {
        file = { name: part.filename ?? '', content: await contentOf(part, actor) }
        // The rest of the form may drip.
        release = holdBytes(file.content)
      } else if (part.fieldname === 'applicationId') {
        applicationId = String(part.value)
        check(applicationId)
      }
    }
  } finally {
    release()
  }
  if (applicationId === undefined) throw new AppError('not_found', 'Application not found')
  if (!file) throw new AppError('bad_request', leaseMessages.fileMissing)
  return { applicationId, ...file }
}

const contentOf = (
  { file }: MultipartFile,
  sender: BodySender,
  tooLong: string = leaseMessages.fileTooLarge,
) =>
  collect(
    refusingBadForms(file as AsyncIterable<Buffer>),
    maxUploadBytes,
    () => new AppError('too_large', tooLong),
    { sender, spareBytes },
  )

/** Reports a form that cannot be parsed as a client error (400), not a server error. */
async function* refusingBadForms<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* source
  } catch (error) {
    if (error instanceof Error && 'statusCode' in error) throw error
    throw new AppError('bad_request', 'This form could not be read.', { cause: error })
  }
}
