import { eq, sql } from 'drizzle-orm'
import { calendarExports } from '../../../../db/schema.ts'
import type { Deps } from '../../kernel/deps.ts'
import { seal, unseal } from '../../lib/sealed.ts'
import { sha256 } from '../../lib/sha256.ts'
import { newToken } from '../../lib/token.ts'
import type { ExportRow } from './records.ts'

type Key = Pick<Deps, 'key'>

/** The columns of a new secret address: hashed and encrypted, so that a stolen backup does not open the calendar. */
export const newExportToken = (deps: Key, id: string) => storedToken(deps, id, newToken())

const storedToken = ({ key }: Key, id: string, token: string) => ({
  token: sha256(token),
  tokenEnc: key.state === 'ready' ? seal(key.key, id, Buffer.from(token)) : null,
})

/** The token of an export's address; undefined if the key that encrypted it is lost. The address still works. */
export function exportToken({ key }: Key, { id, tokenEnc }: ExportRow): string | undefined {
  return key.state === 'ready' && tokenEnc !== null ? unseal(key.key, id, tokenEnc)?.toString() : undefined
}

/** Tokens that earlier versions stored in plain text have 43 characters; hashes have 64. */
const isPlainText = sql`length(${calendarExports.token}) < 64`

/** Hashes and encrypts the tokens that earlier versions stored in plain text. */
export async function sealExportTokens(deps: Pick<Deps, 'db' | 'key' | 'write'>): Promise<void> {
  const rows = () => deps.db.select().from(calendarExports).where(isPlainText).all()
  if (rows().length === 0) return
  await deps.write(tx => {
    for (const { id, oldToken, token } of rows())
      tx.update(calendarExports)
        .set({ ...storedToken(deps, id, token), oldToken: oldToken === null ? null : sha256(oldToken) })
        .where(eq(calendarExports.id, id))
        .run()
  })
}
