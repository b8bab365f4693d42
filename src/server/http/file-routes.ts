import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { withToken } from '../../domain/common/record-ids.ts'
import { copyTypes, mediaPath, parseCopyName } from '../../domain/content/picture.ts'
import { adminApplicationView, signedLeaseFile } from '../bookings/views.ts'
import { messageFileView } from '../conversations/views.ts'
import type { Deps } from '../kernel/deps.ts'
import type { StepUpRule } from '../kernel/trpc.ts'
import { addendumView } from '../leases/addenda/views.ts'
import { ifMissing } from '../lib/disk.ts'
import { adminDepositView } from '../money/deposits/views.ts'
import { adminPictureView } from '../site/pictures/views.ts'
import { leasePreviewInput } from '../site/wordings/preview.ts'
import { copyPath } from '../workers/pictures/media-folder.ts'

export type FileRoute = {
  method: 'GET' | 'POST'
  path: string
  access: 'public' | 'session' | 'admin' | 'signature'
  summary: string
  /** For every path of signed-in people that changes something or leads data out: see `StepUpRule`. */
  stepUp?: StepUpRule
  /** The form's field for the file. */
  file?: string
  fields?: readonly string[]
  query?: readonly string[]
  /** The fields of its JSON body. */
  input?: z.ZodType
  /** The content type of the response, if it is not a PDF or a picture. */
  fileType?: string
  /** The content type of errors, if they may be other than JSON. */
  refusalType?: string
  /** HTTP status of a success; default 200. */
  status?: number
  /** The schema of a JSON response; without it, the response is a file. */
  answer?: z.ZodType
}

/** The paths that are not procedures: their parameters, except ids in the path, and their responses. */
export const fileRoutes: readonly FileRoute[] = [
  {
    method: 'POST',
    path: '/api/lease/upload-signed',
    access: 'session',
    stepUp: 'never',
    summary: 'Upload the scan of a lease signed on paper: PDF, JPEG or PNG of at most 10485760 bytes',
    file: 'signedLease',
    fields: ['applicationId'],
    answer: z.strictObject({
      uploadedLease: z.strictObject({ ...signedLeaseFile.shape, applicationId: z.string() }),
    }),
  },
  {
    method: 'POST',
    path: '/api/application/admin/upload-lease',
    access: 'admin',
    stepUp: 'always',
    summary: 'The same by the admin',
    file: 'leaseFile',
    fields: ['applicationId'],
    answer: z.strictObject({ application: adminApplicationView }),
  },
  {
    method: 'POST',
    path: '/api/change/addendum/{addendumId}/upload-signed',
    access: 'session',
    stepUp: 'never',
    summary: 'Upload the scan of an addendum signed on paper, with the rules of a lease',
    file: 'signedAddendum',
    answer: z.strictObject({ addendum: addendumView }),
  },
  {
    method: 'GET',
    path: '/api/change/addendum/{addendumId}/pdf',
    access: 'session',
    summary: 'An addendum as a PDF; once signed, the file as it was stored',
  },
  ...(
    [
      [
        '/api/message/{applicationId}/file',
        'session',
        'Upload a file for a message: JPEG, PNG or PDF of at most 10485760 bytes',
      ],
      ['/api/message/admin/{applicationId}/file', 'admin', 'The same by the admin'],
      [
        '/api/message/reply/file',
        'public',
        'The same by the link of a mail; the token comes before the file',
      ],
    ] as const
  ).map(([path, access, summary]) => ({
    method: 'POST' as const,
    path,
    access,
    summary,
    file: 'file',
    status: 201,
    ...(access === 'public' ? { fields: ['token'] } : { stepUp: 'never' as const }),
    answer: z.strictObject({ file: messageFileView }),
  })),
  {
    method: 'GET',
    path: '/api/message/file/{fileId}',
    access: 'session',
    summary: 'A file of a message, or one that the caller has uploaded for the next',
  },
  {
    method: 'POST',
    path: '/api/deposit/admin/item/{itemId}/photo',
    access: 'admin',
    stepUp: 'never',
    summary:
      'Keep a photo of an item as evidence: JPEG or PNG of at most 10485760 bytes; the same request, or the same bytes again, answer the photo that is there',
    file: 'photo',
    fields: ['requestId?'],
    status: 201,
    answer: z.strictObject({ deposit: adminDepositView, photoId: z.string() }),
  },
  ...['/api/evidence/{evidenceId}', '/api/deposit/photo/{photoId}'].map(path => ({
    method: 'GET' as const,
    path,
    access: 'session' as const,
    query: ['preview?'],
    summary:
      'A photo as it came; with preview=1 a JPEG of at most 1600 pixels a side without metadata. A tenant gets it once a statement names it',
    fileType: 'image/*',
  })),
  {
    method: 'GET',
    path: '/api/stay/{applicationId}/stay.ics',
    access: 'session',
    summary: 'The stay as a calendar file',
    fileType: 'text/calendar',
  },
  {
    method: 'POST',
    path: '/api/stay/open/ics',
    access: 'public',
    summary: 'The same by a guest’s link',
    input: withToken,
    fileType: 'text/calendar',
  },
  {
    method: 'POST',
    path: '/api/signer/pdf',
    access: 'public',
    summary: 'The document of a signer’s link as a PDF; once complete the signed file',
    input: withToken,
  },
  {
    method: 'GET',
    path: '/api/lease/download',
    access: 'session',
    summary: 'The unsigned lease as a PDF; always uses the stored terms',
    query: ['applicationId', 'leaseStartDate?', 'leaseEndDate?', 'rentalAmount?', 'depositAmount?'],
  },
  {
    method: 'GET',
    path: '/api/lease/view-signed/{applicationId}',
    access: 'session',
    summary: 'The signed lease as it was stored',
  },
  {
    method: 'GET',
    path: '/api/lease/view-signed',
    access: 'session',
    summary: 'The caller’s newest signed lease',
  },
  {
    method: 'GET',
    path: '/api/deposit/{applicationId}/statement/{statementId}',
    access: 'session',
    summary: 'A statement of a deposit as it was sent',
  },
  {
    method: 'GET',
    path: '/api/deposit/admin/letter/{letterId}/pdf',
    access: 'admin',
    summary: 'The letter of a statement as it was printed',
    stepUp: 'never',
  },
  {
    method: 'GET',
    path: '/api/payment/{id}/receipt.pdf',
    access: 'session',
    summary: 'The receipt of a payment as a PDF',
  },
  {
    method: 'GET',
    path: '/api/payment/admin/revenue.csv',
    access: 'admin',
    stepUp: 'always',
    summary: 'The payments that make up the revenue of a period as CSV, newest first',
    query: ['period?', 'year?', 'month?'],
    fileType: 'text/csv',
  },
  {
    method: 'GET',
    path: '/api/book/admin/csv/{year}',
    access: 'admin',
    stepUp: 'sometimes',
    summary:
      'A table of the year’s books as CSV: books, taxes, card or lines; lines has names and needs a step-up',
    query: ['table'],
    fileType: 'text/csv',
  },
  {
    method: 'GET',
    path: '/api/book/admin/pdf/{year}',
    access: 'admin',
    summary: 'All tables of the year’s books as a PDF, without names',
  },
  {
    method: 'GET',
    path: '/api/booking/admin/import/template.csv',
    access: 'admin',
    summary: 'An empty file to import bookings with: the header line alone',
    fileType: 'text/csv',
  },
  {
    method: 'POST',
    path: '/api/site/admin/lease-preview',
    access: 'admin',
    stepUp: 'never',
    summary: 'A PDF of the submitted lease wording with sample data; nothing is stored',
    input: leasePreviewInput,
  },
  {
    method: 'GET',
    path: '/calendar/{token}.ics',
    access: 'public',
    summary: 'An exported calendar, for anyone who has its address; also HEAD, and 304 while unchanged',
    fileType: 'text/calendar',
    refusalType: 'text/plain',
  },
  {
    method: 'POST',
    path: '/api/picture/admin',
    access: 'admin',
    stepUp: 'never',
    summary:
      'Upload a picture: JPEG, PNG or WebP of at most 20971520 bytes; 200 with the picture that is there for the same bytes again',
    file: 'picture',
    status: 201,
    answer: z.strictObject({ picture: adminPictureView }),
  },
  {
    method: 'GET',
    path: '/media/{name}',
    access: 'public',
    summary: 'A copy of an uploaded picture, HASH-WIDTH.avif, .webp or .jpg; also HEAD',
    fileType: 'image/*',
  },
  {
    method: 'POST',
    path: '/api/payment/webhook',
    access: 'signature',
    summary: 'The payment provider’s events; authenticated by the signature of the raw body',
    answer: z.strictObject({ received: z.literal(true) }),
  },
]

/**
 * Serves the resized copies of uploaded pictures to everyone; anything else below this path is 404 (PIC-11). Fastify
 * adds HEAD to GET.
 */
export function mountMedia(app: FastifyInstance, { config }: Deps): void {
  app.get<{ Params: { name: string } }>(`${mediaPath}:name`, async (request, reply) => {
    const copy = parseCopyName(request.params.name)
    if (!copy) return reply.callNotFound()
    const file = await open(copyPath(config.uploadsDir, copy)).catch(ifMissing(undefined))
    if (!file) return reply.callNotFound()
    const { size } = await file.stat()
    const isHead = request.method === 'HEAD'
    // For HEAD, Fastify would read a stream to its end after the answer.
    if (isHead) await file.close()
    return sealed(reply)
      .header('Cache-Control', 'public, max-age=31536000, immutable')
      .header('Content-Length', size)
      .type(copyTypes[copy.format])
      .send(isHead ? Readable.from([]) : file.createReadStream())
  })
  app.get(`${mediaPath}*`, (_request, reply) => reply.callNotFound())
}

/** Prevents the response from running scripts, no matter how a browser interprets it. */
const sealed = (reply: FastifyReply) => reply.header('Content-Security-Policy', "default-src 'none'; sandbox")
