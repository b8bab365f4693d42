import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { buildApplication } from '../../testing/build-application.ts'
import { formatPhone, isPhone } from '../common/phone.ts'
import { usStates } from '../common/us-states.ts'
import { maxAdditionalGuests } from './application.ts'
import { adminEditForm, applicationEditForm, applicationFormFor } from './application-form.ts'
import { statusLabel } from './application-status.ts'
import { guestCount } from './people.ts'

type Schema = {
  safeParse: (values: unknown) => { error?: { issues: { path: PropertyKey[]; message: string }[] } }
}
const applicationForm = applicationFormFor(4)
const problems = (values: unknown, form: Schema = applicationForm) => {
  const fields: Record<string, string> = {}
  for (const { path, message } of form.safeParse(values).error?.issues ?? [])
    fields[path.join('.')] ??= message
  return fields
}
const guest = (firstName: string, lastName: string) => ({ firstName, lastName, isAdult: true })

describe('the application form', () => {
  const required = {
    firstName: 'First name is required',
    lastName: 'Last name is required',
    phone: 'Phone number is required',
    'address.street': 'Street address is required',
    'address.city': 'City is required',
    'address.state': 'State is required',
    'address.zipCode': 'ZIP code is required',
    requestedStartDate: 'Please select your desired lease start date',
    requestedEndDate: 'Please select your desired lease end date',
  }
  const empty = { street: '', city: '', state: '', zipCode: '' }

  test('reports every missing field at once, and a second applicant with only a first or last name [FORM-10, FORM-11, FORM-12, FORM-13, FORM-14, FORM-15]', () => {
    const form = buildApplication({
      firstName: '  ',
      lastName: '',
      phone: ' ',
      address: empty,
      requestedStartDate: '',
      requestedEndDate: '',
      secondApplicantFirstName: 'Ben',
    })
    expect(problems(form)).toEqual({
      ...required,
      secondApplicantLastName: 'Last name is required for second applicant',
    })
    expect(problems({ address: {} })).toEqual(required)
  })

  test('accepts only the codes of the 50 states and DC [FORM-16]', () => {
    const from = (state: string) =>
      problems(buildApplication({ address: { ...empty, state, street: 'a', city: 'b', zipCode: '12345' } }))
    expect(Object.keys(usStates)).toHaveLength(51)
    for (const code of Object.keys(usStates)) expect(from(code)).toEqual({})
    for (const code of ['PR', 'fl', 'Florida', 'toString', '__proto__'])
      expect(from(code)).toEqual({ 'address.state': 'Please select a state from the list' })
  })

  test.each([
    '850-555-0142',
    '(850) 555-0142',
    '+1 850 555 0142',
    '5',
    '1234567890123456',
    '+44 20 7946 0958',
  ])('accepts the phone %s [FORM-17]', phone => expect(problems(buildApplication({ phone }))).toEqual({}))
  test.each(['0850', '+0850', '12345678901234567', 'call me', '850.555.0142', '++1', '+', '1+2', '٣٤٥'])(
    'rejects the phone %s [FORM-17]',
    phone =>
      expect(problems(buildApplication({ phone }))).toEqual({ phone: 'Please enter a valid phone number' }),
  )

  test('accepts a ZIP of 5 digits or 5+4 [FORM-18]', () => {
    const zip = (zipCode: string) =>
      problems(buildApplication({ address: { ...buildApplication().address, zipCode } }))['address.zipCode']
    expect([zip('36602'), zip(' 36602-1234 ')]).toEqual([undefined, undefined])
    for (const wrong of ['3660', '366021', '36602-', '36602-123', '36602 1234', 'ABCDE'])
      expect(zip(wrong)).toBe('Please enter a valid ZIP code')
  })

  test('rejects an end on or before the start, and a stay of more than three years [FORM-19]', () => {
    const until = (requestedEndDate: string) =>
      problems(buildApplication({ requestedStartDate: '2026-06-01', requestedEndDate })).requestedEndDate
    expect(until('2026-06-02')).toBeUndefined()
    expect(until('2026-06-01')).toBe('End date must be after start date')
    expect(until('2026-05-31')).toBe('End date must be after start date')
    expect(until('2036-06-01')).toBe('A stay can be at most three years long')
    expect(until('2026-06-31')).toBe('Please select your desired lease end date')
  })

  test('requires both names of a second applicant or none [FORM-23, FORM-24]', () => {
    const second = (first: string | null, last: string | null) =>
      problems(buildApplication({ secondApplicantFirstName: first, secondApplicantLastName: last }))
    expect(second('', '')).toEqual({})
    expect(second(null, null)).toEqual({})
    expect(second('Ben', 'Jones')).toEqual({})
    expect(second('Ben', ' ')).toEqual({
      secondApplicantLastName: 'Last name is required for second applicant',
    })
    expect(second('', 'Jones')).toEqual({
      secondApplicantFirstName: 'First name is required for second applicant',
    })
  })

  test('reports a guest with only a first or last name in the row where the form shows it [FORM-25, FORM-26]', () => {
    const additionalGuests = [guest('', ''), guest('Leo', ''), guest('Ana', 'Reed'), guest('', 'Reed')]
    expect(problems(buildApplication({ additionalGuests }))).toEqual({
      'additionalGuests.1.lastName': 'Last name is required for additional guest',
      'additionalGuests.3.firstName': 'First name is required for additional guest',
    })
  })

  test('leaves out guests without a name; a guest is an adult by default [FORM-27]', () => {
    const additionalGuests = [{}, { firstName: 'Leo', lastName: 'Reed' }, guest(' ', '')]
    expect(applicationForm.parse(buildApplication({ additionalGuests })).additionalGuests).toEqual([
      { firstName: 'Leo', lastName: 'Reed', isAdult: true },
    ])
  })

  test('accepts as many people as the condo sleeps, not counting guests without a name [FIX-17]', () => {
    const guests = (count: number) => Array.from({ length: count }, (_, i) => guest(`Leo ${i}`, 'Reed'))
    const couple = { secondApplicantFirstName: 'Ben', secondApplicantLastName: 'Jones' }
    const tooMany = { additionalGuests: 'The condo sleeps 4 people, applicants included' }
    expect(problems(buildApplication({ additionalGuests: guests(3) }))).toEqual({})
    expect(problems(buildApplication({ additionalGuests: guests(4) }))).toEqual(tooMany)
    expect(problems(buildApplication({ ...couple, additionalGuests: guests(2) }))).toEqual({})
    expect(problems(buildApplication({ ...couple, additionalGuests: guests(3) }))).toEqual(tooMany)
    expect(problems(buildApplication({ additionalGuests: [...guests(3), guest(' ', '')] }))).toEqual({})
    expect(problems(buildApplication({ phone: '', additionalGuests: guests(20) }))).toMatchObject(tooMany)
    expect(problems(buildApplication({ additionalGuests: guests(20) }), applicationFormFor(21))).toEqual({})
  })

  test('returns only the fields of the form [FORM-29]', () => {
    const parsed = applicationForm.parse({
      ...buildApplication(),
      status: 'approved',
      userId: 'x',
      rentalAmount: 1,
    })
    expect(Object.keys(parsed).sort()).toEqual(Object.keys(buildApplication()).sort())
  })

  test('rejects names that a lease cannot print, and overlong texts', () => {
    expect(problems(buildApplication({ firstName: 'M\naya' })).firstName).toMatch(/Latin, Greek or Cyrillic/)
    expect(problems(buildApplication({ lastName: '李' })).lastName).toMatch(/cannot print 李/)
    expect(problems(buildApplication({ lastName: 'x'.repeat(101) })).lastName).toMatch(/at most 100/)
    const additionalGuests = Array.from({ length: maxAdditionalGuests + 1 }, () => guest('Leo', 'Reed'))
    expect(problems(buildApplication({ additionalGuests })).additionalGuests).toMatch(/sleeps 4 people/)
    expect(applicationForm.parse(buildApplication({ firstName: ' Zoe\u0308 ' })).firstName).toBe('Zo\u00eb')
  })
})

test("the tenant's edit form applies the form's rules to its fields and drops all others [DETAIL-07]", () => {
  const { requestedStartDate: _, requestedEndDate: __, additionalGuests: ___, ...own } = buildApplication()
  expect(
    Object.keys(applicationEditForm.parse({ ...buildApplication(), email: 'a@b.example' })).sort(),
  ).toEqual(Object.keys(own).sort())
  expect(
    problems({ ...own, firstName: '', phone: '0', secondApplicantLastName: 'Jones' }, applicationEditForm),
  ).toEqual({
    firstName: 'First name is required',
    phone: 'Please enter a valid phone number',
    secondApplicantFirstName: 'First name is required for second applicant',
  })
})

test("the admin's edit form checks each field separately; money has at most two decimals [ADMAPP-10]", () => {
  expect(adminEditForm.parse({ notes: 'Called.', rentalAmount: 2500.5 })).toEqual({
    notes: 'Called.',
    rentalAmount: 2500.5,
  })
  expect(adminEditForm.parse({ address: { city: 'Troy' } })).toEqual({ address: { city: 'Troy' } })
  const faults = problems(
    { rentalAmount: 1.005, depositAmount: -1, firstName: '', email: 'nobody' },
    adminEditForm,
  )
  expect(Object.keys(faults).sort()).toEqual(['depositAmount', 'email', 'firstName', 'rentalAmount'])
  expect(
    problems({ requestedStartDate: '2026-02-01', requestedEndDate: '2026-02-01' }, adminEditForm),
  ).toEqual({
    requestedEndDate: 'End date must be after start date',
  })
})

test('counts all applicants and guests', () => {
  const none = { secondApplicantFirstName: '', secondApplicantLastName: '', additionalGuests: [] }
  expect(guestCount(none)).toBe(1)
  expect(guestCount({ ...none, secondApplicantFirstName: 'Ben', additionalGuests: [1, 2] })).toBe(4)
})

test.each([
  ['draft', 'Start', 'Draft'],
  ['pending', 'Submitted', 'Submitted'],
  ['approved', 'Approved', 'Approved'],
  ['rejected', 'Declined', 'Declined'],
  ['completed', 'Complete', 'Complete'],
  ['archived', 'Start', 'Unknown'],
])('shows %s as a label [STATUS-01, STATUS-02, STATUS-03, STATUS-04]', (status, label, detailsLabel) => {
  expect(statusLabel(status, 'dashboard')).toBe(label)
  expect(statusLabel(status, 'details')).toBe(detailsLabel)
})

describe('a phone number', () => {
  test.each([
    ['8505550142', '850-555-0142'],
    ['(850) 555-0142', '850-555-0142'],
    ['18505550142', '+1-850-555-0142'],
    ['+1 850 555 0142', '+1-850-555-0142'],
    ['+44 20 7946 0958', '+44 20 7946 0958'],
    ['+8505550142', '+8505550142'],
    ['28505550142', '28505550142'],
    ['555', '555'],
    ['', ''],
  ])('formats %s as %s [CONST-01]', (entered, shown) => expect(formatPhone(entered)).toBe(shown))

  test('is valid before formatting exactly if it is valid after', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\+?[-0-9 ()]{0,20}$/), phone => {
        expect(isPhone(formatPhone(phone))).toBe(isPhone(phone))
      }),
    )
  })
})
