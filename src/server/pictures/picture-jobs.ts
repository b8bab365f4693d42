import type { CutName, PictureCut, PictureFormat, PictureHeader } from '../../domain/picture.ts'

/** What the parent asks of the picture worker, one message a process. */
export type PictureRequest = PictureJob & { isLowPriority: boolean }
export type PictureJob =
  | { job: 'inspect'; path: string; format: PictureFormat }
  | {
      job: 'prepare'
      path: string
      /** By its name. */
      recipe: string
      withAvif: boolean
      /** Where copies are written, each under the hash of its cut. */
      folder: string
      hashes: Partial<Record<CutName, string>>
    }

export type MadeCut = Omit<PictureCut, 'hash'>
/** `code` is the operating system's, where it failed and not the picture. */
export type PictureReply =
  | { result: 'header'; header: PictureHeader }
  | { result: 'made'; cuts: MadeCut[]; peakMib: number }
  | { result: 'unreadable'; reason: string }
  | { result: 'failed'; reason: string; code: string }
