import { useFormContext } from 'react-hook-form'
import { z } from 'zod'
import { plural } from '../../../../domain/common/plural.ts'
import { signingSection } from '../../../../domain/leases/signing-input.ts'
import { api } from '../../../api/api.ts'
import { fieldPropsOf } from '../../../forms/zod-form.ts'
import { CheckboxField } from '../../../ui/choice-fields.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { SettingsCard } from './settings-card.tsx'

type Settings = z.output<typeof signingSection.body>

const wholeDays = (typed: string) =>
  typed
    .split(/[\s,;]+/)
    .filter(day => day !== '')
    .map(day => (/^\d+$/.test(day) ? Number(day) : Number.NaN))

/** The settings as typed. */
const typedSettings = z
  .object({ separate: z.boolean(), countersign: z.boolean(), reminderDays: z.string(), linkDays: z.string() })
  .transform(({ linkDays, reminderDays, ...choices }, ctx) => {
    const read = signingSection.body.safeParse({
      ...choices,
      reminderDays: wholeDays(reminderDays),
      linkDays: linkDays.trim() === '' ? Number.NaN : Number(linkDays),
    })
    if (read.success) return read.data
    for (const { message, path } of read.error.issues)
      ctx.addIssue({ code: 'custom', message, path: path.slice(0, 1) })
    return z.NEVER
  })
type Values = z.input<typeof typedSettings>

/** Who signs leases by an own link. */
export function SigningCard() {
  return (
    <SettingsCard
      title="Signing"
      subtitle="Everybody can sign by their own link. You send the invitations from the booking."
      settings={api.settings.signing}
      schema={typedSettings}
      valuesOf={valuesOf}
      itemsOf={({ countersign, linkDays, reminderDays, separate }) => [
        { label: 'Co-applicants', value: separate ? 'Sign by their own link' : 'Can sign with the tenant' },
        { label: 'You', value: countersign ? 'Sign every lease, too' : 'Do not sign' },
        {
          label: 'Reminders',
          value: reminderDays.length > 0 ? `After ${reminderDays.join(', ')} days` : 'None',
        },
        { label: 'Links', value: `Valid for ${plural(linkDays, 'day')}` },
      ]}
      what="the signing settings"
      saved="Signing saved"
    >
      {() => <SigningFields />}
    </SettingsCard>
  )
}

const valuesOf = ({ linkDays, reminderDays, ...choices }: Settings): Values => ({
  ...choices,
  linkDays: String(linkDays),
  reminderDays: reminderDays.join(', '),
})

function SigningFields() {
  const field = fieldPropsOf(useFormContext<Values>())
  return (
    <>
      <CheckboxField
        role="switch"
        label="A co-applicant signs by their own link"
        hint="Otherwise tenant and co-applicant can sign together on one device."
        {...field('separate')}
      />
      <CheckboxField
        role="switch"
        label="I sign every lease, too"
        hint="Then a lease of invited signers waits for your signature as well."
        {...field('countersign')}
      />
      <Disclosure summary="More">
        <div className="grid items-start gap-6 sm:grid-cols-2">
          <TextField
            label="Reminders"
            hint="Days after the invitation, such as 3, 7. Leave it empty for none."
            inputMode="numeric"
            {...field('reminderDays')}
          />
          <TextField
            label="Links are valid for (days)"
            hint="From 7 to 90."
            inputMode="numeric"
            {...field('linkDays')}
          />
        </div>
      </Disclosure>
    </>
  )
}
