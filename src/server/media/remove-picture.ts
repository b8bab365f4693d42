import type { Admin } from '../../domain/access.ts'
import type { Deps } from '../kernel/deps.ts'

export async function removePicture(_deps: Deps, _actor: Admin, _id: string): Promise<{ message: string }> {
  throw new Error('not built yet')
}
