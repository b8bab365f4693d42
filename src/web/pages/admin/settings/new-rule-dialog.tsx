import { ruleForm } from '../../../../domain/money/deposit-input.ts'
import { api } from '../../../api/api.ts'
import { useDialogSubmit } from '../../../forms/change.ts'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { fieldPropsOf, useZodForm } from '../../../forms/zod-form.ts'
import { SelectField } from '../../../ui/choice-fields.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { TextAreaField, TextField } from '../../../ui/text-field.tsx'
import { WithPlaceholders } from '../site/with-placeholders.tsx'

const placeholders = [
  { name: 'amount', meaning: 'What is claimed' },
  { name: 'reasons', meaning: 'The labels of the items' },
  { name: 'address', meaning: 'Where to object' },
]

/** A rule of the owner's own for returning deposits. */
export function NewRuleDialog({ onClose }: { onClose: () => void }) {
  const add = api.deposits.addRule.useMutation()
  const form = useZodForm(ruleForm, {
    name: '',
    returnDays: 30,
    claimDays: 30,
    objectionDays: 15,
    restDays: 30,
    delivery: 'email',
    noticeText: '',
  })
  const field = fieldPropsOf(form)
  const days = (name: 'returnDays' | 'claimDays' | 'objectionDays' | 'restDays') => ({
    ...({ type: 'number', inputMode: 'numeric', min: 0, step: 1, required: true } as const),
    ...field(name, { setValueAs: text => (text === '' ? Number.NaN : Number(text)) }),
  })
  const { errors } = form.formState
  const submission = useDialogSubmit(form, 'Failed to save the rule', onClose, async typed => {
    await add.mutateAsync(typed)
    return 'Rule saved'
  })
  return (
    <FormDialog
      {...submission}
      title="New rule"
      description="It never changes afterwards, because deposits follow it. Have a lawyer check days and words."
      submitLabel="Save"
    >
      <TextField label="Name" required autoComplete="off" {...field('name')} />
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <TextField label="Days to return it" hint="From the day of leaving" {...days('returnDays')} />
        <TextField label="Days to send a statement" hint="From the day of leaving" {...days('claimDays')} />
      </div>
      <Disclosure
        summary="More: objecting, the rest, the letter"
        open={Boolean(errors.objectionDays || errors.restDays || errors.noticeText)}
      >
        <div className="grid gap-5">
          <div className="grid items-start gap-5 sm:grid-cols-2">
            <TextField
              label="Days to object"
              hint="From the statement; by post 5 days more"
              {...days('objectionDays')}
            />
            <TextField label="Days to return the rest" hint="From the statement" {...days('restDays')} />
            <SelectField label="How statements are sent" {...field('delivery')}>
              <option value="email">By email</option>
              <option value="post">By post, as a letter to print</option>
            </SelectField>
          </div>
          <WithPlaceholders placeholders={placeholders} tokenOf={name => `{${name}}`}>
            <TextAreaField
              label="Words of the statement"
              rows={6}
              hint="{amount} is what is claimed, {reasons} the labels of the items, {address} where to object."
              {...field('noticeText')}
            />
          </WithPlaceholders>
        </div>
      </Disclosure>
    </FormDialog>
  )
}
