import { open } from 'node:fs/promises'
import { AppError } from '../../../domain/common/errors.ts'
import {
  maxConcurrentPictures,
  maxPictureBytes,
  maxPicturesOfOne,
  type PictureFormat,
  pictureMessages,
} from '../../../domain/content/picture.ts'
import { fileTypeBytes, fileTypeOf } from '../../lib/file-type.ts'
import type { SizeLimit } from '../../lib/streamed-file.ts'
import { createTally } from '../../lib/tally.ts'

type Incoming = { path: string }
/** The part of a file store that receives files. */
type Receiver<File extends Incoming> = {
  receive: <T>(
    source: AsyncIterable<Uint8Array>,
    limit: SizeLimit,
    work: (file: File) => Promise<T>,
  ) => Promise<T>
}

/**
 * Receives one upload of a user.
 * @throws AppError unavailable for a fourth concurrent upload, or a third of the same user; too_large; unsupported_type; bad_request; what `work`
 * throws
 */
export type PictureReceiver<File extends Incoming> = <T>(
  userId: string,
  source: AsyncIterable<Uint8Array>,
  work: (picture: File & { format: PictureFormat }) => Promise<T>,
) => Promise<T>

const limit: SizeLimit = {
  maxBytes: maxPictureBytes,
  tooLarge: () => new AppError('too_large', pictureMessages.fileTooLarge),
}

/**
 * Receives uploaded pictures, at most three concurrently, two of one person. Each is streamed to disk and recognized by its content; then
 * `work` decides whether to keep it, and counts as part of the upload.
 */
export function createPictureReceiver<File extends Incoming>(files: Receiver<File>): PictureReceiver<File> {
  let active = 0
  const uploads = createTally()
  return async function receivePicture<T>(
    userId: string,
    source: AsyncIterable<Uint8Array>,
    work: (picture: File & { format: PictureFormat }) => Promise<T>,
  ): Promise<T> {
    if (active >= maxConcurrentPictures || uploads.of(userId) >= maxPicturesOfOne)
      throw new AppError('unavailable', pictureMessages.tooManyUploads, { retryAfterSeconds: 60 })
    active++
    const leave = uploads.enter(userId)
    try {
      return await files.receive(source, limit, async file =>
        work({ ...file, format: await recognizePicture(file.path) }),
      )
    } finally {
      active--
      leave()
    }
  }
}

/**
 * The format of a stored picture by its content, regardless of its name.
 * @throws AppError bad_request for an empty file; unsupported_type for anything but JPEG, PNG and WebP
 */
async function recognizePicture(path: string): Promise<PictureFormat> {
  const head = await readHead(path)
  if (head.length === 0) throw new AppError('bad_request', pictureMessages.fileMissing)
  const type = fileTypeOf(head)
  if (type === 'jpeg' || type === 'png' || type === 'webp') return type
  throw new AppError('unsupported_type', type === 'heic' ? pictureMessages.heic : pictureMessages.typeWrong)
}

async function readHead(path: string): Promise<Uint8Array> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(new Uint8Array(fileTypeBytes), 0, fileTypeBytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
