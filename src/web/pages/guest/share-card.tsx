import { useState } from 'react'
import { z } from 'zod'
import { api, type Outputs } from '../../api/api.ts'
import { refusalOr } from '../../api/failures.ts'
import { LinkList } from '../../features/arrival/guest-link-list.tsx'
import { useFormSubmit } from '../../forms/use-submit.ts'
import { fieldPropsOf, useZodForm } from '../../forms/zod-form.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../ui/card.tsx'
import { CheckboxField } from '../../ui/choice-fields.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Notice } from '../../ui/notice.tsx'
import { TextField } from '../../ui/text-field.tsx'

const schema = z.object({ name: z.string().trim().min(1, 'Please enter a name'), withCode: z.boolean() })
type ShareCardProps = {
  stay: NonNullable<Outputs['stays']['get']['stay']>
  copy: (text: string, done: string) => void
}

/** The links for the others of the group; an address is shown once (STAY-26). */
export function ShareCard({ copy, stay: { applicationId, canGiveCodes, guests } }: ShareCardProps) {
  const { client, stays } = api.useUtils()
  const [made, setMade] = useState<{ linkId: string; url: string }>()
  const form = useZodForm(schema, { name: '', withCode: false })
  const field = fieldPropsOf(form)
  const refresh = () => stays.get.invalidate({ applicationId })
  const { busy, formError, submit } = useFormSubmit(
    form,
    async typed => {
      const { guest, url } = await client.stays.addLink.mutate({ applicationId, ...typed })
      setMade({ linkId: guest.linkId, url })
      form.reset()
      await refresh()
    },
    (error, isAtField) => (isAtField ? undefined : refusalOr(error, 'The link was not made')),
  )
  return (
    <Card aria-label="Share with your group">
      <CardHeader
        title="Share with your group"
        subtitle="A link opens this page without a login, until your stay ends"
      />
      <CardBody className="grid gap-4">
        {made && guests.some(({ linkId }) => linkId === made.linkId) && (
          <Notice role="status" tone="success" title="Send this link yourself. It is shown only now.">
            <span className="mb-2 block wrap-anywhere">{made.url}</span>
            <Button onClick={() => copy(made.url, 'Link copied')}>Copy link</Button>
          </Notice>
        )}
        <LinkList applicationId={applicationId} guests={guests} />
        <form noValidate onSubmit={submit} className="grid gap-4">
          <FormError>{formError}</FormError>
          <TextField
            label="Who is it for?"
            hint="Only you and the owner see this name."
            required
            {...field('name')}
          />
          {canGiveCodes && <CheckboxField label="May see the codes and the Wi-Fi" {...field('withCode')} />}
          <div>
            <Button type="submit" variant="secondary" busy={busy} busyLabel="Making the link...">
              Make a link
            </Button>
          </div>
        </form>
      </CardBody>
    </Card>
  )
}
