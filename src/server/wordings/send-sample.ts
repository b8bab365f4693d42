import type { Admin } from '../../domain/access.ts'
import type { Deps } from '../kernel/deps.ts'

export async function sendSample(
  _deps: Deps,
  _actor: Admin,
  _of: { kind: string; body: unknown },
): Promise<{ message: string }> {
  throw new Error('not built yet')
}
