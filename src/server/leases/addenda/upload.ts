import type { Db } from '../../../../db/open.ts'
import type { SignedIn } from '../../../domain/accounts/access.ts'
import type { Deps } from '../../kernel/deps.ts'
import { type Scan, storeScan } from '../upload.ts'
import { type Addendum, loadAddendum, requireOpen } from './records.ts'
import { presentAddendum } from './views.ts'

/** Checked before the file is read. @throws AppError not_found; conflict unless it is open */
export function requireUploadableAddendum(deps: Deps, db: Db, actor: SignedIn, id: string): Addendum {
  const found = loadAddendum(db, actor, id)
  requireOpen(deps, found)
  return found
}

/** Stores the scan of a signed addendum, whose terms are then in force. @throws AppError like `requireUploadableAddendum` and `applyAddendum`; bad_request, too_large, unsupported_type for the file */
export const uploadSignedAddendum = (deps: Deps, actor: SignedIn, { id, ...scan }: Scan & { id: string }) =>
  storeScan(deps, actor, scan, {
    load: db => requireUploadableAddendum(deps, db, actor, id),
    answer: tx => ({ addendum: presentAddendum(deps, loadAddendum(tx, actor, id)) }),
  })
