import { AppError } from '../../domain/common/errors.ts'
import { leaseMessages, maxUploadBytes } from '../../domain/leases/lease.ts'
import { safeName } from '../kernel/files/safe-name.ts'
import { fileTypeOf } from '../lib/file-type.ts'

const types = {
  pdf: { contentType: 'application/pdf', endings: ['pdf'] },
  jpeg: { contentType: 'image/jpeg', endings: ['jpg', 'jpeg'] },
  png: { contentType: 'image/png', endings: ['png'] },
}

type Texts = Record<'fileMissing' | 'fileTooLarge' | 'fileTypeWrong' | 'name', string>

/**
 * Detects the type of an uploaded file from its content, and makes its name safe to show and to store.
 * @throws AppError bad_request for an empty file; too_large; unsupported_type
 */
export function checkScan(
  content: Uint8Array,
  name: string,
  texts: Texts = { ...leaseMessages, name: 'signed-lease' },
): { content: Uint8Array; contentType: string; originalName: string } {
  if (content.length === 0) throw new AppError('bad_request', texts.fileMissing)
  if (content.length > maxUploadBytes) throw new AppError('too_large', texts.fileTooLarge)
  const type = fileTypeOf(content)
  if (type !== 'pdf' && type !== 'jpeg' && type !== 'png')
    throw new AppError('unsupported_type', texts.fileTypeWrong)
  const { contentType, endings } = types[type]
  return { content, contentType, originalName: safeName(name, endings, texts.name) }
}
