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

/** The co-applicant's whole name, or undefined without one. */
export function coApplicantName(application: {
  secondApplicantFirstName: string
  secondApplicantLastName: string
}): string | undefined {
  const { secondApplicantFirstName: first, secondApplicantLastName: last } = application
  return first || last ? `${first} ${last}`.trim() : undefined
}
