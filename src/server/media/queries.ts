import type { Deps } from '../kernel/deps.ts'
import type { OwnPictureView } from './presenter.ts'

export function listPictures(_deps: Deps): OwnPictureView[] {
  throw new Error('not built yet')
}

export function readPicture(_deps: Deps, _id: string): OwnPictureView {
  throw new Error('not built yet')
}
