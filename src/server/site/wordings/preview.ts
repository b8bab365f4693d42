import {
  hasPlaceForCharges,
  hasPlaceForSchedule,
  renderLeaseText,
} from '../../../domain/leases/lease-text.ts'
import { sampleSchedule } from '../../../domain/leases/lease-wording.ts'
import { planSection } from '../../../domain/money/payment-plan-form.ts'
import type { Deps } from '../../kernel/deps.ts'
import { readSection } from '../settings.ts'
import type { WordingPreview } from './presenter.ts'
import { requireKind } from './queries.ts'
import { sampleLeaseOf } from './sample-lease.ts'
import { validateWording } from './validate-wording.ts'

/**
 * A wording filled with sample data; stores nothing.
 * @throws AppError not_found for a kind that cannot be changed; bad_request for an invalid body
 */
export async function previewWording(
  deps: Deps,
  { body, kind }: { kind: string; body: unknown },
): Promise<WordingPreview> {
  const known = requireKind(kind)
  if (known === 'lease') return { text: sampleLeaseText(deps, body) }
  const words = validateWording(known, body)
  // Loads the templates only when they are needed.
  const { renderSample } = await import('../../messages/compose.ts')
  return renderSample(deps, known, words)
}

/** A sample lease in this wording. @throws AppError bad_request for an invalid wording */
export function sampleLeaseText(deps: Deps, given: unknown): string {
  const { text } = validateWording('lease', given)
  const sample = sampleLeaseOf(deps)
  // A wording without a placeholder for charges or the plan is valid, but its leases cannot have any.
  const printable = {
    ...sample,
    ...(!hasPlaceForCharges(text) && { charges: [] }),
    paymentSchedule: hasPlaceForSchedule(text) ? sampleSchedule(readSection(deps.db, planSection).body) : '',
  }
  return renderLeaseText(printable, text)
}
