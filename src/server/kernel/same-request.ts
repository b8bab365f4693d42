import { AppError } from '../../domain/common/errors.ts'

/**
 * Allows the same request to be sent again, such as after a lost response.
 * @throws AppError conflict if it asks for something else than the first one did, or if the record was removed
 */
export function requireSameRequest(isSame: boolean): void {
  if (isSame) return
  throw new AppError(
    'conflict',
    'This was recorded already, with other values, or removed since. Please look before you enter it again.',
  )
}
