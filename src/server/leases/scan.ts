import { fileTypeFromBuffer } from 'file-type'
import { AppError } from '../../domain/common/errors.ts'
import { leaseMessages, maxUploadBytes } from '../../domain/leases/lease.ts'
import { safeName } from '../kernel/files/safe-name.ts'

const endings: Record<string, readonly string[]> = {
  'application/pdf': ['pdf'],
  'image/jpeg': ['jpg', 'jpeg'],
  'image/png': ['png'],
}

type Texts = Record<'fileMissing' | 'fileTooLarge' | 'fileTypeWrong' | 'name', string>

/**
 * Detects the type of an uploaded file from its content, and makes its name safe to show and to store.
 * @throws AppError bad_request for an empty file; too_large; unsupported_type
 */
export async function checkScan(
  content: Uint8Array,
  name: string,
  texts: Texts = { ...leaseMessages, name: 'signed-lease' },
): Promise<{ content: Uint8Array; contentType: string; originalName: string }> {
  if (content.length === 0) throw new AppError('bad_request', texts.fileMissing)
  if (content.length > maxUploadBytes) throw new AppError('too_large', texts.fileTooLarge)
  const contentType = (await fileTypeFromBuffer(content).catch(() => undefined))?.mime ?? ''
  // PDF readers also accept files with other content before the PDF header, such as HTML.
  const beginsAsPdf = Buffer.from(content.subarray(0, 5)).toString('latin1') === '%PDF-'
  if (!Object.hasOwn(endings, contentType) || (contentType === 'application/pdf' && !beginsAsPdf))
    throw new AppError('unsupported_type', texts.fileTypeWrong)
  return { content, contentType, originalName: safeName(name, endings[contentType] ?? [], texts.name) }
}
