import { useFormContext } from 'react-hook-form'
import type { ApplicationEditValues } from '../../../domain/bookings/application-form.ts'
import { usStates } from '../../../domain/common/us-states.ts'
import { fieldPropsOf } from '../../forms/zod-form.ts'
import { SelectField } from '../../ui/choice-fields.tsx'
import { TextField } from '../../ui/text-field.tsx'

// These fields need a FormProvider with a form that has at least the fields of the application's edit form.
const usePersonFields = () => fieldPropsOf(useFormContext<ApplicationEditValues>())

type NamesProps = {
  /** The lease is signed: the names are read-only. */
  locked?: boolean
}

export function ApplicantFields({ locked }: NamesProps) {
  const field = usePersonFields()
  return (
    <div className={fieldPairClass}>
      <NameField
        label="First name"
        autoComplete="given-name"
        required
        locked={locked}
        {...field('firstName')}
      />
      <NameField
        label="Last name"
        autoComplete="family-name"
        required
        locked={locked}
        {...field('lastName')}
      />
    </div>
  )
}

/** In a card titled 'Co-applicant' the labels show only what follows that word. */
export function SecondApplicantFields({ locked, titled = false }: NamesProps & { titled?: boolean }) {
  const field = usePersonFields()
  const label = (name: string) => (
    <>
      <span className={titled ? 'absolute -z-10 opacity-0' : ''}>Co-applicant's </span>
      <span className={titled ? 'inline-block first-letter:uppercase' : ''}>{name}</span>
    </>
  )
  return (
    <div className={fieldPairClass}>
      <NameField
        label={label('first name')}
        locked={locked}
        {...field('secondApplicantFirstName', { deps: 'secondApplicantLastName' })}
      />
      <NameField
        label={label('last name')}
        locked={locked}
        {...field('secondApplicantLastName', { deps: 'secondApplicantFirstName' })}
      />
    </div>
  )
}

type NameFieldProps = Parameters<typeof TextField>[0] & { locked?: boolean | undefined }

/** A person's first or last name. No autofill by default, because it may be another person's name. */
export function NameField({ locked, autoComplete = 'off', ...props }: NameFieldProps) {
  return (
    <TextField
      autoComplete={autoComplete}
      autoCapitalize="words"
      readOnly={locked}
      hint={locked && 'Locked by the signed lease'}
      {...props}
    />
  )
}

type ContactProps = {
  /** False when the owner enters a booking for a guest: then the fields are optional and not autofilled. */
  required?: boolean
}

export function PhoneField({ required = true }: ContactProps) {
  const field = usePersonFields()
  return (
    <TextField
      label="Phone"
      type="tel"
      autoComplete={required ? 'tel' : 'off'}
      inputMode="tel"
      required={required}
      {...field('phone')}
    />
  )
}

export function AddressFields({ required = true }: ContactProps) {
  const field = usePersonFields()
  return (
    <div className="grid grid-cols-2 items-start gap-5 sm:grid-cols-[minmax(0,2fr)_minmax(0,1.3fr)_minmax(0,1fr)]">
      <TextField
        label="Street address"
        autoComplete={required ? 'street-address' : 'off'}
        autoCapitalize="words"
        required={required}
        className="col-span-full"
        {...field('address.street')}
      />
      <TextField
        label="City"
        autoComplete={required ? 'address-level2' : 'off'}
        autoCapitalize="words"
        required={required}
        className="max-sm:col-span-full"
        {...field('address.city')}
      />
      <SelectField
        label="State"
        autoComplete={required ? 'address-level1' : 'off'}
        required={required}
        {...field('address.state')}
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
        autoComplete={required ? 'postal-code' : 'off'}
        required={required}
        maxLength={10}
        {...field('address.zipCode')}
      />
    </div>
  )
}

export const fieldPairClass = 'grid items-start gap-5 sm:grid-cols-2'
/** Short fields, which are side by side on a phone too. */
export const shortFieldPairClass =
  'grid grid-cols-2 items-start gap-x-3 gap-y-5 sm:gap-x-5 max-sm:[&_input]:pr-2 max-sm:[&_input:not([type=number])]:pl-2'
