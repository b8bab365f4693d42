import fc from 'fast-check'
import { expect, test } from 'vitest'
import { matchTotp, totpCode, totpStepAt } from '../../server/lib/totp.ts'
import type { StepUpMethod } from '../common/errors.ts'
import type { Role } from './account-rules.ts'
import {
  cancelEmailChange,
  canUndo,
  confirmEmailChange,
  type EmailChange,
  emailChangeState,
  startEmailChange,
  undoEmailChange,
} from './email-change.ts'
import {
  afterPassword,
  enrollmentState,
  type Factor,
  type FactorStatus,
  hasSecondFactor,
  keepsRecoveryCodes,
  maxPasskeys,
  usableSteps,
} from './factor.ts'
import {
  isChallengeOpen,
  type LoginChallenge,
  newChallenge,
  secondStepWaitSeconds,
  tryChallenge,
  type WrongCode,
} from './login-challenge.ts'
import { afterWrongStepUp, missingStepUp, proofOfLogin, type SessionProof, withProof } from './step-up.ts'

type Person = 'owner' | 'thief'
/** What a person presented to get a session or a step-up; recorded independently of the rules to check them. */
type PresentedProof = 'password' | 'totp' | 'passkey' | 'recovery'
type StoredFactor = Factor & { id: number; createdAt: string; lastStep: number | null; madeBy: Person }
type Session = SessionProof & { id: number; by: Person; wrong: number }
/** What a person has. Each item works only while the account still has its counterpart. */
type Possessions = {
  passwords: string[]
  phones: number[]
  passkeys: number[]
  paper: string[]
  mailboxes: string[]
}

const start = Date.parse('2026-03-04T17:00:00.000Z')
const ownAddress = 'maya@guest.example'
const nothing = (): Possessions => ({ passwords: [], phones: [], passkeys: [], paper: [], mailboxes: [] })

/** One account and two people. The class stands in for the services; every decision is made by the domain. */
class World {
  now = start
  count = 0
  role: Role = 'admin'
  password: string | null = 'first'
  email = ownAddress
  factors: StoredFactor[] = []
  codes: string[] = []
  sessions: Session[] = []
  challenges: (LoginChallenge & { by: Person; password: string | null })[] = []
  wrongCodes: WrongCode[] = []
  changes: EmailChange[] = []
  possessions: Record<Person, Possessions> = {
    owner: { ...nothing(), passwords: ['first'], mailboxes: [ownAddress, 'maya.new@guest.example'] },
    thief: nothing(),
  }
  /** Whether the thief did something that needs a proof; possible only if a password was enough. */
  isTaken = false
  /** Whether the thief ever had something that only the owner should have, such as the owner's phone. */
  thiefHasSecond = false

  get at() {
    return new Date(this.now).toISOString()
  }
  get protection(): FactorStatus {
    return { factors: this.factors, recoveryCodesLeft: this.codes.length }
  }
  copy(): World {
    return Object.assign(new World(), structuredClone({ ...this }))
  }
  sessionOf(by: Person) {
    return this.sessions.findLast(session => session.by === by)
  }
  /** The person's session if it needs no step-up now. */
  proven(by: Person): Session | undefined {
    const session = this.sessionOf(by)
    if (!session || missingStepUp(this.protection, session, this.at)) return undefined
    if (by === 'thief') this.isTaken = true
    return session
  }
  thiefMayBeTwo() {
    return (
      this.thiefHasSecond || this.factors.some(({ confirmedAt, madeBy }) => confirmedAt && madeBy === 'thief')
    )
  }
  startSession(by: Person, shown: PresentedProof[], proof: SessionProof) {
    if (hasSecondFactor(this.protection)) {
      const hasTwo = shown.includes('password') && (shown.includes('totp') || shown.includes('recovery'))
      expect(hasTwo || shown.includes('passkey')).toBe(true)
      if (by === 'thief') expect(this.thiefMayBeTwo()).toBe(true)
    }
    this.sessions.push({ ...proof, id: ++this.count, by, wrong: 0 })
  }

  logIn(by: Person): boolean {
    if (this.password === null || !this.possessions[by].passwords.includes(this.password)) return false
    const next = afterPassword(this.protection)
    if (next.session) this.startSession(by, ['password'], proofOfLogin('password', this.role, this.at))
    else this.challenges.push({ ...newChallenge(this.at), by, password: this.password })
    return true
  }
  /** Whether the proof is correct. A correct proof is used up at once, as in one transaction. */
  spend(by: Person, how: 'totp' | 'recovery' | 'guess', drift = 0): boolean {
    if (!usableSteps(this.protection).includes(how === 'recovery' ? 'recovery' : 'totp')) return false
    if (how === 'recovery') {
      const code = this.possessions[by].paper.find(written => this.codes.includes(written))
      this.codes = this.codes.filter(unused => unused !== code)
      return code !== undefined
    }
    const factor = this.factors.find(({ confirmedAt, kind }) => kind === 'totp' && confirmedAt !== null)
    if (!factor || how === 'guess' || !this.possessions[by].phones.includes(factor.id)) return false
    return this.acceptCode(factor, drift)
  }
  acceptCode(factor: StoredFactor, drift: number): boolean {
    const secret = Buffer.alloc(20, factor.id)
    const code = totpCode(secret, totpStepAt(this.now) + drift)
    const step = matchTotp(secret, code, { nowMs: this.now, lastStep: factor.lastStep })
    if (step === undefined) return false
    expect(step).toBeGreaterThan(factor.lastStep ?? -1)
    factor.lastStep = step
    return true
  }
  answer(by: Person, how: 'totp' | 'recovery' | 'guess', drift = 0): boolean {
    const index = this.challenges.findLastIndex(challenge => challenge.by === by)
    const challenge = this.challenges[index]
    if (!challenge || !isChallengeOpen(challenge, this.at)) return false
    const network = by
    if (secondStepWaitSeconds(this.wrongCodes, { at: this.at, network, isKnownNetwork: by === 'owner' }) > 0)
      return false
    const isRight = this.spend(by, how, drift)
    const tried = tryChallenge(challenge, { at: this.at, isRight })
    this.challenges[index] = { ...challenge, ...tried.challenge }
    if (tried.outcome === 'wrong') this.wrongCodes.push({ at: this.at, network })
    if (tried.outcome !== 'passed') return false
    // A challenge must not outlive the password that it was started with.
    expect(challenge.password).toBe(this.password)
    const shown: PresentedProof = how === 'recovery' ? 'recovery' : 'totp'
    this.startSession(by, ['password', shown], proofOfLogin('factor', this.role, this.at))
    return true
  }
  hasPasskey(by: Person) {
    return this.factors.some(
      ({ id, isUsable, kind }) =>
        kind === 'passkey' && isUsable && this.possessions[by].passkeys.includes(id),
    )
  }
  passkeyLogin(by: Person): boolean {
    if (!this.hasPasskey(by)) return false
    this.startSession(by, ['passkey'], proofOfLogin('factor', this.role, this.at))
    return true
  }
  stepUp(by: Person, method: StepUpMethod, drift: number) {
    const session = this.sessionOf(by)
    if (!session) return
    const after = withProof(this.protection, session, { method, at: this.at })
    const isRight =
      after !== undefined &&
      (method === 'password'
        ? this.possessions[by].passwords.includes(this.password ?? '')
        : method === 'passkey'
          ? this.hasPasskey(by)
          : this.spend(by, method, drift))
    if (isRight) {
      if (hasSecondFactor(this.protection)) expect(method).not.toBe('password')
      Object.assign(session, after, { wrong: 0 })
      return
    }
    const { endsSession, tries } = afterWrongStepUp(session.wrong)
    session.wrong = tries
    if (endsSession) this.sessions = this.sessions.filter(one => one !== session)
  }

  enrolTotp(by: Person) {
    const session = this.sessionOf(by)
    if (!session || !this.possessions[by].passwords.includes(this.password ?? '')) return
    if (hasSecondFactor(this.protection) && !this.proven(by)) return
    if (this.factors.some(({ confirmedAt, kind }) => kind === 'totp' && confirmedAt !== null)) return
    if (!hasSecondFactor(this.protection)) session.stepUpAt = this.at
    this.factors = this.factors.filter(({ confirmedAt }) => confirmedAt !== null)
    this.possessions[by].phones.push(this.addFactor(by, 'totp', null))
  }
  addFactor(madeBy: Person, kind: Factor['kind'], confirmedAt: string | null): number {
    const id = (++this.count % 250) + 1
    this.factors.push({ id, kind, madeBy, confirmedAt, createdAt: this.at, lastStep: null, isUsable: true })
    return id
  }
  confirmTotp(by: Person, drift: number) {
    const pending = this.factors.find(({ confirmedAt }) => confirmedAt === null)
    if (
      !pending ||
      enrollmentState(pending, this.at) !== 'open' ||
      !this.possessions[by].phones.includes(pending.id)
    )
      return
    const session = this.proven(by)
    if (!session || !this.acceptCode(pending, drift)) return
    this.giveUpEmailChange()
    pending.confirmedAt = this.at
    this.voidFactorProofs()
    Object.assign(session, { factorAt: this.at, stepUpAt: this.at })
    this.writeCodes(by)
  }
  /** Cancels e-mail changes that were started with only a password, now that the account gets a second factor. */
  giveUpEmailChange() {
    if (hasSecondFactor(this.protection)) return
    this.changes = this.changes.map(change => cancelEmailChange(change, this.at))
  }
  /** A proof by a removed factor does not count for the next factor. */
  voidFactorProofs() {
    for (const session of this.sessions) session.factorAt = null
  }
  writeCodes(by: Person) {
    this.codes = Array.from({ length: 10 }, () => `code ${++this.count}`)
    this.possessions[by].paper = [...this.codes]
  }
  addPasskey(by: Person) {
    const session = this.proven(by)
    if (!session || this.factors.filter(({ kind }) => kind === 'passkey').length >= maxPasskeys) return
    this.giveUpEmailChange()
    this.possessions[by].passkeys.push(this.addFactor(by, 'passkey', this.at))
    this.voidFactorProofs()
    Object.assign(session, { factorAt: this.at, stepUpAt: this.at })
  }
  removeFactor(by: Person, which: number) {
    if (this.factors.length === 0 || !this.proven(by)) return
    this.factors.splice(which % this.factors.length, 1)
    if (!keepsRecoveryCodes(this.protection)) this.codes = []
  }
  newCodes(by: Person) {
    if (hasSecondFactor(this.protection) && this.proven(by)) this.writeCodes(by)
  }

  replacePassword(by: Person, keep?: Session) {
    this.password = `password ${++this.count}`
    this.possessions[by].passwords.push(this.password)
    this.sessions = this.sessions.filter(session => session === keep)
    this.challenges = []
    this.changes = this.changes.map(change => cancelEmailChange(change, this.at))
  }
  changePassword(by: Person) {
    if (!this.possessions[by].passwords.includes(this.password ?? '')) return
    const session = this.proven(by)
    if (session) this.replacePassword(by, session)
  }
  reset(by: Person): boolean {
    if (!this.possessions[by].mailboxes.includes(this.email)) return false
    const before = structuredClone({ factors: this.factors, codes: this.codes })
    this.replacePassword(by)
    expect({ factors: this.factors, codes: this.codes, sessions: this.sessions }).toEqual({
      ...before,
      sessions: [],
    })
    return true
  }
  changeEmail(by: Person, which: number) {
    const others = this.possessions[by].mailboxes.filter(address => address !== this.email)
    const to = others[which % Math.max(1, others.length)] ?? 'thief@guest.example'
    if (to === this.email || !this.proven(by)) return
    this.changes = this.changes.map(change => cancelEmailChange(change, this.at))
    this.changes.push(startEmailChange(this.email, to, this.at))
  }
  confirmEmail(by: Person, side: 'old' | 'new') {
    const index = this.changes.findIndex(change => emailChangeState(change, this.at) === 'waiting')
    const change = this.changes[index]
    if (
      !change ||
      !this.possessions[by].mailboxes.includes(side === 'old' ? change.oldEmail : change.newEmail)
    )
      return
    const after = confirmEmailChange(change, { side, at: this.at, isTaken: false })
    if (!after) return
    this.changes[index] = after
    if (after.doneAt === null) return
    expect([change.confirmedOldAt ?? side, change.confirmedNewAt ?? side]).toContain(side)
    this.email = after.newEmail
    this.sessions = []
    this.challenges = []
  }
  undo(by: Person, which: number): boolean {
    const mine = this.changes.filter(
      change => canUndo(change, this.at) && this.possessions[by].mailboxes.includes(change.oldEmail),
    )
    const change = mine[which % Math.max(1, mine.length)]
    const undone = change && undoEmailChange(this.changes, this.changes.indexOf(change), this.at)
    if (!undone) return false
    Object.assign(this, {
      changes: undone.changes,
      email: undone.email,
      sessions: [],
      challenges: [],
      password: null,
    })
    return true
  }
  /** The owner leaves a computer whose session has no fresh proof; the thief takes over that session. */
  leaveSession() {
    const session = this.sessionOf('owner')
    if (!session || !missingStepUp(this.protection, session, this.at)) return
    session.by = 'thief'
    // A session plus the owner's phone or paper counts as two factors.
    const { paper, phones } = this.possessions.thief
    if (phones.length + paper.length > 0) this.thiefHasSecond = true
  }
  cliReset() {
    Object.assign(this, { factors: [], codes: [], sessions: [], challenges: [] })
  }
}

/** Whether the owner can log in with what they still have; with the command line only if `mayAskCli`. */
function getsIn(world: World, mayAskCli: boolean): boolean {
  const site = world.copy()
  // Temporary lockouts have expired by then; an e-mail change can still be undone.
  site.now += 90_000
  if (site.passkeyLogin('owner')) return true
  const canLogIn = () => site.logIn('owner') || (site.reset('owner') && site.logIn('owner'))
  if (!canLogIn() && !(site.undo('owner', 0) && canLogIn())) {
    if (!mayAskCli) return false
    Object.assign(site, { email: ownAddress, changes: [] })
    expect(canLogIn()).toBe(true)
  }
  if (site.sessionOf('owner') || site.answer('owner', 'totp') || site.answer('owner', 'recovery')) return true
  if (!mayAskCli) return false
  site.cliReset()
  return site.logIn('owner')
}

/** Whether the owner has a second step that the account accepts, or needs none. */
function hasSecond(world: World): boolean {
  if (!hasSecondFactor(world.protection)) return true
  const { paper, phones } = world.possessions.owner
  const totp = world.factors.some(
    ({ confirmedAt, id, isUsable, kind }) =>
      kind === 'totp' && confirmedAt && isUsable && phones.includes(id),
  )
  return totp || paper.some(code => world.codes.includes(code)) || world.hasPasskey('owner')
}

const names = [
  'logIn',
  'answer',
  'passkeyLogin',
  'stepUp',
  'enrolTotp',
  'confirmTotp',
  'addPasskey',
  'removeFactor',
  'newCodes',
  'changePassword',
  'reset',
  'changeEmail',
  'confirmEmail',
  'undo',
] as const
const events = ['leave', 'lose', 'restore', 'move', 'cli', 'role', 'wait', 'days', 'protect'] as const
type Step =
  | { do: (typeof names)[number]; by: Person; which: number }
  | { do: (typeof events)[number]; which: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constantFrom(...names),
      by: fc.constantFrom<Person>('owner', 'thief'),
      which: fc.nat(11),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom(...events), which: fc.nat(11) }) },
)

function act(world: World, step: Step) {
  const { which } = step
  const drift = (which % 5) - 2
  const pick = <T>(...items: T[]): T => items[which % items.length] as T
  if (!('by' in step)) return happen(world, step.do, which)
  const { by } = step
  if (step.do === 'logIn') world.logIn(by)
  if (step.do === 'answer') world.answer(by, pick('totp', 'recovery', 'guess'), drift)
  if (step.do === 'passkeyLogin') world.passkeyLogin(by)
  if (step.do === 'stepUp') world.stepUp(by, pick('totp', 'password', 'recovery', 'passkey'), drift)
  if (step.do === 'enrolTotp') world.enrolTotp(by)
  if (step.do === 'confirmTotp') world.confirmTotp(by, drift)
  if (step.do === 'addPasskey') world.addPasskey(by)
  if (step.do === 'removeFactor') world.removeFactor(by, which)
  if (step.do === 'newCodes') world.newCodes(by)
  if (step.do === 'changePassword') world.changePassword(by)
  if (step.do === 'reset') world.reset(by)
  if (step.do === 'changeEmail') world.changeEmail(by, which)
  if (step.do === 'confirmEmail') world.confirmEmail(by, pick('old', 'new'))
  if (step.do === 'undo') world.undo(by, which)
}

function happen(world: World, what: (typeof events)[number], which: number) {
  const { owner } = world.possessions
  if (what === 'leave') world.leaveSession()
  if (what === 'lose')
    Object.assign(owner, { [(['phones', 'passkeys', 'paper'] as const)[which % 3] ?? 'paper']: [] })
  // Restored on another machine, without its key.
  if (what === 'restore')
    for (const factor of world.factors) if (factor.kind === 'totp') factor.isUsable = false
  // Moved to another domain and back: a passkey works only at the domain that it was created for.
  if (what === 'move')
    for (const factor of world.factors) if (factor.kind === 'passkey') factor.isUsable = !factor.isUsable
  if (what === 'cli' && which === 0) world.cliReset()
  if (what === 'role') world.role = which % 2 ? 'admin' : 'tenant'
  if (what === 'wait') world.now += (which + 1) * 45_000
  if (what === 'days') world.now += (which + 1) * 8 * 3_600_000
  if (what === 'protect') protect(world)
}

/** The owner turns on two-step verification; random sequences rarely do. */
function protect(world: World) {
  if (!world.logIn('owner') || !world.sessionOf('owner')) return
  world.enrolTotp('owner')
  world.confirmTotp('owner', 0)
}

/**
 * What only someone with two factors may change on a protected account. A mailbox alone can reset the password and undo
 * an e-mail change.
 */
const guarded = (world: World, step: Step) => ({
  factors: world.factors.filter(({ confirmedAt }) => confirmedAt !== null).map(({ id }) => id),
  codes: [...world.codes],
  ...(step.do === 'reset' || step.do === 'undo' ? {} : { email: world.email, password: world.password }),
})

function actJudged(world: World, step: Step) {
  const before = guarded(world, step)
  const isGuarded =
    'by' in step && step.by === 'thief' && hasSecondFactor(world.protection) && !world.thiefMayBeTwo()
  act(world, step)
  const { owner, thief } = world.possessions
  // A thief who reads the mailbox can confirm a change that the owner requested to an address that only the owner
  // reads.
  const isOwnersAlone = owner.mailboxes.includes(world.email) && !thief.mailboxes.includes(world.email)
  const expected = step.do === 'confirmEmail' && isOwnersAlone ? { ...before, email: world.email } : before
  if (isGuarded) expect(guarded(world, step)).toEqual(expected)
  if (!hasSecondFactor(world.protection)) expect(world.codes).toEqual([])
}

/** Openings that random sequences would rarely produce. */
const by = (person: Person, ...all: (typeof names)[number][]): Step[] =>
  all.map(name => ({ do: name, by: person, which: 2 }))
const openings: Step[][] = [
  [],
  [{ do: 'protect', which: 0 }],
  [{ do: 'protect', which: 0 }, ...by('owner', 'addPasskey')],
  by('owner', 'logIn', 'addPasskey', 'newCodes'),
  [
    ...by('thief', 'logIn', 'enrolTotp'),
    ...by('owner', 'logIn', 'addPasskey'),
    ...by('thief', 'confirmTotp'),
  ],
  [...by('thief', 'logIn', 'changeEmail'), { do: 'protect', which: 0 }, ...by('thief', 'confirmEmail')],
  [{ do: 'protect', which: 0 }, ...by('thief', 'logIn'), ...by('owner', 'logIn', 'reset')],
]

/** What the thief steals: everything that one factor gives access to, never two factors. */
const loot = fc.constantFrom('password', 'mailbox', 'both', 'phone', 'paper', 'nothing')

function rob(world: World, what: string) {
  const { owner, thief } = world.possessions
  if (what === 'password' || what === 'both') thief.passwords.push(...owner.passwords)
  if (what === 'mailbox' || what === 'both') thief.mailboxes.push(ownAddress, 'thief@guest.example')
  // Only what exists now is copied; the owner keeps theirs.
  if (what === 'phone') thief.phones.push(...owner.phones)
  if (what === 'paper') thief.paper.push(...owner.paper)
}

const numRuns = process.env.LONG === undefined ? 60 : 1000

test('the owner can always log in, and nobody can access a protected account with one factor [SAFE-03, SAFE-04, SAFE-06, SAFE-09, SAFE-16, SAFE-28]', () => {
  let protectedSteps = 0
  let ways = 0
  fc.assert(
    fc.property(
      loot,
      fc.constantFrom(...openings),
      fc.array(step, { maxLength: 60, size: 'max' }),
      (what, opening, steps) => {
        const world = new World()
        // Phone and paper are stolen only after they hold a factor; what the owner adds later belongs to the owner
        // alone.
        if (what === 'phone' || what === 'paper') protect(world)
        rob(world, what)
        for (const one of [...opening, ...steps]) {
          actJudged(world, one)
          if (hasSecondFactor(world.protection)) protectedSteps++
          // If the password was enough and the thief knew it, the owner may need the command line.
          if (!world.isTaken && hasSecond(world)) {
            ways++
            expect(getsIn(world, false)).toBe(true)
          }
          expect(getsIn(world, true)).toBe(true)
        }
      },
    ),
    { numRuns },
  )
  // Guards against sequences that never reach a protected account.
  expect(protectedSteps).toBeGreaterThan(10 * numRuns)
  expect(ways).toBeGreaterThan(10 * numRuns)
}, 60_000)
