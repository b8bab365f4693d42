import { CheckboxField, RadioGroupField, SelectField } from '../ui/choice-fields.tsx'
import { FilePicker } from '../ui/file-picker.tsx'
import { FormError } from '../ui/form-error.tsx'
import { FormRow } from '../ui/form-row.tsx'
import { PasswordRules } from '../ui/password-rules.tsx'
import { MoneyField, PasswordField, TextAreaField, TextField } from '../ui/text-field.tsx'
import type { Part } from './part.ts'

const width = 'w-64'

export const fields: readonly Part[] = [
  {
    file: 'text-field',
    about:
      'A label above, a hint or an error below. An error says what to do, and the first one gets the focus.',
    states: [
      ['Empty, required', <TextField key="s" className={width} label="First name" required />],
      ['Filled', <TextField key="s" className={width} label="First name" defaultValue="Ruth" />],
      ['Hint', <TextField key="s" className={width} label="Phone" hint="For the day of your arrival." />],
      [
        'Focused',
        <TextField key="s" className={width} label="City" defaultValue="Destin" data-force="focus" />,
      ],
      [
        'Error',
        <TextField
          key="s"
          className={width}
          label="ZIP code"
          error="Enter five digits."
          defaultValue="325"
        />,
      ],
      [
        'Disabled',
        <TextField key="s" className={width} label="E-mail" disabled defaultValue="ruth@guest.example" />,
      ],
      ['Password', <PasswordField key="s" className={width} label="Password" defaultValue="sandcastle" />],
      ['Money', <MoneyField key="s" className={width} label="Amount" defaultValue="2385.00" />],
      ['Several lines', <TextAreaField key="s" className={width} rows={3} label="Message" />],
    ],
  },
  {
    file: 'choice-fields',
    about: 'Native controls: they use the phone’s own picker. Boxes side by side where the choice matters.',
    states: [
      [
        'Select',
        <SelectField key="s" className={width} label="State" defaultValue="FL">
          <option value="FL">Florida</option>
        </SelectField>,
      ],
      [
        'Select with an error',
        <SelectField key="s" className={width} label="State" error="Choose a state.">
          <option value="">Choose...</option>
        </SelectField>,
      ],
      ['Checkbox', <CheckboxField key="s" label="I have read the lease" defaultChecked />],
      ['Checkbox with an error', <CheckboxField key="s" label="I agree" error="Please agree to go on." />],
      [
        'Radio buttons',
        <RadioGroupField key="s" label="Pets" name="pets" defaultValue="no" options={yesOrNo()} />,
      ],
      [
        'Boxes',
        <RadioGroupField
          key="s"
          cards
          className="w-96"
          label="Pay"
          name="pay"
          defaultValue="card"
          options={ways()}
        />,
      ],
    ],
  },
  {
    file: 'file-picker',
    about: 'One file, chosen or dropped. While it is sent, a bar shows how far.',
    states: [
      ['Empty', <Picker key="s" />],
      ['Chosen', <Picker key="s" file={sampleFile()} />],
      ['Being sent', <Picker key="s" file={sampleFile()} percent={62} />],
      ['Error', <Picker key="s" error="Choose a PDF of at most 10 MB." />],
    ],
  },
  {
    file: 'form-row',
    about: 'One of several entries of a form, with its number and a button that removes it.',
    wide: true,
    states: [
      [
        'A guest',
        <FormRow key="s" noun="Guest" index={0} onRemove={() => undefined}>
          <TextField label="Name" defaultValue="Nora Bell" />
        </FormRow>,
      ],
    ],
  },
  {
    file: 'form-error',
    about: 'Above the fields, for what belongs to none of them. It is read out at once.',
    wide: true,
    states: [
      ['After a refusal', <FormError key="s">These dates were just taken. Please choose others.</FormError>],
    ],
  },
  {
    file: 'password-rules',
    about: 'Checked while a new password is typed.',
    states: [
      [
        'One met',
        <PasswordRules
          key="s"
          rules={[
            { label: 'At least 8 characters', met: true },
            { label: 'A number', met: false },
          ]}
        />,
      ],
    ],
  },
]

function Picker(props: { file?: File; percent?: number; error?: string }) {
  return (
    <FilePicker label="Signed lease" file={props.file} onFile={() => undefined} className="w-80" {...props} />
  )
}

function sampleFile() {
  return new File([new Uint8Array(482_000)], 'lease-signed.pdf', { type: 'application/pdf' })
}

function yesOrNo() {
  return [
    { value: 'no', label: 'No' },
    { value: 'yes', label: 'Yes' },
  ]
}

function ways() {
  return [
    { value: 'card', label: 'Card', hint: 'With a fee of 3 %' },
    { value: 'check', label: 'Check', hint: 'No fee' },
  ]
}
