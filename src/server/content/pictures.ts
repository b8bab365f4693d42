import type { Db } from '../../../db/open.ts'
import type { HeroPictureView, PictureView } from '../../domain/content-views.ts'
import type { FocalPoint } from '../../domain/picture.ts'

/** Pictures as pages show them, by their ids: shipped ones, and uploads with the copies that are made. */
export type PictureSource = {
  page: (id: string) => PictureView
  hero: (id: string, focal: FocalPoint) => HeroPictureView
  /** Address of the picture for shared links, a path. */
  social: (id: string, focal: FocalPoint) => string
}

export function readPictures(_db: Db): PictureSource {
  throw new Error('not built yet')
}
