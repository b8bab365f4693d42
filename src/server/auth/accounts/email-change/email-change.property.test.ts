import fc from 'fast-check'
import { expect, test } from 'vitest'
import { users } from '../../../../../db/schema.ts'
import type { SignedIn } from '../../../../domain/accounts/access.ts'
import { AppError } from '../../../../domain/common/errors.ts'
import { emailOf, emailTokens } from '../../../../testing/build-email-change.ts'
import { plainPassword } from '../../../../testing/build-factor.ts'
import { type TestApp, testApp, visitor } from '../../../../testing/test-app.ts'

const hour = 3_600_000
const pool = ['a', 'b', 'c', 'd', 'e', 'f'].map(name => `${name}@guest.example`)

/** The test's own record of a change. */
type ChangeModel = {
  from: string
  to: string
  begunAt: number
  /** Whether somebody else had the new address, or could return to it, when the change was requested. */
  wasTaken: boolean
  confirmed: Set<'old' | 'new'>
  doneAt: number | null
  isOver: boolean
  tokens: { old: string; new: string; undo: string }
}
type Person = { actor: SignedIn; email: string; changes: ChangeModel[] }

const acts = ['start', 'confirm', 'change', 'undo', 'giveUp', 'register', 'wait'] as const
type Step = { do: (typeof acts)[number]; who: number; which: number }
const often: Record<Step['do'], number> = {
  start: 4,
  confirm: 8,
  change: 5,
  undo: 3,
  giveUp: 1,
  register: 1,
  wait: 3,
}
const step: fc.Arbitrary<Step> = fc.oneof(
  ...acts.map(name => ({
    weight: often[name],
    arbitrary: fc.record({ do: fc.constant(name), who: fc.nat(1), which: fc.nat(11) }),
  })),
)

/** A model of the expected state: two people, and strangers who register. */
class Model {
  now = 0
  registered: string[] = []
  count = { done: 0, undone: 0, refused: 0 }
  readonly app: TestApp
  readonly people: [Person, Person]
  constructor(app: TestApp, people: [Person, Person]) {
    this.app = app
    this.people = people
  }

  isOpen = (change: ChangeModel) =>
    !change.isOver && change.doneAt === null && this.now < change.begunAt + 24 * hour
  canUndo = (change: ChangeModel) =>
    !change.isOver && change.doneAt !== null && this.now < change.doneAt + 7 * 24 * hour
  /** Whether somebody else has the address, or can return to it. */
  isTaken(email: string, except?: Person): boolean {
    const others = this.people.filter(person => person !== except)
    return (
      this.registered.includes(email) ||
      others.some(
        other => other.email === email || other.changes.some(one => one.from === email && this.canUndo(one)),
      )
    )
  }

  async act({ do: what, which, who }: Step): Promise<void> {
    const person = this.people[who] as Person
    const address = pool[which % pool.length] as string
    if (what === 'start' || what === 'change') await this.start(person, address)
    if (what === 'confirm') await this.confirm(person, which)
    if (what === 'change') for (const side of [0, 1]) await this.confirm(person, (which + side) % 2)
    if (what === 'undo') await this.undo(person, which % 3)
    if (what === 'giveUp') await this.giveUp(person)
    if (what === 'register') await this.register(address)
    if (what === 'wait') {
      const hours = [1, 1, 1, 1, 12, 12, 12, 24, 24, 60, 60, 7 * 24][which] ?? 0
      this.app.advance(hours * hour)
      this.now += hours * hour
    }
  }

  async start(person: Person, to: string) {
    const ok = await this.allowed(this.app.as(person.actor).emailChange.start({ newEmail: to }))
    expect(ok).toBe(to !== person.email)
    if (!ok) return
    for (const change of person.changes) if (change.doneAt === null) change.isOver = true
    const tokenFor = (address: string) => emailTokens(this.app, 'email-change', address)[0] ?? ''
    const wasTaken = this.isTaken(to, person)
    person.changes.push({
      from: person.email,
      to,
      begunAt: this.now,
      wasTaken,
      confirmed: new Set(),
      doneAt: null,
      isOver: false,
      tokens: { old: tokenFor(person.email), new: wasTaken ? '' : tokenFor(to), undo: '' },
    })
  }

  /** Confirms with any link that was ever mailed, most often the newest. */
  async confirm(person: Person, which: number) {
    const change = person.changes.at(-1 - Math.floor(which / 6))
    const side = which % 2 ? 'old' : 'new'
    if (!change?.tokens[side]) return
    const ok = await this.allowed(this.app.as(visitor).emailChange.confirm({ token: change.tokens[side] }))
    if (!this.isOpen(change)) return expect(ok).toBe(false)
    change.confirmed.add(side)
    if (change.confirmed.size < 2) return expect(ok).toBe(true)
    if (this.isTaken(change.to, person)) {
      change.isOver = true
      return expect(ok).toBe(false)
    }
    expect(ok).toBe(true)
    expect(change.wasTaken).toBe(false)
    person.email = change.to
    change.doneAt = this.now
    change.tokens.undo = emailTokens(this.app, 'email-undo', change.from)[0] ?? ''
    this.count.done++
  }

  async undo(person: Person, which: number) {
    const index = person.changes.length - 1 - which
    const change = person.changes[index]
    if (!change?.tokens.undo) return
    const ok = await this.allowed(this.app.as(visitor).emailChange.undo({ token: change.tokens.undo }))
    expect(ok).toBe(this.canUndo(change))
    if (!ok) return
    for (const later of person.changes.slice(index)) later.isOver = true
    person.email = change.from
    this.count.undone++
  }

  async giveUp(person: Person) {
    await this.app.as(person.actor).emailChange.giveUp()
    for (const change of person.changes) if (change.doneAt === null) change.isOver = true
  }

  async register(email: string) {
    const form = { firstName: 'Eve', lastName: 'Low', email, password: plainPassword }
    const ok = await this.allowed(this.app.as(visitor).accounts.register(form))
    expect(ok).toBe(!this.isTaken(email))
    if (ok) this.registered.push(email)
  }

  /** Whether the call succeeded. It may only fail with an AppError; any other error fails the test. */
  async allowed(work: Promise<unknown>): Promise<boolean> {
    try {
      await work
      return true
    } catch (error) {
      const cause = error instanceof Error ? error.cause : undefined
      if (!(cause instanceof AppError) || cause.code === 'internal') throw error
      this.count.refused++
      return false
    }
  }

  async check() {
    const addresses = this.app.deps.db.select({ email: users.email }).from(users).all()
    const expected = [...this.people.map(({ email }) => email), ...this.registered]
    expect(addresses.map(({ email }) => email).toSorted()).toEqual(expected.toSorted())
    for (const person of this.people) {
      expect(emailOf(this.app, person.actor)).toBe(person.email)
      const open = person.changes.find(this.isOpen)
      const { change } = await this.app.as(person.actor).emailChange.current()
      expect(change && { to: change.newEmail, old: change.confirmedOld, new: change.confirmedNew }).toEqual(
        open ? { to: open.to, old: open.confirmed.has('old'), new: open.confirmed.has('new') } : null,
      )
    }
  }
}

test('in any order of actions: an address has one account, a change needs both confirmations, and the former address can undo it [SAFE-25, SAFE-26, SAFE-28, SAFE-29]', async () => {
  const total = { done: 0, undone: 0, refused: 0 }
  const run = async (steps: Step[]) => {
    const app = await testApp({ env: { RATE_LIMITS: 'off' } })
    const makePerson = async (email: string) => ({
      email,
      actor: await app.makeTenant({ email }),
      changes: [],
    })
    const model = new Model(app, [
      await makePerson('maya@guest.example'),
      await makePerson('olive@guest.example'),
    ])
    for (const one of steps) {
      await model.act(one)
      await model.check()
    }
    // Every change that can still be undone, can be undone.
    for (const person of model.people) {
      const index = person.changes.findIndex(model.canUndo)
      if (index >= 0) await model.undo(person, person.changes.length - 1 - index)
    }
    await model.check()
    for (const name of ['done', 'undone', 'refused'] as const) total[name] += model.count[name]
  }
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 60, size: 'max' }), run), {
    numRuns: 8,
  })
  // The sequences were not all no-ops.
  expect(Math.min(total.done, total.undone, total.refused)).toBeGreaterThan(5)
}, 60_000)
