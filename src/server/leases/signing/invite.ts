import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { Tx } from '../../../../db/open.ts'
import { signers, signings } from '../../../../db/schema.ts'
import { type Admin, requireTenant, type SignedIn } from '../../../domain/accounts/access.ts'
import { emailKey, isMissingEmail } from '../../../domain/accounts/account-rules.ts'
import { coSignerName } from '../../../domain/bookings/people.ts'
import { dayMs } from '../../../domain/common/durations.ts'
import { AppError, fieldError } from '../../../domain/common/errors.ts'
import { formatShortStay } from '../../../domain/common/stay.ts'
import { addendumMessages } from '../../../domain/leases/addendum.ts'
import {
  completeSince,
  maxSigners,
  type SignerRole,
  signerName,
  signingMessages,
} from '../../../domain/leases/signing.ts'
import { type InviteForm, signingSection } from '../../../domain/leases/signing-input.ts'
import { createLink, revokeLinks } from '../../auth/sessions/access-links.ts'
import type { OwnApplication } from '../../bookings/records.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { enqueueMail } from '../../mail/outbox.ts'
import { currentSite } from '../../site/content/published.ts'
import { readSection } from '../../site/settings.ts'
import { type Document, documentIn, loadDocument, requireSignable } from '../records.ts'
import { completeSigning, keepNights, requireOneFewer } from './complete.ts'
import {
  emailOf,
  findSigner,
  openSigningOf,
  type SignerRow,
  type Signing,
  setSignerEmail,
  signingOf,
  signingsIn,
} from './records.ts'
import { adultNames, coTenantNames, tenantNames, voidSigning } from './void.ts'

type Invited = Pick<SignerRow, 'email' | 'firstName' | 'lastName' | 'role'>

/** Each mails the tenant's words to addresses that the tenant chose, and can be repeated after a change of the names. */
const maxTenantInvitations = 10

/** Limits the owner's invitations, which could otherwise flood any mailbox. @throws AppError too_many */
const limitMails = ({ limits }: Deps, { userId }: SignedIn) =>
  limits.consume('sampleMailByUser', `sign ${userId}`)

/**
 * Opens a signing: everybody who must sign gets an own link by mail (SIGNER-02).
 * @throws AppError not_found, also before generation; forbidden for a tenant who asks for a guarantor or the owner;
 * bad_request at the field; conflict if the document is signed, the invitations are out or the application is not booked,
 * and for a tenant whose invitations have ended ten times; too_many for an owner who sends too many in an hour
 */
export async function inviteSigners(
  deps: Deps,
  actor: SignedIn,
  applicationId: string,
  form: InviteForm,
): Promise<void> {
  if (actor.role === 'tenant' && form.signers.some(({ role }) => role === 'guarantor' || role === 'owner'))
    throw new AppError('forbidden', signingMessages.ownerOnly)
  if (actor.role === 'admin') await limitMails(deps, actor)
  await deps.write(tx => {
    const document = loadDocument(tx, actor, applicationId, form.addendumId)
    requireSignable(document)
    if (openSigningOf(tx, document.lease.id)) throw new AppError('conflict', signingMessages.alreadyOut)
    const before = signingsIn(tx, { applicationId }, ['voided']).filter(
      ({ openedBy }) => openedBy === actor.userId,
    )
    if (actor.role === 'tenant' && before.length >= maxTenantInvitations)
      throw new AppError('conflict', signingMessages.askOwner)
    openSigning(deps, tx, actor, document, invitedBy(deps, tx, document.record, form))
  })
}

/** The tenant's own path: the owner has another one. @throws AppError as in `inviteSigners` */
export const inviteAsTenant = (deps: Deps, actor: SignedIn, applicationId: string, form: InviteForm) =>
  inviteSigners(deps, requireTenant(actor), applicationId, form)

/** Invites everybody who signed the lease by an own link to an addendum, too (SIGNER-18). */
export function inviteSameSigners(
  deps: Deps,
  tx: Tx,
  actor: SignedIn,
  applicationId: string,
  addendumId: string,
): void {
  const document = loadDocument(tx, actor, applicationId, addendumId)
  const { account, lease } = document.record
  const before = lease && signingOf(tx, lease.id)
  if (before?.state !== 'complete') return
  const people = before.signers
    .filter(({ removedAt }) => removedAt === null)
    .map(({ email, firstName, lastName, role }) => {
      if (role === 'owner') return ownerNow(deps)
      return { firstName, lastName, role, email: role === 'tenant' ? account.email : email }
    })
  openSigning(deps, tx, actor, document, people)
}

/** The owner's address may have changed since the lease was signed. */
function ownerNow(deps: Deps): Invited {
  const { companyName, ownerEmail } = currentSite(deps)
  return { role: 'owner', firstName: companyName, lastName: '', email: ownerEmail }
}

/** Everybody who is asked to sign, in the order of the document. @throws AppError bad_request at the field */
function invitedBy(
  deps: Deps,
  tx: Tx,
  { account, application }: OwnApplication,
  form: InviteForm,
): Invited[] {
  const tenant = { role: 'tenant' as const, ...tenantNames(application), email: account.email }
  if (isMissingEmail(tenant.email))
    throw fieldError('signers', signingMessages.emailMissing(signerName(tenant)))
  const adults = adultNames(application)
  const asked = form.signers
    .filter(({ role }) => role !== 'owner')
    .map((signer, i): Invited => {
      const fail = (field: string, message: string) => {
        throw fieldError(`signers.${i}.${field}`, message)
      }
      const { email, firstName, lastName } = signer
      const role: SignerRole = signer.role
      const named = role === 'co_tenant' ? coTenantNames(application) : { firstName, lastName }
      if (role === 'co_tenant' && !coSignerName(application)) fail('role', signingMessages.noCoApplicant)
      if (role === 'occupant' && !adults.includes(signerName(named)))
        fail('firstName', signingMessages.notAnAdult)
      if (role === 'guarantor' && !(firstName && lastName))
        fail(firstName ? 'lastName' : 'firstName', 'Please give first and last name.')
      if (!email && role !== 'co_tenant') fail('email', signingMessages.emailMissing(signerName(named)))
      return { role, ...named, email: email ?? '' }
    })
  const coSigner = coSignerName(application)
  const coTenants = asked.filter(({ role }) => role === 'co_tenant')
  if (coSigner && !coTenants[0]?.email) throw fieldError('signers', signingMessages.emailMissing(coSigner))
  const names = asked
    .filter(({ role }) => role !== 'guarantor')
    .map(signer => `${signer.role} ${signerName(signer)}`)
  if (new Set(names).size < names.length) throw fieldError('signers', 'Please name each person once.')
  const hasOwner =
    readSection(tx, signingSection).body.countersign || form.signers.some(({ role }) => role === 'owner')
  const others = asked.filter(({ role }) => role !== 'co_tenant')
  const all = [tenant, ...coTenants, ...others, ...(hasOwner ? [ownerNow(deps)] : [])]
  if (all.length > maxSigners) throw fieldError('signers', signingMessages.tooMany)
  return all
}

function openSigning(deps: Deps, tx: Tx, actor: SignedIn, document: Document, people: Invited[]): void {
  const { applicationId, id: leaseId, kind } = document.lease
  const at = nowIso(deps)
  const signingId = randomUUID()
  tx.insert(signings)
    .values({ id: signingId, leaseId, state: 'open', openedAt: at, openedBy: actor.userId })
    .run()
  for (const [position, person] of people.entries()) {
    const signer = { ...person, id: randomUUID(), signingId, position, invitedAt: at }
    tx.insert(signers).values(signer).run()
    sendInvitation(deps, tx, document, signer)
  }
  const roles = people.map(({ role }) => role).join(' ')
  const detail = { signingId, document: kind, roles, signers: people.length }
  recordEvent(tx, at, actor, 'lease.signers_invited', applicationId, detail)
}

type Addressee = Pick<SignerRow, 'email' | 'firstName' | 'id' | 'role'>

/** Makes a link for this mail alone; its token is made at delivery (SIGNER-03). */
function sendInvitation(deps: Deps, tx: Tx, { lease, record }: Document, signer: Addressee): void {
  const at = nowIso(deps)
  const { id: linkId } = makeLink(tx, at, record, signer)
  enqueueMail(tx, at, {
    kind: 'sign-invitation',
    to: signer.email,
    dedupeKey: `sign-invitation:${linkId}`,
    props: { ...signFacts(record, lease, signer), linkId },
  })
}

/** A link to sign, which for the tenant belongs to the account. */
export function makeLink(tx: Tx, at: string, { application }: OwnApplication, { id, role }: Addressee) {
  const { linkDays } = readSection(tx, signingSection).body
  const expiresAt = new Date(Date.parse(at) + linkDays * dayMs).toISOString()
  const personId = role === 'tenant' ? application.userId : null
  return createLink(tx, at, { kind: 'sign', subjectId: id, personId, expiresAt })
}

/** The facts for emails with a signing link. */
export const signFacts = (
  { application: { firstName: first, id, lastName, number } }: OwnApplication,
  { kind: document, startDate: start, endDate: end }: Pick<Signing, 'kind' | 'startDate' | 'endDate'>,
  { firstName, role }: Addressee,
) => ({
  firstName,
  role,
  document,
  stay: formatShortStay({ start, end }),
  tenantName: `${first} ${lastName}`,
  applicationId: id,
  applicationNumber: number,
})

/** Takes the invitations back. @throws AppError not_found; conflict without an open signing, and for an addendum that all have signed */
export async function takeBack(
  deps: Deps,
  actor: Admin,
  applicationId: string,
  { addendumId, reason }: { addendumId?: string | null | undefined; reason: string },
): Promise<void> {
  await deps.write(tx => {
    const { lease } = loadDocument(tx, actor, applicationId, addendumId)
    const signing = openSigningOf(tx, lease.id)
    if (!signing) throw new AppError('conflict', signingMessages.notOpen)
    // Only the PDF is missing: it is in force, also for the owner (CHANGE-28).
    if (lease.kind === 'addendum' && completeSince(signing.signers) !== null)
      throw new AppError('conflict', addendumMessages.notOpen)
    voidSigning(deps, tx, actor, { leaseId: lease.id }, reason)
  })
}

/** @throws AppError not_found; conflict once the person has signed or was left out, and once the signing is closed */
function requireWaiting(tx: Tx, _actor: Admin, signerId: string) {
  const found = findSigner(tx, signerId)
  if (!found) throw new AppError('not_found', 'There is no such signer.')
  const { record, signer, signing } = found
  if (signing.state !== 'open') throw new AppError('conflict', signingMessages.notOpen)
  if (signer.removedAt !== null) throw new AppError('conflict', 'This person was left out.')
  if (signer.signedAt !== null) throw new AppError('conflict', `${signerName(signer)} has signed already.`)
  return { signer, signing, document: documentIn(tx, record, signing.leaseId) }
}

/**
 * Sends a new link, and ends the earlier ones (SIGNER-15).
 * @throws AppError not_found; too_many; bad_request at `email` for the tenant's, which is the account's, and the owner's; as in `requireWaiting`
 */
export async function resendInvitation(
  deps: Deps,
  actor: Admin,
  signerId: string,
  email: string | undefined,
): Promise<void> {
  await limitMails(deps, actor)
  await deps.write(tx => {
    const { document, signer } = requireWaiting(tx, actor, signerId)
    const { account, application } = document.record
    const own = emailOf(deps, signer, account.email)
    const isOwn = signer.role === 'tenant' || signer.role === 'owner'
    if (isOwn && email && emailKey(email) !== emailKey(own)) {
      const address = signer.role === 'tenant' ? 'the email of the account' : own
      throw fieldError('email', `The ${signer.role}’s link goes to ${address}.`)
    }
    const at = nowIso(deps)
    const to = isOwn ? own : email || own
    revokeLinks(tx, at, 'sign', { subjectId: signerId })
    setSignerEmail(deps, tx, signer, to)
    sendInvitation(deps, tx, document, { ...signer, email: to })
    const detail = { signerId, role: signer.role, name: signerName(signer), newEmail: to !== signer.email }
    recordEvent(tx, at, actor, 'lease.signer_invited_again', application.id, detail)
  })
}

/**
 * Leaves somebody out who has not signed; completes the signing if nobody is missing then (SIGNER-16).
 * @throws AppError not_found; conflict for a tenant named in the lease, and as in `requireWaiting` and `requireOneFewer`
 */
export async function leaveOut(deps: Deps, actor: Admin, signerId: string): Promise<void> {
  const signingId = await deps.write(tx => {
    const { signer, signing } = requireWaiting(tx, actor, signerId)
    if (signer.role === 'tenant' || signer.role === 'co_tenant')
      throw new AppError('conflict', signingMessages.mustSign)
    requireOneFewer(deps, tx, signing)
    const at = nowIso(deps)
    tx.update(signers).set({ removedAt: at }).where(eq(signers.id, signerId)).run()
    keepNights(deps, tx, signing.id)
    revokeLinks(tx, at, 'sign', { subjectId: signerId })
    const detail = { signerId, role: signer.role, name: signerName(signer) }
    recordEvent(tx, at, actor, 'lease.signer_left_out', signing.applicationId, detail)
    return signing.id
  })
  await completeSigning(deps, signingId)
}
