import { open } from 'node:fs/promises'
import { fileTypeFromBuffer } from 'file-type'
import { AppError } from '../../../domain/common/errors.ts'
import { type PictureFormat, pictureMessages } from '../../../domain/content/picture.ts'

const formats: Record<string, PictureFormat> = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/apng': 'png',
  'image/webp': 'webp',
}
/** Enough to detect a file's type. */
const headBytes = 4100

/**
 * The format of a stored picture by its content, regardless of its name.
 * @throws AppError bad_request for an empty file; unsupported_type for anything but JPEG, PNG and WebP
 */
export async function recognizePicture(path: string): Promise<PictureFormat> {
  const head = await readHead(path)
  if (head.length === 0) throw new AppError('bad_request', pictureMessages.fileMissing)
  const type = (await fileTypeFromBuffer(head).catch(() => undefined))?.mime ?? ''
  const format = Object.hasOwn(formats, type) ? formats[type] : undefined
  if (format) return format
  const isHeic = /^image\/hei[cf]/.test(type)
  throw new AppError('unsupported_type', isHeic ? pictureMessages.heic : pictureMessages.typeWrong)
}

async function readHead(path: string): Promise<Uint8Array> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(new Uint8Array(headBytes), 0, headBytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
