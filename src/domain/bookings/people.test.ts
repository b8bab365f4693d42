import { describe, expect, test } from 'vitest'
import { coApplicantName, coSignerName, guestCount } from './people.ts'

const people = (secondApplicantFirstName: string, secondApplicantLastName: string) => ({
  secondApplicantFirstName,
  secondApplicantLastName,
  additionalGuests: ['a guest'],
})

describe('the co-applicant', () => {
  test.each([
    ['Zoë', 'Miller', 'Zoë Miller', 'Zoë Miller', 3],
    ['Zoë', '', 'Zoë', undefined, 3],
    ['', 'Miller', 'Miller', undefined, 3],
    ['', '', undefined, undefined, 2],
  ])('%j %j is named %j, signs as %j, and makes %i guests', (first, last, name, signer, guests) => {
    const application = people(first, last)
    expect(coApplicantName(application)).toBe(name)
    expect(coSignerName(application)).toBe(signer)
    expect(guestCount(application)).toBe(guests)
  })
})
