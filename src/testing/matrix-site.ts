import { createHash, randomUUID } from 'node:crypto'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { eq, inArray } from 'drizzle-orm'
import {
  applications,
  outbox,
  payments,
  pictureCopies,
  pictures,
  providerEvents,
  sessions,
  users,
} from '../../db/schema.ts'
import type { Admin, SignedIn } from '../domain/accounts/access.ts'
import { formatCopyName } from '../domain/content/picture.ts'
import { createLink, issueToken } from '../server/auth/sessions/access-links.ts'
import { linkSubject, storeMessageFile } from '../server/conversations/send.ts'
import { keyPathOf } from '../server/lib/installation-key.ts'
import { sha256 } from '../server/lib/sha256.ts'
import { addItemPhoto } from '../server/money/deposits/items.ts'
import { connectProvider } from '../server/money/payments/stripe.ts'
import { prepareNext } from '../server/site/pictures/prepare-copies.ts'
import { uploadPicture } from '../server/site/pictures/upload-picture.ts'
import { addPasskey, createAuthenticator, passkeyResponse } from './authenticator.ts'
import { type Account, resetTokens, signUp, signUpAdmin, tenantPassword } from './build-account.ts'
import { buildApplication, dates, makeBooking, makePending } from './build-application.ts'
import { buildFeeRule, buildTaxRule } from './build-charge-rule.ts'
import { changeEmail, emailTokens } from './build-email-change.ts'
import { buildEntry, invitationTokens } from './build-entry.ts'
import { addDocument, addItem, watchDeposits } from './build-evidence.ts'
import { challengeFor, codeOf, mailedCode, proveMailbox, withToken } from './build-factor.ts'
import { scanPdf } from './build-lease.ts'
import { buildOffer, offerToken } from './build-offer.ts'
import { buildCheckout, buildManualPayment, webhookSecret } from './build-payment.ts'
import { choosePlan, fixedLateFee, setSigned } from './build-plan.ts'
import { buildRate } from './build-rate.ts'
import { signatureOf } from './build-signing.ts'
import { editorOf } from './build-site.ts'
import { buildMailWording } from './build-wording.ts'
import { type CalendarHost, startCalendarHost } from './calendar-host.ts'
import { takeCleanups } from './cleanups.ts'
import { everyRow } from './every-row.ts'
import { numberedJpeg, pictureForm, quickPreparer } from './picture-site.ts'
import { type RunningProvider, startProvider } from './provider.ts'
import { queuedTokens } from './queued-tokens.ts'
import { type TestApp, testApp, testNow, testOrigin, visitor } from './test-app.ts'
import { testFolder } from './test-folder.ts'

export const callers = ['guest', 'tenant', 'other', 'admin'] as const
export type Caller = (typeof callers)[number]
export type MatrixSite = Awaited<ReturnType<typeof seedMatrixSite>>

/**
 * A site with one of everything: a tenant with applications in every state, an unsigned and a signed lease, card and
 * manual payments, another tenant, an admin. Its data are saved, so that each test starts with them.
 */
export async function seedMatrixSite() {
  const providerServer = await startProvider({
    now: () => new Date(testNow),
    webhookUrl: () => 'http://127.0.0.1:9/',
    webhookSecret,
  })
  providerServer.provider.holdDeliveries(true)
  const host = await startCalendarHost()
  const replace = { provider: connectProvider(providerServer.url, 'sk_test_of_the_tests', webhookSecret) }
  const app = await testApp({ env: siteEnv(host), replace })
  const tenant = await signUp(app)
  const other = await signUp(app, { email: 'stranger@guest.example' })
  const admin = await signUpAdmin(app)
  const [maya, owner] = [actorOf(tenant.user), actorOf(admin.user)]

  const { application: draft } = await app
    .as(maya)
    .applications.create(buildApplication(dates('2027-01-01', '2027-02-01')))
  const pending = await makePending(app, maya, dates('2027-02-01', '2027-03-01'))
  const unsigned = await makeBooking(app, maya, owner, dates('2026-06-01', '2026-07-01'))
  const { leaseTextSha256 } = await generate(app, owner, unsigned.id, '2026-06-01', '2026-07-01')
  const signed = await makeBooking(app, maya, owner, dates('2026-08-01', '2026-09-01'))
  await generate(app, owner, signed.id, '2026-08-01', '2026-09-01')
  await upload(app, tenant.token, signed.id)
  const planned = await makePlanned(app, maya, owner)
  const forGuests = await addMessagesAndReviews(app, maya, owner, signed.id)

  const signers = await addSigners(app, maya, owner)

  const { payment: manual } = await app.as(owner).payments.addManual(buildManualPayment(unsigned.id))
  const paid = await payByCard(app, providerServer, maya, unsigned.id)
  const { charge } = await app
    .as(owner)
    .charges.add({ applicationId: signed.id, kind: 'fee', label: 'Beach chairs', amountCents: 60_00 })
  const { rate } = await app.as(owner).rates.create(buildRate())
  const { fee } = await app.as(owner).chargeRules.createFee(buildFeeRule())
  const { tax } = await app.as(owner).chargeRules.createTax(buildTaxRule())
  const { export: given, url: exportUrl } = await app
    .as(owner)
    .calendars.createExport({ name: 'For Airbnb', scope: 'platform' })
  await app
    .as(owner)
    .availability.setDate({ date: '2026-12-24', isAvailable: false, reason: 'The owner is here' })
  await app.as({ role: 'guest', requestOrigin: testOrigin }).accounts.forgotPassword({ email: tenant.email })
  const { application: entered } = await app.as(owner).manualBookings.create(buildEntry())
  const [invitationToken = ''] = invitationTokens(app, entered.email)
  const calendars = await addCalendars(app, owner, host)
  const media = await addPictures(app, owner as Admin)
  const photos = await addPhotos(app, owner as Admin, signed.id)
  const site = await editSite(app, owner)
  const passkeys = await addPasskeys(app, owner)
  const emailLinks = await addEmailChanges(app, maya, actorOf(other.user), owner)
  const factors = await addFactors(app, { tenant, other, admin })
  const ids = { failedMailId: randomUUID(), quarantinedId: 'evt_quarantined' }
  await app.deps.write(tx => {
    const at = testNow
    tx.insert(outbox)
      .values({
        id: ids.failedMailId,
        dedupeKey: 'failed',
        kind: 'test-mail',
        props: {},
        toAddress: 'nobody@guest.example',
        createdAt: at,
        status: 'failed',
        nextAttemptAt: at,
      })
      .run()
    // A restore holds a mail like this one.
    tx.insert(outbox)
      .values({
        id: randomUUID(),
        dedupeKey: 'held',
        kind: 'test-mail',
        props: {},
        toAddress: 'nobody@guest.example',
        createdAt: at,
        status: 'held',
        nextAttemptAt: at,
      })
      .run()
    tx.insert(providerEvents)
      .values({
        id: ids.quarantinedId,
        type: 'checkout.session.completed',
        receivedAt: at,
        outcome: 'quarantined',
        reason: 'No payment here belongs to this checkout.',
        payload: '{}',
      })
      .run()
    tx.update(payments).set({ cancelRequestedAt: at }).where(eq(payments.id, paid.id)).run()
  })

  const [[notMeToken = ''], [resetToken = '']] = [
    queuedTokens(app, ['new-login']),
    resetTokens(app, tenant.email),
  ]
  const offers = await addOffers(app, owner, signed.id)
  const folder = mkdtempSync(join(tmpdir(), 'condo-matrix-'))
  copyDatabase(app.deps.config.databaseFile, join(folder, 'portal.sqlite'))
  cpSync(keyPathOf(app.deps.config.databaseFile), keyPathOf(join(folder, 'portal.sqlite')))
  cpSync(app.deps.config.uploadsDir, join(folder, 'uploads'), { recursive: true })
  const copy = await openCopy(folder, providerServer, host)
  return {
    ...ids,
    ...calendars,
    ...media,
    ...photos,
    ...site,
    ...passkeys,
    emailTokens: emailLinks,
    ...factors,
    providerServer,
    host,
    renew: copy.renew,
    folder,
    tokens: { guest: undefined, tenant: tenant.token, other: other.token, admin: admin.token },
    publicIds: {
      guest: 'nothing',
      tenant: publicIdOf(app, tenant.token),
      other: publicIdOf(app, other.token),
      admin: publicIdOf(app, admin.token),
    },
    notMeToken,
    emails: { tenant: tenant.email, other: other.email, admin: admin.email },
    tenantId: tenant.user.id,
    draftId: draft.id,
    pendingId: pending.id,
    unsignedId: unsigned.id,
    signedId: signed.id,
    enteredId: entered.id,
    ...planned,
    ...forGuests,
    ...signers,
    ...offers,
    invitationToken,
    chargeId: charge.id,
    leaseTextSha256,
    manualId: manual.id,
    paidId: paid.id,
    sessionId: paid.sessionId,
    rateId: rate.id,
    feeId: fee.id,
    taxId: tax.id,
    exportId: given.id,
    exportToken: /calendar\/([\w-]+)\.ics/.exec(exportUrl)?.[1] ?? '',
    resetToken,
    tenantPassword,
    close: async () => {
      await copy.close()
      await providerServer.close()
      await host.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A lease whose tenant, guarantor and owner are invited to sign. */
async function addSigners(app: TestApp, tenant: SignedIn, owner: SignedIn) {
  const { id: invitedId } = await makeBooking(app, tenant, owner, dates('2026-10-01', '2026-11-01'))
  await generate(app, owner, invitedId, '2026-10-01', '2026-11-01')
  const gus = { role: 'guarantor' as const, firstName: 'Gus', lastName: 'Grant', email: 'gus@guest.example' }
  const signers = [gus, { role: 'owner' as const }]
  const { signing } = await app.as(owner).signing.adminInvite({ applicationId: invitedId, signers })
  const idOf = (role: string) => signing.signers.find(signer => signer.role === role)?.id ?? ''
  const openAs = async (to: string) => {
    const [token = ''] = queuedTokens(app, ['sign-invitation'], to)
    return { token, given: signatureOf(await app.as(visitor).signing.open({ token })) }
  }
  const ofOwner = await openAs(app.deps.siteContent().content.identity.ownerEmail)
  return {
    invitedId,
    guarantorId: idOf('guarantor'),
    ownerSignerId: idOf('owner'),
    guarantor: await openAs(gus.email),
    ownersSignature: ofOwner.given,
  }
}

/** Calendars are read only on request, because the time of the next automatic read is random. */
const siteEnv = ({ origin }: CalendarHost) => ({
  RATE_LIMITS: 'off',
  FETCH_ALLOW: origin,
  CALENDAR_POLL_SECONDS: '0',
})

/** Makes a signed lease whose plan has an overdue payment with a proposed late fee. */
async function makePlanned(app: TestApp, maya: SignedIn, owner: SignedIn) {
  const { id } = await makeBooking(app, maya, owner, dates('2028-01-01', '2028-02-01'))
  await app.as(owner).leases.generate({ applicationId: id, rentalAmount: 2500 })
  const rows = [{ amountCents: 2500_00, dueDate: null }]
  await choosePlan(app, owner, id, { lateFee: fixedLateFee, rows })
  await setSigned(app, id, '2026-02-01T17:00:00.000Z')
  const { instalments } = await app.as(owner).plans.show({ applicationId: id })
  const overdue = instalments.find(({ lateFee }) => lateFee !== null)
  const { version } = await app.as(owner).settings.plan.get()
  return { plannedId: id, instalmentId: overdue?.id ?? '', planSettingsVersion: version }
}

/** Adds a conversation with a file and a reply link, a stay to review, and reviews that wait and are published. */
async function addMessagesAndReviews(app: TestApp, maya: SignedIn, owner: SignedIn, applicationId: string) {
  const body = { enabled: true }
  for (const section of ['messages', 'reviews'] as const)
    await app.as(owner).settings[section].save({ version: 0, body })
  const content = { content: scanPdf(), name: 'plan.pdf' }
  const { id: messageFileId } = await storeMessageFile(app.deps, { actor: maya, applicationId }, content)
  const message = { applicationId, body: 'Is there a cot?', requestId: randomUUID() }
  await app.as(owner).conversations.adminSend({ ...message, requestId: randomUUID() })
  await app.as(maya).conversations.send({ ...message, fileIds: [messageFileId] })
  const stayed: string[] = []
  for (const month of ['2029-01', '2029-02', '2029-03']) {
    const { id } = await makeBooking(app, maya, owner, dates(`${month}-01`, `${month}-15`))
    stayed.push(id)
  }
  const past = { stayStartDate: '2026-02-01', stayEndDate: '2026-02-15' }
  await app.deps.write(tx => tx.update(applications).set(past).where(inArray(applications.id, stayed)).run())
  const [stayedId = '', waitingReviewId = '', publishedReviewId = ''] = stayed
  const review = { rating: 5, text: 'We loved the balcony and the sea.', name: 'first' as const }
  for (const applicationId of [waitingReviewId, publishedReviewId])
    await app.as(maya).reviews.write({ ...review, applicationId })
  await app.as(owner).reviews.publish({ applicationId: publishedReviewId })
  const tokenOf = (kind: 'message_reply' | 'review', subjectId: string) =>
    app.deps.write(tx => {
      const { id } = createLink(tx, testNow, { kind, subjectId, personId: maya.userId })
      return issueToken(tx, testNow, id)?.token ?? ''
    })
  return {
    messageFileId,
    stayedId,
    waitingReviewId,
    publishedReviewId,
    review,
    replyToken: await tokenOf('message_reply', linkSubject(applicationId, 0, 2)),
    reviewToken: await tokenOf('review', stayedId),
  }
}

/** Adds an offer to somebody without an account, and a promise from a booked stay. */
async function addOffers(app: TestApp, owner: SignedIn, applicationId: string) {
  const { offers } = app.as(owner)
  const { claim: offer } = await offers.make(buildOffer({ startDate: '2028-03-01', endDate: '2028-03-15' }))
  const stay = { startDate: '2028-05-01', endDate: '2028-06-01' }
  const { claim: promise } = await offers.promise({ applicationId, rentalAmount: 2000, ...stay })
  return {
    offerId: offer.id,
    offerCents: offer.totalCents ?? 0,
    offerToken: offerToken(app, offer.id),
    promiseId: promise.id,
    promiseCents: promise.totalCents ?? 0,
  }
}

/** Adds a calendar with an event that overlaps the signed stay, and a calendar that became empty. */
async function addCalendars(app: TestApp, owner: SignedIn, host: CalendarHost) {
  const { calendars } = app.as(owner)
  host.serveEvents({ uid: 'theirs', start: '2026-08-10', end: '2026-08-13' })
  const { feed } = await calendars.addFeed({ name: 'Airbnb', url: host.url('/airbnb.ics') })
  host.serveEvents({ uid: 'other', start: '2026-10-01', end: '2026-10-04' })
  const { feed: empty } = await calendars.addFeed({ name: 'Vrbo', url: host.url('/vrbo.ics') })
  host.serveEvents()
  await calendars.readNow({ id: empty.id })
  const [conflict] = (await calendars.overview()).conflicts
  if (!conflict) throw new Error('nothing is booked twice')
  return {
    feedId: feed.id,
    emptyFeedId: empty.id,
    eventId: conflict.eventId,
    conflictId: conflict.id,
    newFeedUrl: host.url('/google.ics'),
  }
}

/** Adds a picture with copies, and a picture whose copies failed. */
async function addPictures({ deps: { config, ...others } }: TestApp, owner: Admin) {
  const deps = { ...others, config, picturePreparer: quickPreparer(config.uploadsDir) }
  const add = async (number: number) => {
    const source = pictureForm(await numberedJpeg(number)).get('picture')
    if (!(source instanceof File)) throw new Error('the form has no picture')
    return (await uploadPicture(deps, owner, { source: source.stream(), name: source.name })).picture.id
  }
  const pictureId = await add(1)
  await prepareNext(deps)
  const [copies] = deps.db.select().from(pictureCopies).all()
  const copyName = formatCopyName({ hash: copies?.hash ?? '', width: 400, format: 'webp' })
  const failedPictureId = await add(2)
  await deps.write(tx => {
    const failed = { state: 'failed', fault: 'This picture could not be prepared.' } as const
    tx.update(pictures).set(failed).where(eq(pictures.id, failedPictureId)).run()
    tx.update(pictureCopies).set(failed).where(eq(pictureCopies.pictureId, failedPictureId)).run()
  })
  return { pictureId, copyName, failedPictureId, newPicture: await numberedJpeg(3) }
}

/** Adds an item of a deposit with a photo that a statement names, and one that none does. */
async function addPhotos(app: TestApp, owner: Admin, applicationId: string) {
  const { config, ...others } = app.deps
  const deps = { ...others, config, picturePreparer: quickPreparer(config.uploadsDir) }
  const { version: depositSettingsVersion } = await watchDeposits(app, owner)
  const itemId = await addItem({ deps }, applicationId)
  const add = async (number: number) => {
    const photo = pictureForm(await numberedJpeg(number)).get('picture')
    if (!(photo instanceof File)) throw new Error('the form has no photo')
    return (await addItemPhoto(deps, owner, { itemId }, { source: photo.stream(), name: photo.name })).photoId
  }
  const photoId = await add(4)
  await addDocument({ deps }, 'statement', applicationId, itemId)
  const { deposit } = await app.as(owner).deposits.get({ applicationId })
  const statementId = deposit?.statements[0]?.id ?? ''
  return { depositSettingsVersion, itemId, photoId, statementId, unnamedPhotoId: await add(5) }
}

/** Publishes a version of the site's content, and leaves a draft with a different headline. */
async function editSite(app: TestApp, owner: SignedIn) {
  const { draft, publish, save } = editorOf(app.as(owner))
  await save('hero', { headline: 'Come and stay' })
  await publish()
  const body = buildMailWording({ title: 'Please sign' })
  await app.as(owner).wordings.save({ kind: 'lease-ready', version: 0, body, note: 'Plainer' })
  await save('hero', { headline: 'Come and stay a while' })
  const { revision, sections } = await draft()
  return { draftRevision: revision, hero: sections.hero }
}

/** Adds another user's passkey to log in with, and creates a passkey that the admin has not added yet. */
async function addPasskeys(app: TestApp, owner: SignedIn) {
  const device = createAuthenticator()
  await addPasskey(app, await app.makeTenant(), device)
  const { options } = await app.as(owner).factors.passkeyOptions()
  const newPasskey = { name: 'Laptop', credential: createAuthenticator().register(options) }
  return { newPasskey, passkeyUse: await passkeyResponse(app, device) }
}

function publicIdOf({ deps }: TestApp, token: string): string {
  const row = deps.db
    .select()
    .from(sessions)
    .where(eq(sessions.id, sha256(token)))
    .get()
  if (!row) throw new Error('the token has no session')
  return row.publicId
}

/** Starts an email change for everybody, and completes one for another tenant. */
async function addEmailChanges(app: TestApp, maya: SignedIn, ...others: SignedIn[]) {
  const left = await app.makeTenant({ email: 'left@guest.example' })
  await changeEmail(app, left, 'gone@guest.example')
  for (const [index, person] of [maya, ...others].entries()) {
    if (person.role === 'tenant') await proveMailbox(app, person)
    await app.as(person).emailChange.start({ newEmail: `new-${index}@guest.example` })
  }
  const [confirm = ''] = emailTokens(app, 'email-change', 'new-0@guest.example')
  const [undo = ''] = emailTokens(app, 'email-undo', 'left@guest.example')
  return { confirm, undo }
}

/**
 * Gives the other tenant two-step verification and a login that waits for its code; starts setup for the rest. Then the
 * other tenant's mailbox counts as not proven again, as in a database from before factors asked for it.
 */
async function addFactors(
  app: TestApp,
  { admin, other, tenant }: Record<'admin' | 'other' | 'tenant', Account>,
) {
  const begin = async ({ password, token, user }: Account) => {
    const { factors } = app.as(withToken(actorOf(user), token))
    const { secret } = await factors.setUpTotp({ password })
    return { factors, code: codeOf(app, secret) }
  }
  const { code, factors } = await begin(other)
  const { recoveryCodes } = await factors.confirmTotp({ code })
  const [factor] = (await factors.list()).factors
  const isOther = eq(users.id, other.user.id)
  await app.deps.write(tx => tx.update(users).set({ mailboxProvenAt: null }).where(isOther).run())
  await app.as(actorOf(other.user)).emailChange.sendCode()
  return {
    mailboxCode: mailedCode(app),
    factorId: factor?.id ?? '',
    recoveryCode: recoveryCodes[0] ?? '',
    challenge: await challengeFor(app, other.email, other),
    setupCodes: { tenant: (await begin(tenant)).code, admin: (await begin(admin)).code },
  }
}

/** One site for all tests, on a copy of the data. `renew` puts everything back that changed. */
async function openCopy(source: string, providerServer: RunningProvider, host: CalendarHost) {
  const folder = testFolder()
  cpSync(source, folder, { recursive: true })
  const databaseFile = join(folder, 'portal.sqlite')
  const uploadsDir = join(folder, 'uploads')
  const app = await testApp({
    env: { ...siteEnv(host), DATABASE_FILE: databaseFile, UPLOADS_DIR: uploadsDir },
    replace: {
      picturePreparer: quickPreparer(uploadsDir),
      provider: connectProvider(providerServer.url, 'sk_test_of_the_tests', webhookSecret),
    },
  })
  const close = takeCleanups()
  const saved = new SqliteDatabase(join(source, 'portal.sqlite'), { readonly: true })
  const site = { ...app, snapshotState: () => snapshotState(app, providerServer) }
  let unchanged = app.deps.dataVersion()
  return {
    async renew() {
      app.setNow(testNow)
      app.sentMails.length = 0
      if (app.deps.dataVersion() === unchanged) return site
      await saved.backup(databaseFile, { progress: () => 10_000 })
      rmSync(uploadsDir, { recursive: true })
      cpSync(join(source, 'uploads'), uploadsDir, { recursive: true })
      // The commit of another connection is noticed in the next turn of the event loop.
      await new Promise(setImmediate)
      unchanged = app.deps.dataVersion()
      return site
    },
    async close() {
      saved.close()
      await close()
    },
  }
}

/** The site with its first data. All tests of a file share one, so the previous one is no longer valid. */
export const openMatrixSite = (matrix: MatrixSite) => matrix.renew()
export type OpenedMatrixSite = Awaited<ReturnType<typeof openMatrixSite>>

/** Everything that a rejected request must not change: all rows, stored files, mails, and the provider's state. */
export function snapshotState(app: Pick<TestApp, 'deps' | 'sentMails'>, providerServer: RunningProvider) {
  const { config } = app.deps
  const files = readdirSync(config.uploadsDir, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
  return {
    tables: everyRow(app),
    files: Object.fromEntries(
      files.toSorted().map(path => [path, createHash('sha256').update(readFileSync(path)).digest('hex')]),
    ),
    mails: app.sentMails.length,
    provider: providerServer.provider.truth(),
    eventCount: providerServer.provider.events().length,
  }
}

const actorOf = ({ id: userId, role }: { id: string; role: SignedIn['role'] }): SignedIn => ({
  role,
  userId,
  requestOrigin: testOrigin,
})

function generate(app: TestApp, owner: SignedIn, applicationId: string, start: string, end: string) {
  return app.as(owner).leases.generate({ applicationId, leaseStartDate: start, leaseEndDate: end })
}

/** The form with a scanned lease, as a browser sends it. */
export function scanForm(id: string, field = 'signedLease', idField = 'applicationId'): FormData {
  const form = new FormData()
  form.set(idField, id)
  form.set(field, new File([new Uint8Array(scanPdf())], 'signed lease.pdf', { type: 'application/pdf' }))
  return form
}

async function upload(app: TestApp, token: string, applicationId: string): Promise<void> {
  const url = await app.listen()
  const response = await fetch(`${url}/api/lease/upload-signed`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: scanForm(applicationId),
  })
  if (!response.ok) throw new Error(`the scan was refused: ${await response.text()}`)
}

async function payByCard(app: TestApp, { provider }: RunningProvider, maya: SignedIn, applicationId: string) {
  const { url } = await app.as(maya).payments.createCheckoutSession(buildCheckout({ applicationId }))
  const row = app.deps.db.select().from(payments).where(eq(payments.checkoutUrl, url)).get()
  if (!row?.checkoutSessionId) throw new Error('the checkout has no session')
  provider.pay(row.checkoutSessionId)
  await app.as(maya).payments.bySession({ sessionId: row.checkoutSessionId })
  return { id: row.id, sessionId: row.checkoutSessionId }
}

/** Copies a database that is in use. */
function copyDatabase(from: string, to: string): void {
  const source = new SqliteDatabase(from)
  source.prepare('VACUUM INTO ?').run(to)
  source.close()
}
