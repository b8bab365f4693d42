import type { CutName, PictureCut, PictureFormat, PictureHeader } from '../../../domain/content/picture.ts'

/** The request to the picture worker, one message per process. */
export type PictureRequest = PictureJob & { isLowPriority: boolean }
export type PictureJob =
  | { job: 'inspect'; path: string; format: PictureFormat }
  | { job: 'photo'; path: string }
  | {
      job: 'prepare'
      path: string
      /** The recipe's name. */
      recipe: string
      withAvif: boolean
      /** The folder for the copies; each is named by the hash of its cut. */
      folder: string
      hashes: Partial<Record<CutName, string>>
    }

/** A photo that is kept as it came. */
export type Photo = {
  format: 'jpeg' | 'png'
  /** What the camera says about the time; see `readExifTime`. */
  takenAt: string | null
  /** An upright JPEG without metadata. */
  preview: Uint8Array
  /** The same picture, small enough for a PDF. */
  thumbnail: Uint8Array
}

export type MadeCut = Omit<PictureCut, 'hash'>
/** `code` is the operating system's error code; the picture is not at fault. */
export type PictureReply =
  | { result: 'header'; header: PictureHeader }
  | { result: 'made'; cuts: MadeCut[]; peakMib: number }
  | {
      result: 'photo'
      photo: Omit<Photo, 'preview' | 'thumbnail'>
      previewBase64: string
      thumbnailBase64: string
    }
  | { result: 'unreadable'; reason: string }
  | { result: 'failed'; reason: string; code: string }
