// Separate from the form's validation rules, which few screens need.

export type People = {
  secondApplicantFirstName: string
  secondApplicantLastName: string
  additionalGuests: readonly unknown[]
}

/** Applicant, named co-applicant and additional guests. */
export function guestCount(application: People): number {
  return 1 + (coApplicantName(application) ? 1 : 0) + application.additionalGuests.length
}

type CoApplicant = Pick<People, 'secondApplicantFirstName' | 'secondApplicantLastName'>

/** The co-applicant's name as far as it was given; undefined without a co-applicant. */
export function coApplicantName(application: CoApplicant): string | undefined {
  const { secondApplicantFirstName: first, secondApplicantLastName: last } = application
  return first || last ? `${first} ${last}`.trim() : undefined
}

/** The name of the co-applicant who signs the lease; undefined unless first and last name were given. */
export function coSignerName(application: CoApplicant): string | undefined {
  const { secondApplicantFirstName: first, secondApplicantLastName: last } = application
  return first && last ? `${first} ${last}` : undefined
}
