import { users } from '../../db/schema.ts'
import type { ApplicationFormValues } from '../domain/bookings/application-form.ts'
import { makeLease } from './build-lease.ts'
import { signatureDataUrl } from './png.ts'
import { queuedTokens } from './queued-tokens.ts'
import { type TestApp, visitor } from './test-app.ts'

export const coTenant = { secondApplicantFirstName: 'Zoë', secondApplicantLastName: 'Müller' }
export const olaf = { firstName: 'Olaf', lastName: 'Adams', isAdult: true }
export const zoeEmail = 'zoe@guest.example'
export const gusEmail = 'gus@guest.example'
export const olafEmail = 'olaf@guest.example'

/** The co-applicant, an adult guest and a guarantor. */
export const others = [
  { role: 'co_tenant' as const, email: zoeEmail },
  { role: 'occupant' as const, firstName: 'Olaf', lastName: 'Adams', email: olafEmail },
  { role: 'guarantor' as const, firstName: 'Gus', lastName: 'Grant', email: gusEmail },
]
type Invited = Parameters<ReturnType<TestApp['as']>['signing']['adminInvite']>[0]['signers']

/** A lease for two and an adult guest, and the emails of tenant and owner. */
export async function makeLeaseForMany(app: TestApp, overrides: Partial<ApplicationFormValues> = {}) {
  const made = await makeLease(app, { ...coTenant, additionalGuests: [olaf], ...overrides })
  const account = app.deps.db
    .select()
    .from(users)
    .all()
    .find(({ id }) => id === made.tenant.userId)
  return { ...made, tenantEmail: account?.email ?? '' }
}

/** The same with the invitations out; each function takes the email of a signer. */
export async function makeSigning(app: TestApp, signers: Invited = others) {
  const made = await makeLeaseForMany(app)
  const { signing } = await app.as(made.admin).signing.adminInvite({ applicationId: made.id, signers })
  return { ...made, signing, ...linksOf(app) }
}

/** What people do with the newest link that their invitation would bring. */
export function linksOf(app: TestApp) {
  const tokenOf = (email: string) => {
    const [token] = queuedTokens(app, ['sign-invitation'], email)
    if (!token) throw new Error(`no link for ${email}`)
    return token
  }
  const open = (email: string) => app.as(visitor).signing.open({ token: tokenOf(email) })
  return {
    tokenOf,
    open,
    sign: async (email: string, typedName = 'Some Name') =>
      app.as(visitor).signing.sign({ token: tokenOf(email), ...signatureOf(await open(email), typedName) }),
  }
}

type Opened = { document: { textSha256: string }; noticeSha256: string }

export const signatureOf = ({ document, noticeSha256 }: Opened, typedName = 'Some Name') => ({
  typedName,
  signatureImageBase64: signatureDataUrl(),
  consent: true,
  textSha256: document.textSha256,
  noticeSha256,
})
