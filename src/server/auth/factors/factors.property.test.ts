import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  accessLinks,
  linkTokens,
  loginChallenges,
  recoveryCodes,
  sessions,
  userFactors,
  users,
} from '../../../../db/schema.ts'
import { type SignedIn, system } from '../../../domain/accounts/access.ts'
import { addPasskey, createAuthenticator, passkeyResponse } from '../../../testing/authenticator.ts'
import { resetTokens } from '../../../testing/build-account.ts'
import { mailedCode, plainHash, plainPassword, readBase32, withToken } from '../../../testing/build-factor.ts'
import { type TestApp, testApp, visitor } from '../../../testing/test-app.ts'
import { totpCode } from '../../lib/totp.ts'
import { resetFactors } from './remove-factor.ts'

const minute = 60_000
const tables = [users, userFactors, recoveryCodes, loginChallenges, sessions, accessLinks, linkTokens]

/** The test's own model of the account, without the program's rules. */
type Account = {
  password: string
  isMailboxProven: boolean
  firstMailboxProofAt: number
  secret: string | null
  lastStep: number
  /** The number of the site's key that encrypted the secret. */
  keyId: number
  setup: { secret: string; at: number; keyId: number } | null
  codes: string[]
  passkeys: string[]
  sessions: { token: string; factorAt: number; provenAt: number; wrong: number }[]
  challenges: { token: string; at: number; tries: number }[]
}
type Device = ReturnType<typeof createAuthenticator>

class AccountModel {
  keyId = 0
  account: Account
  saved: { account: Account; rows: unknown[][] } | undefined
  wrongAt: number[] = []
  /** When a mailed code last proved the mailbox; the audit log is never restored. */
  lastMailedCodeAt = Number.NEGATIVE_INFINITY
  /** The host of each passkey. */
  hosts = new Map<string, string>()
  /** What the person has, including data from before a restore. */
  heldCredentials = {
    passwords: [plainPassword],
    secrets: [] as string[],
    recoveryCodes: [] as string[],
    devices: [] as Device[],
  }
  counts = { sessions: 0, refused: 0, asked: 0, cli: 0 }
  readonly app: TestApp
  readonly actor: SignedIn
  readonly email: string

  constructor(app: TestApp, actor: SignedIn, email: string) {
    this.app = app
    this.actor = actor
    this.email = email
    const nothing = { secret: null, lastStep: -1, keyId: 0, setup: null }
    this.account = {
      password: plainPassword,
      isMailboxProven: false,
      firstMailboxProofAt: Number.NEGATIVE_INFINITY,
      ...nothing,
      codes: [],
      passkeys: [],
      sessions: [],
      challenges: [],
    }
  }
  get now() {
    return this.app.deps.clock.now().getTime()
  }
  get host() {
    return new URL(this.app.deps.config.origin).hostname
  }
  /** Whether the passkey belongs to the account and to the current host. */
  worksHere({ id }: Device) {
    return this.account.passkeys.includes(id) && this.hosts.get(id) === this.host
  }
  get isProtected() {
    return this.account.secret !== null || this.account.passkeys.length > 0
  }
  /** Whether a factor may be added: the first one requires a mailbox proof from the last hour. */
  get isMailboxFresh() {
    const at = Math.max(this.account.firstMailboxProofAt, this.lastMailedCodeAt)
    return this.account.isMailboxProven && (this.isProtected || this.now - at < 60 * minute)
  }
  get factors() {
    return this.app.as(visitor).factors
  }
  /** Whether the last session has a sufficient proof from the last ten minutes. */
  isProven({ factorAt, provenAt } = this.session) {
    return this.now - (this.isProtected ? factorAt : Math.max(factorAt, provenAt)) < 10 * minute
  }
  get session() {
    const none = {
      token: 'none',
      factorAt: Number.NEGATIVE_INFINITY,
      provenAt: Number.NEGATIVE_INFINITY,
      wrong: 0,
    }
    return this.account.sessions.at(-1) ?? none
  }
  as({ token } = this.session) {
    return this.app.as(withToken(this.actor, token)).factors
  }
  /** The account's currently right code, with its time step. */
  rightCode(secret = this.account.secret, { lastStep, keyId } = this.account) {
    const step = Math.floor(this.now / 30_000)
    const found = [step - 1, step, step + 1].find(one => one > lastStep)
    if (secret === null || keyId !== this.keyId || found === undefined) return undefined
    return { step: found, code: totpCode(readBase32(secret), found) }
  }
  /** A code that is currently wrong for both app and account. */
  wrongCode() {
    const step = Math.floor(this.now / 30_000)
    const secrets = [this.account.secret, this.account.setup?.secret].flatMap(one =>
      one ? [readBase32(one)] : [],
    )
    const near = secrets.flatMap(one => [step - 1, step, step + 1].map(at => totpCode(one, at)))
    return (
      ['000000', '111111', '222222', '333333', '444444', '555555', '666666'].find(
        code => !near.includes(code),
      ) ?? ''
    )
  }
  begin(token: string, isFactor: boolean, role: string) {
    const at = this.now
    const never = Number.NEGATIVE_INFINITY
    const provenAt = isFactor || role === 'admin' ? at : never
    this.account.sessions.push({ token, factorAt: isFactor ? at : never, provenAt, wrong: 0 })
    this.counts.sessions++
  }

  async logIn(password: string) {
    const answer = await this.app
      .as(visitor)
      .accounts.login({ email: this.email, password })
      .catch(() => undefined)
    expect(answer !== undefined).toBe(password === this.account.password)
    if (!answer) return
    expect('challenge' in answer, 'a password alone opens what asks for two').toBe(this.isProtected)
    if ('token' in answer) this.begin(answer.token, false, answer.user.role)
    else this.account.challenges.push({ token: answer.challenge, at: this.now, tries: 0 })
  }
  /** Answers the challenge of the last login or an earlier one. */
  async answer(how: How, which: number) {
    const { challenges } = this.account
    const challenge = challenges.at(-1 - (which % Math.max(1, challenges.length)))
    if (!challenge) return
    // Keeps the second step from being locked, which other tests cover.
    if (this.wrongAt.filter(at => at > this.now - 61 * minute).length >= 15) this.app.advance(61 * minute)
    const proof = this.proofOf(how)
    const isOpen = challenge.tries < 5 && this.now - challenge.at < 5 * minute && this.isProtected
    const answer = await this.factors
      .challenge({ challenge: challenge.token, ...proof.input })
      .catch(() => undefined)
    expect(answer !== undefined, `${how} answers a challenge`).toBe(isOpen && proof.isRight)
    if (!isOpen) return
    challenge.tries += answer ? 5 : 1
    if (!answer) {
      this.wrongAt.push(this.now)
      this.counts.refused++
      return
    }
    proof.use()
    this.begin(answer.token, true, answer.user.role)
  }
  /** The input to send, and whether the account should accept it. */
  proofOf(how: How): {
    input: { code: string } | { recoveryCode: string }
    isRight: boolean
    use: () => void
  } {
    const { account, heldCredentials } = this
    const use = () => {}
    if (how === 'phone') {
      const right = this.rightCode()
      if (right)
        return {
          input: { code: right.code },
          isRight: true,
          use: () => Object.assign(account, { lastStep: right.step }),
        }
    }
    if (how === 'used' && account.secret && account.lastStep >= 0)
      return { input: { code: totpCode(readBase32(account.secret), account.lastStep) }, isRight: false, use }
    if (how === 'paper' && heldCredentials.recoveryCodes.length > 0) {
      const recoveryCode = account.codes[0] ?? heldCredentials.recoveryCodes[0] ?? ''
      const spend = () =>
        Object.assign(account, { codes: account.codes.filter(code => code !== recoveryCode) })
      return { input: { recoveryCode }, isRight: account.codes.includes(recoveryCode), use: spend }
    }
    if (how === 'void' && heldCredentials.recoveryCodes.length > 0) {
      const recoveryCode =
        heldCredentials.recoveryCodes.find(code => !account.codes.includes(code)) ?? '0000-0000-0000-0000'
      return { input: { recoveryCode }, isRight: false, use }
    }
    return { input: { code: this.wrongCode() }, isRight: false, use }
  }
  async stepUp(how: How | 'password', password: string) {
    const { session } = this
    if (session.token === 'none') return
    const proof = how === 'password' ? undefined : this.proofOf(how)
    const isRight = proof
      ? this.isProtected && proof.isRight
      : !this.isProtected && password === this.account.password
    const answer = await this.as()
      .stepUp(proof ? proof.input : { password })
      .catch(() => undefined)
    expect(answer !== undefined, `${how} is a step-up`).toBe(isRight)
    if (!answer && ++session.wrong === 5) this.account.sessions.pop()
    if (!answer) return
    proof?.use()
    Object.assign(session, { provenAt: this.now, wrong: 0, ...(proof && { factorAt: this.now }) })
  }

  async proveMailbox() {
    if (this.session.token === 'none' || this.isMailboxFresh) return
    const { emailChange: email } = this.app.as(withToken(this.actor, this.session.token))
    // Refused after five codes in a day.
    if (!(await email.sendCode().catch(() => undefined))) return
    await email.confirmCode({ code: mailedCode(this.app) })
    this.lastMailedCodeAt = this.now
    if (!this.account.isMailboxProven) this.account.firstMailboxProofAt = this.now
    this.account.isMailboxProven = true
  }
  async enroll() {
    const { account, session } = this
    if (session.token === 'none') return
    const isAllowed = !this.isProtected || this.isProven()
    const mayBegin = this.isMailboxFresh && account.secret === null && isAllowed
    const begun = await this.as()
      .setUpTotp({ password: account.password })
      .catch(() => undefined)
    expect(begun !== undefined).toBe(mayBegin)
    if (!begun) return
    account.setup = { secret: begun.secret, at: this.now, keyId: this.keyId }
    if (!this.isProtected) Object.assign(session, { provenAt: this.now, wrong: 0 })
  }
  async confirm(isRight: boolean) {
    const { account, session } = this
    const { setup } = account
    if (session.token === 'none') return
    const right = setup && this.rightCode(setup.secret, { ...account, lastStep: -1, keyId: setup.keyId })
    const mayConfirm = setup !== null && this.now - setup.at < 10 * minute && this.isProven()
    const answer = await this.as()
      .confirmTotp({ code: isRight && right ? right.code : this.wrongCode() })
      .catch(() => undefined)
    expect(answer !== undefined).toBe(mayConfirm && isRight && right !== undefined)
    if (!answer || !setup || !right) return
    Object.assign(account, { secret: setup.secret, keyId: setup.keyId, lastStep: right.step, setup: null })
    account.codes = answer.recoveryCodes
    Object.assign(session, { factorAt: this.now, provenAt: this.now, wrong: 0 })
    this.heldCredentials.secrets.push(setup.secret)
    this.heldCredentials.recoveryCodes.push(...answer.recoveryCodes)
  }
  async addPasskey() {
    const { account, session } = this
    if (session.token === 'none' || account.passkeys.length >= 3) return
    const device = createAuthenticator({ origin: this.app.deps.config.origin })
    const mayAdd = this.isMailboxFresh && this.isProven()
    const added = await addPasskey(this.app, withToken(this.actor, session.token), device).catch(
      () => undefined,
    )
    expect(added !== undefined).toBe(mayAdd)
    if (!added) return
    account.passkeys.push(device.id)
    this.hosts.set(device.id, this.host)
    this.heldCredentials.devices.push(device)
    Object.assign(session, { factorAt: this.now, provenAt: this.now, wrong: 0 })
  }
  async passkeyLogin(which: number) {
    const device = this.heldCredentials.devices.at(-1 - which)
    if (!device) return
    const credential = await passkeyResponse(this.app, device)
    const answer = await this.factors.passkeyLogin({ credential }).catch(() => undefined)
    expect(answer !== undefined).toBe(this.worksHere(device))
    if (answer) this.begin(answer.token, true, answer.user.role)
  }
  async remove(which: number) {
    const { account, session } = this
    if (session.token === 'none') return
    const { factors } = await this.as().list()
    expect(factors).toHaveLength(account.passkeys.length + (account.secret === null ? 0 : 1))
    const factor = factors[which % Math.max(1, factors.length)]
    const mayRemove = factor !== undefined && this.isProven()
    const answer = await this.as()
      .remove({ id: factor?.id ?? 'none' })
      .catch(() => undefined)
    expect(answer !== undefined).toBe(mayRemove)
    if (!answer || !factor) return
    const left = this.app.deps.db.select({ id: userFactors.credentialId }).from(userFactors).all()
    if (factor.kind === 'totp') Object.assign(account, { secret: null, lastStep: -1 })
    else account.passkeys = account.passkeys.filter(id => left.some(row => row.id === id))
    if (!this.isProtected) account.codes = []
  }
  async newCodes() {
    const mayMake = this.isProtected && this.session.token !== 'none' && this.isProven()
    const answer = await this.as()
      .newRecoveryCodes()
      .catch(() => undefined)
    expect(answer !== undefined).toBe(mayMake)
    if (!answer) return
    this.account.codes = answer.recoveryCodes
    this.heldCredentials.recoveryCodes.push(...answer.recoveryCodes)
  }
  async resetPassword() {
    await this.app.as(visitor).accounts.forgotPassword({ email: this.email })
    const [token = ''] = resetTokens(this.app, this.email)
    const newPassword = `Brand.new.${this.heldCredentials.passwords.length}`
    // No factor was added before the mailbox was proven, so the mailbox alone never removes one.
    await this.app.as(visitor).accounts.resetPassword({ token, newPassword })
    if (!this.account.isMailboxProven) this.account.firstMailboxProofAt = this.now
    const nobody = { sessions: [], challenges: [] }
    Object.assign(this.account, { password: newPassword, isMailboxProven: true, ...nobody })
    this.heldCredentials.passwords.push(newPassword)
  }
  async resetFactors() {
    await resetFactors(this.app.deps, system, this.email)
    const nothing = { secret: null, lastStep: -1, setup: null, codes: [], passkeys: [] }
    Object.assign(this.account, { ...nothing, sessions: [], challenges: [] })
  }
  async setRole(role: 'admin' | 'tenant') {
    await this.app.deps.write(tx =>
      tx.update(users).set({ role }).where(eq(users.id, this.actor.userId)).run(),
    )
  }
  /** Moves the site to another host, or back. */
  move() {
    const origin = this.host === 'localhost' ? 'http://moved.localhost:3000' : 'http://localhost:3000'
    this.app.deps.config = { ...this.app.deps.config, origin }
  }
  save() {
    const rows = tables.map(table => this.app.deps.db.select().from(table).all())
    this.saved = { account: structuredClone(this.account), rows }
  }
  /** Restores the rows of the backup; without `withKey` the site has a new key. */
  async restore(withKey: boolean) {
    const { saved } = this
    if (!saved) return
    await this.app.deps.write(tx => {
      tx.run('pragma defer_foreign_keys = on')
      for (const table of tables.toReversed()) tx.delete(table).run()
      for (const [at, table] of tables.entries())
        for (const row of saved.rows[at] ?? [])
          tx.insert(table)
            .values(row as never)
            .run()
    })
    this.account = structuredClone(saved.account)
    if (withKey) return
    this.keyId++
    const key = { id: `key ${this.keyId}`, bytes: Buffer.alloc(32, this.keyId) }
    this.app.deps.key = { state: 'ready', key, isNew: true, wasExposed: false }
  }

  /** Logs in with everything that the person has, or by the command line if they have lost all their factors. */
  async getsIn() {
    // Lets used codes and the lock of the second step expire.
    this.app.advance(62 * minute)
    const { account, heldCredentials } = this
    const before = this.counts.sessions
    const hasDevice = heldCredentials.devices.findLastIndex(device => this.worksHere(device))
    if (hasDevice !== -1) await this.passkeyLogin(heldCredentials.devices.length - 1 - hasDevice)
    await this.resetPassword()
    await this.logIn(account.password)
    if (!this.isProtected) return expect(this.counts.sessions).toBeGreaterThan(before)
    this.counts.asked++
    const hasPhone =
      account.secret !== null &&
      heldCredentials.secrets.includes(account.secret) &&
      account.keyId === this.keyId
    const hasPaper = heldCredentials.recoveryCodes.some(code => account.codes.includes(code))
    if (hasPhone) await this.answer('phone', 0)
    else if (hasPaper) await this.answer('paper', 0)
    else if (hasDevice === -1) {
      this.counts.cli++
      await this.resetFactors()
      await this.logIn(account.password)
    }
    expect(this.counts.sessions, 'somebody has no way in').toBeGreaterThan(before)
  }
}

const hows = ['phone', 'paper', 'used', 'void', 'guess'] as const
type How = (typeof hows)[number]
const names = [
  'logIn',
  'answer',
  'stepUp',
  'proveMailbox',
  'enroll',
  'confirm',
  'addPasskey',
  'passkeyLogin',
  'remove',
  'newCodes',
  'reset',
  'cli',
  'role',
  'save',
  'restore',
  'move',
  'lose',
  'wait',
] as const
const weights: Partial<Record<(typeof names)[number], number>> = {
  logIn: 5,
  answer: 9,
  stepUp: 4,
  proveMailbox: 2,
  enroll: 3,
  confirm: 3,
}
type Step = { do: (typeof names)[number]; which: number }
const step: fc.Arbitrary<Step> = fc.record({
  do: fc.oneof(...names.map(name => ({ weight: weights[name] ?? 1, arbitrary: fc.constant(name) }))),
  which: fc.nat(19),
})

async function act(model: AccountModel, { do: what, which }: Step) {
  const { passwords } = model.heldCredentials
  const password = which === 7 ? (passwords[0] ?? '') : model.account.password
  const how = hows[Math.min(which % 7, 4)] ?? 'guess'
  if (what === 'logIn') await model.logIn(password)
  if (what === 'answer') await model.answer(which > 13 ? 'phone' : how, which % 3)
  if (what === 'stepUp') await model.stepUp(which % 2 ? how : 'password', password)
  if (what === 'proveMailbox') await model.proveMailbox()
  if (what === 'enroll') await model.enroll()
  if (what === 'confirm') await model.confirm(which !== 3)
  if (what === 'addPasskey' && which < 8) await model.addPasskey()
  if (what === 'passkeyLogin') await model.passkeyLogin(which % 2)
  if (what === 'remove') await model.remove(which)
  if (what === 'newCodes') await model.newCodes()
  if (what === 'reset') await model.resetPassword()
  if (what === 'cli' && which < 4) await model.resetFactors()
  if (what === 'role') await model.setRole(which % 2 ? 'admin' : 'tenant')
  if (what === 'save') model.save()
  if (what === 'restore') await model.restore(which % 2 === 0)
  if (what === 'move') model.move()
  if (what === 'lose')
    Object.assign(model.heldCredentials, {
      [(['secrets', 'recoveryCodes', 'devices'] as const)[which % 3] ?? '']: [],
    })
  if (what === 'wait') model.app.advance((which + 1) * 40_000)
}

const by = (...all: Step['do'][]): Step[] => all.map(name => ({ do: name, which: 0 }))
const begun = by('logIn', 'proveMailbox', 'enroll', 'confirm')
const robbed: Step[] = [0, 1].map(which => ({ do: 'lose', which }))
const openings = [
  [],
  begun,
  [...begun, ...by('logIn'), ...robbed],
  [...begun, ...by('save', 'logIn', 'wait')],
]

test('after any sequence of events neither a password nor the mailbox alone passes two-step verification, and the owner can always log in [FIX-29, SAFE-03, SAFE-06, SAFE-08, SAFE-09, SAFE-11]', async () => {
  const sum = { sessions: 0, refused: 0, asked: 0, cli: 0 }
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...openings),
      fc.array(step, { maxLength: 40, size: 'max' }),
      async (opening, steps) => {
        const app = await testApp({ env: { RATE_LIMITS: 'off' } })
        const { actor, user } = await app.makeUser({
          role: 'admin',
          passwordHash: plainHash,
          mailboxProvenAt: null,
        })
        const model = new AccountModel(app, actor, user.email)
        for (const one of [...opening, ...steps]) await act(model, one)
        await model.getsIn()
        for (const name of Object.keys(sum) as (keyof typeof sum)[]) sum[name] += model.counts[name]
      },
    ),
    {
      numRuns: 20,
      // Random sequences may include neither the loss of all factors nor a guessed code.
      examples: [
        [[...begun, ...robbed], []],
        [[...begun, ...by('logIn')], [{ do: 'answer', which: 4 }]],
      ],
    },
  )
  // The sequences were not all no-ops.
  expect(sum.sessions).toBeGreaterThan(40)
  expect(sum.refused).toBeGreaterThan(0)
  expect(sum.asked).toBeGreaterThan(5)
  expect(sum.cli).toBeGreaterThan(0)
}, 60_000)
