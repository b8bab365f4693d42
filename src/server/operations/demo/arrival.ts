import type { Admin } from '../../../domain/accounts/access.ts'
import { staySection } from '../../../domain/arrival/stay-settings.ts'
import { listCodeTasks, markCode } from '../../arrival/code-tasks.ts'
import { changeCode } from '../../arrival/codes.ts'
import { holdGate, tickStays } from '../../arrival/gate.ts'
import { addLink } from '../../arrival/links.ts'
import { saveArrivalSection } from '../../arrival/save-section.ts'
import { findUserByEmail } from '../../auth/sessions/users.ts'
import { listApplicationsOf } from '../../bookings/records.ts'
import type { Deps } from '../../kernel/deps.ts'
import { saveSection } from '../../site/settings.ts'
import { emailOf } from './guests.ts'

/** What guests of the shipped condo would read. */
const sections = {
  welcome: {
    text: 'Welcome to Seaglass Shore. The sea is ten feet from the balcony: open the doors and listen.',
  },
  directions: {
    text: '1. Take Ocean Boulevard to the boardwalk.\n2. Turn in at the white gate.\n3. The condo is on the **second floor**, door 2B.',
    picture: '01-beachfront-exterior',
    alt: 'The house from the beach',
  },
  entry: {
    text: 'Press the key sign, type the code, turn the handle.',
    locks: [
      { id: 'front-door', name: 'Front door', kind: 'per_stay', digits: 6, hint: 'Left of the door' },
      { id: 'beach-gate', name: 'Beach gate', kind: 'standing', digits: 4, hint: 'Push while you type' },
    ],
  },
  wifi: { network: 'Seaglass Guest', security: 'wpa' },
  parking: { text: 'Lot 14, under the house. Low cars only.' },
  manual: {
    entries: [
      { title: 'Hot water', text: 'The boiler is in the hall closet. *Green* is on.' },
      { title: 'Trash', text: 'Bins stand behind the house. Pickup is on Tuesday and Friday.' },
    ],
  },
  checkout: { items: ['Close the balcony doors', 'Set the air to 78 degrees', 'Leave towels in the tub'] },
  contacts: { people: [{ name: 'Dana', role: 'Your host', phone: '850-555-0142' }] },
}

/** Arrival information, and Tessa's stay, which the owner has opened in spite of a late payment. */
export async function seedArrival(deps: Deps, proven: Admin): Promise<void> {
  const settings = staySection.body.parse({
    enabled: true,
    since: deps.clock.now().toISOString(),
    guestCodes: true,
  })
  await saveSection(deps, proven, staySection, { version: 0, body: settings })
  for (const [section, body] of Object.entries(sections)) {
    const password = section === 'wifi' ? 'salt-and-sunshine' : undefined
    await saveArrivalSection(deps, proven, { section, version: 0, body, password }, () => {})
  }
  await changeCode(deps, proven, { lockId: 'beach-gate', code: '4826' })
  const userId = findUserByEmail(deps.db, emailOf({ firstName: 'Tessa' }))?.id ?? ''
  const id = listApplicationsOf(deps.db, proven, userId)[0]?.application.id ?? ''
  const hold = { hold: 'open', reason: 'She pays the rest on Friday.' } as const
  await holdGate(deps, proven, id, hold)
  await tickStays(deps)
  for (const { action, codeId } of listCodeTasks(deps, deps.db))
    if (action === 'set') await markCode(deps, proven, { codeId }, 'set')
  const tenant = { role: 'tenant', userId, requestOrigin: proven.requestOrigin } as const
  await addLink(deps, tenant, id, { name: 'My sister', withCode: true })
}
