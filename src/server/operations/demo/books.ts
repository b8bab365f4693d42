import { randomUUID } from 'node:crypto'
import type { Admin } from '../../../domain/accounts/access.ts'
import { addDays, type CalendarDate } from '../../../domain/common/dates.ts'
import { notPaidOverCents } from '../../../domain/money/books.ts'
import type { Deps } from '../../kernel/deps.ts'
import { closeYear } from '../../money/books/closings.ts'
import { loadBooks } from '../../money/books/records.ts'
import { noteRemittance } from '../../money/books/remittances.ts'
import { demoGuests } from './guests.ts'

/** Pays over the tax of the one taxed stay, and closes last year. */
export async function seedBooks(deps: Deps, admin: Admin, today: CalendarDate): Promise<void> {
  const taxed = demoGuests(today).find(({ isTaxed }) => isTaxed)
  const { movements, taxes } = loadBooks(deps)
  for (const { taxRuleId } of taxes)
    await noteRemittance(deps, admin, {
      taxRuleId,
      amountCents: notPaidOverCents(movements, taxRuleId),
      paidOn: addDays(taxed?.stay.start ?? today, 20),
      reference: 'DR-15',
      requestId: randomUUID(),
    })
  await closeYear(deps, admin, Number(today.slice(0, 4)) - 1)
}
