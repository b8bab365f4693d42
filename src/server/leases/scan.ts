import { fileTypeFromBuffer } from 'file-type'
import { AppError } from '../../domain/common/errors.ts'
import { leaseMessages, maxUploadBytes } from '../../domain/leases/lease.ts'
import { safeName } from '../kernel/files/safe-name.ts'

const endings: Record<string, readonly string[]> = {
  'application/pdf': ['pdf'],
  'image/jpeg': ['jpg', 'jpeg'],
  'image/png': ['png'],
}

/**
 * Detects the type of an uploaded lease, or of a message's file, from its content, and makes its file name safe to show and to store.
 * @throws AppError bad_request for an empty file; too_large; unsupported_type
 */
export async function checkScan(
  content: Uint8Array,
  name: string,
  { fallback, wrongType } = { fallback: 'signed-lease', wrongType: leaseMessages.fileTypeWrong as string },
): Promise<{ content: Uint8Array; contentType: string; originalName: string }> {
  if (content.length === 0) throw new AppError('bad_request', leaseMessages.fileMissing)
  if (content.length > maxUploadBytes) throw new AppError('too_large', leaseMessages.fileTooLarge)
  const contentType = (await fileTypeFromBuffer(content).catch(() => undefined))?.mime ?? ''
  // PDF readers also accept files with other content before the PDF header, such as HTML.
  const beginsAsPdf = Buffer.from(content.subarray(0, 5)).toString('latin1') === '%PDF-'
  if (!Object.hasOwn(endings, contentType) || (contentType === 'application/pdf' && !beginsAsPdf))
    throw new AppError('unsupported_type', wrongType)
  return { content, contentType, originalName: safeName(name, endings[contentType] ?? [], fallback) }
}
