import type { Admin } from '../../domain/access.ts'
import type { Deps } from '../kernel/deps.ts'
import type { OwnPictureView } from './presenter.ts'

export async function retryPicture(_deps: Deps, _actor: Admin, _id: string): Promise<OwnPictureView> {
  throw new Error('not built yet')
}
