import { z } from 'zod'
import { registration } from '../accounts/account.ts'
import { adminPasswordError } from '../accounts/account-rules.ts'
import { sections } from './content.ts'
import { contentMessages } from './content-text.ts'
import { section } from './settings-section.ts'

/** Whether the name is a time zone that this machine knows, such as America/New_York. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** What an owner answers at /install, in this order (INST-16). */
export const installSteps = ['account', 'secondStep', 'condo', 'mail', 'cards', 'backups', 'done'] as const
export type InstallStep = (typeof installSteps)[number]

/** Steps that cannot wait. */
export const neededSteps: readonly InstallStep[] = ['account', 'secondStep', 'condo']

export const installToken = z.object({ token: z.string().min(1).max(200) })

/** The first administrator. */
export const firstAdminForm = registration.extend({
  password: z.string({ error: 'Password is required' }).superRefine((password, context) => {
    const message = adminPasswordError(password)
    if (message) context.addIssue({ code: 'custom', message })
  }),
})

const timeZone = z.string().refine(isTimeZone, contentMessages.invalid)

/** Where the property is; the environment wins. */
export const placeSection = section('place', z.object({ timeZone: timeZone.default('America/New_York') }))

/** The step `condo`. */
export const condoForm = sections.identity.extend({ timeZone }).superRefine((form, context) => {
  for (const [field, text] of Object.entries(form))
    if (text === '')
      context.addIssue({ code: 'custom', path: [field], message: contentMessages.required([field]) })
})
