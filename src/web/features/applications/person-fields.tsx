import { useFormContext } from 'react-hook-form'
import type { ApplicationEditValues } from '../../../domain/application.ts'
import { usStates } from '../../../domain/us-states.ts'
import { SelectField } from '../../ui/choice-fields.tsx'
import { TextField } from '../../ui/text-field.tsx'

// These stand inside a form of react-hook-form's FormProvider that has at least the fields of an application's edit.

type NamesProps = {
  /** The lease is signed: the names can be read but not changed. */
  locked?: boolean
}

export function ApplicantFields({ locked }: NamesProps) {
  const { register, formState } = useFormContext<ApplicationEditValues>()
  const { errors } = formState
  return (
    <div className={pair}>
      <TextField
        label="First name"
        autoComplete="given-name"
        autoCapitalize="words"
        required
        readOnly={locked}
        hint={locked && lockedHint}
        error={errors.firstName?.message}
        {...register('firstName')}
      />
      <TextField
        label="Last name"
        autoComplete="family-name"
        autoCapitalize="words"
        required
        readOnly={locked}
        hint={locked && lockedHint}
        error={errors.lastName?.message}
        {...register('lastName')}
      />
    </div>
  )
}

export function SecondApplicantFields({ locked }: NamesProps) {
  const { register, formState } = useFormContext<ApplicationEditValues>()
  const { errors } = formState
  return (
    <div className={pair}>
      <TextField
        label="Second applicant's first name"
        autoComplete="off"
        autoCapitalize="words"
        readOnly={locked}
        hint={locked && lockedHint}
        error={errors.secondApplicantFirstName?.message}
        {...register('secondApplicantFirstName', { deps: 'secondApplicantLastName' })}
      />
      <TextField
        label="Second applicant's last name"
        autoComplete="off"
        autoCapitalize="words"
        readOnly={locked}
        hint={locked && lockedHint}
        error={errors.secondApplicantLastName?.message}
        {...register('secondApplicantLastName', { deps: 'secondApplicantFirstName' })}
      />
    </div>
  )
}

export function PhoneField() {
  const { register, formState } = useFormContext<ApplicationEditValues>()
  return (
    <TextField
      label="Phone"
      type="tel"
      autoComplete="tel"
      inputMode="tel"
      required
      error={formState.errors.phone?.message}
      {...register('phone')}
    />
  )
}

export function AddressFields() {
  const { register, formState } = useFormContext<ApplicationEditValues>()
  const errors = formState.errors.address
  return (
    <div className="grid gap-5 sm:grid-cols-6">
      <TextField
        label="Street address"
        autoComplete="street-address"
        autoCapitalize="words"
        required
        className="sm:col-span-6"
        error={errors?.street?.message}
        {...register('address.street')}
      />
      <TextField
        label="City"
        autoComplete="address-level2"
        autoCapitalize="words"
        required
        className="sm:col-span-6"
        error={errors?.city?.message}
        {...register('address.city')}
      />
      <SelectField
        label="State"
        autoComplete="address-level1"
        required
        className="sm:col-span-3"
        error={errors?.state?.message}
        {...register('address.state')}
      >
        <option value="">Select a state</option>
        {Object.entries(usStates).map(([code, name]) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </SelectField>
      <TextField
        label="ZIP code"
        autoComplete="postal-code"
        required
        maxLength={10}
        className="sm:col-span-3"
        error={errors?.zipCode?.message}
        {...register('address.zipCode')}
      />
    </div>
  )
}

const lockedHint = 'Locked by the signed lease'
const pair = 'grid items-start gap-5 sm:grid-cols-2'
