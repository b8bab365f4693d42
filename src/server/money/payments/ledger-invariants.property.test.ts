import { randomUUID } from 'node:crypto'
import { TRPCError } from '@trpc/server'
import { eq, isNull } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { applications, charges, depositItems, disputes, payments, refunds } from '../../../../db/schema.ts'
import type { SignedIn } from '../../../domain/accounts/access.ts'
import { addDays, addMonths } from '../../../domain/common/dates.ts'
import { minuteMs } from '../../../domain/common/durations.ts'
import { AppError } from '../../../domain/common/errors.ts'
import { type Account, accountSums } from '../../../domain/money/account-sums.ts'
import {
  creditedCents,
  feeKeptCents,
  isBankReturn,
  isRefundCounted,
  paidCents,
} from '../../../domain/money/ledger.ts'
import {
  type Arrival,
  type Invariant,
  unreportedArrivals,
  type Violation,
  violationsOf,
} from '../../../domain/money/ledger-invariants.ts'
import { lostBefore, withoutLost } from '../../../domain/money/transfer-losses.ts'
import { buildTaxRule } from '../../../testing/build-charge-rule.ts'
import { scanPdf } from '../../../testing/build-lease.ts'
import { buildCheckout, buildManualPayment, paymentApp } from '../../../testing/build-payment.ts'
import { expectSameMoney } from '../../../testing/money-views.ts'
import { seed, testRandom } from '../../../testing/random.ts'
import { uploadSignedAddendum } from '../../leases/addenda/upload.ts'
import { uploadSignedLease } from '../../leases/upload.ts'
import { verifyStore } from '../../operations/backup/verify.ts'
import type { Random } from '../../operations/demo/seed-runtime.ts'
import { allAccounts } from '../accounts.ts'
import { tickDeposits } from '../deposits/watch.ts'
import { listCharges, summaryOf } from '../queries.ts'
import { sweepPayments } from './checkout/sweep.ts'
import type { PaymentRow } from './records.ts'

// Each world starts with an empty database, so that a step takes the same time in a short and in a long run.
const isLong = process.env.LONG !== undefined
const { worlds, stepsEach } = isLong ? { worlds: 40, stepsEach: 250 } : { worlds: 2, stepsEach: 30 }
/** Invariants that the code does not enforce yet. */
const unenforcedInvariants: readonly Invariant[] = ['arrival-unreported']

type World = Awaited<ReturnType<typeof makeWorld>>
type RefundRequest = {
  paymentId: string
  totalCents: number | undefined
  requestId: string
  purpose: 'refund' | undefined
}
type Action = { name: string; run: () => Promise<unknown> }

/** In every second world deposits are watched, and about half of the stays are over. */
async function makeWorld(random: Random, isWatched: boolean) {
  const app = await paymentApp()
  app.provider.holdDeliveries(true)
  const tenants = [await app.makeTenant(), await app.makeTenant()]
  const admins = [await app.makeAdmin(), await app.makeAdmin()]
  const { tax } = await app.as(admins[0] as SignedIn).chargeRules.createTax(buildTaxRule())
  const world = {
    app,
    taxRuleId: tax.id,
    random,
    tenants,
    admins,
    applicationCount: 0,
    isWatched,
    /** Undelivered events, and the number of events that the provider has created. */
    waiting: [] as string[],
    eventCount: 0,
    /** What successful responses promised: rows that must stay unchanged, and rows that must be gone. */
    unchangedRows: new Map<string, { amountCents: number; type: string }>(),
    removed: new Set<string>(),
    refunded: new Map<string, Map<string, number>>(),
    lastRefund: undefined as undefined | RefundRequest,
    /**
     * The application for which each payment was started, and the payments that arrived when it accepted none any more.
     */
    begunFor: new Map<string, string>(),
    arrived: new Set<string>(),
    log: [] as string[],
  }
  if (isWatched) await watchDeposits(world)
  for (const tenant of [...tenants, ...tenants]) await addApplication(world, tenant)
  return world
}

/** By a rule under which nobody has to wait for the time to object. */
async function watchDeposits({ admins, app }: Pick<World, 'admins' | 'app'>) {
  const owner = app.as(admins[0] as SignedIn)
  const days = { returnDays: 120, claimDays: 120, objectionDays: 0, restDays: 1 }
  const { rule } = await owner.deposits.addRule({ ...days, name: 'Short', delivery: 'email', noticeText: '' })
  const body = { amountCents: 500_00, enabled: true, ruleId: rule.id, since: null }
  await owner.settings.deposit.save({ version: 0, body })
}

type WorldSetup = Pick<World, 'app' | 'random' | 'isWatched' | 'taxRuleId'> & { applicationCount: number }

/** Each application gets a separate month, so that any of them can be approved. */
async function addApplication(world: WorldSetup, tenant: SignedIn) {
  const { app, random } = world
  const isOver = world.isWatched && random.below(2) === 0
  // Leaves a free month after each booking, so that an addendum can extend it.
  const start = addMonths(isOver ? '2010-01-01' : '2027-01-01', 2 * world.applicationCount++)
  const depositCents = 300_00 + random.below(6) * 100_00
  const hasLease = random.below(4) > 0
  const { id: applicationId } = await app.makeApplication(tenant, {
    status: hasLease ? 'approved' : 'pending',
    submittedAt: app.deps.clock.now().toISOString(),
    requestedStartDate: start,
    requestedEndDate: addMonths(start, 1),
    ...(hasLease
      ? {
          depositCents,
          totalCents: depositCents + 2500_00,
        }
      : {
          rentCents: null,
          depositCents: null,
          lease: null,
          totalCents: 0,
        }),
  })
  if (!hasLease) return
  const { taxRuleId } = world
  const [name, label] = ['State tax', 'State tax (6% of $2,500.00)']
  const of = {
    applicationId,
    taxRuleId,
    name,
    label,
    baseCents: 2500_00,
    rateBasisPoints: 600,
    amountCents: 150_00,
  }
  const createdAt = app.deps.clock.now().toISOString()
  await app.deps.write(tx => {
    tx.insert(charges)
      .values({ id: randomUUID(), kind: 'tax', source: 'lease', createdAt, ...of })
      .run()
    tx.update(applications)
      .set({ totalCents: depositCents + 2650_00 })
      .where(eq(applications.id, applicationId))
      .run()
  })
  const scan = { applicationId, content: scanPdf(), name: 'lease.pdf' }
  await uploadSignedLease(app.deps, tenant, 'tenant', scan)
}

const allPayments = ({ app }: World) => app.deps.db.select().from(payments).all()
const liveApplications = ({ app }: World) =>
  app.deps.db.select().from(applications).where(isNull(applications.deletedAt)).all()

/** Prefers amounts near the limits. */
function amountUpTo({ random }: World, cents: number): number {
  const most = Math.max(1, cents)
  return random.pick([
    most,
    most,
    most + 1,
    Math.ceil(most / 2),
    1 + random.below(most),
    1 + random.below(2 * most),
  ])
}

/** A random action that moves money or makes such a move possible, given the current state. */
function drawAction(world: World): Action {
  const { admins, app, random, tenants } = world
  const owner = app.as(random.pick(admins))
  const rows = allPayments(world)
  const open = liveApplications(world)
  const [first = random.pick(open)] = open
  // One deposit has a longer story.
  const application = world.isWatched && random.below(2) === 0 ? first : random.pick(open)
  const tenant = tenants.find(({ userId }) => userId === application.userId) as SignedIn
  const siblings = open.filter(({ id, userId }) => userId === application.userId && id !== application.id)
  const ofApplication = rows.filter(row => row.applicationId === application.id && row.voidedAt === null)
  const paid = paidCents(ofApplication)
  const some = <T>(items: readonly T[]): T | undefined => (items.length > 0 ? random.pick(items) : undefined)
  const cardRow = (test: (row: PaymentRow) => boolean) =>
    some(rows.filter(row => row.method === 'card' && test(row)))
  /** Prefers payments of an account whose money was moved. */
  const movedFirst = (found: readonly PaymentRow[]): PaymentRow | undefined => {
    const moved = new Set(rows.flatMap(row => (row.transferId && !row.voidedAt ? row.applicationId : [])))
    const first = found.filter(row => moved.has(row.applicationId))
    return random.below(2) === 0 && first.length > 0 ? random.pick(first) : some(found)
  }
  const nothing: Action = { name: 'nothing', run: async () => undefined }

  const actions: [weight: number, draw: () => Action][] = [
    [
      8,
      () => {
        const isDeposit = random.below(2) === 0
        const amount = isDeposit ? 0 : 1_00 + random.below(300_000)
        const rentCents = isDeposit && random.below(2) === 0 ? 1_00 + random.below(300_000) : undefined
        return {
          name: `checkout ${isDeposit ? `deposit${rentCents ? ` and rent ${rentCents}` : ''}` : `rent ${amount}`} ${application.number}`,
          run: async () => {
            const { applications: options } = await app.as(tenant).payments.options()
            const due = options.find(({ id }) => id === application.id)
            const paymentType = isDeposit ? 'deposit' : 'rent'
            const asked = isDeposit ? (due?.depositDueCents ?? 500_00) : amount
            await app
              .as(tenant)
              .payments.createCheckoutSession(
                buildCheckout({ applicationId: application.id, paymentType, amount: asked, rentCents }),
              )
          },
        }
      },
    ],
    [
      1,
      () => ({
        name: 'checkout without application',
        run: () =>
          app
            .as(tenant)
            .payments.createCheckoutSession(buildCheckout({ paymentType: 'rent', amount: 700_00 })),
      }),
    ],
    [
      8,
      () => {
        const row = cardRow(
          ({ status, checkoutSessionId }) => status === 'pending' && checkoutSessionId !== null,
        )
        const how = random.pick(['pay', 'pay', 'pay', 'pay', 'decline', 'completeUnpaid'] as const)
        if (!row) return nothing
        return {
          name: `${how} ${row.id}`,
          run: async () => atProvider(() => app.provider[how](row.checkoutSessionId ?? '')),
        }
      },
    ],
    [
      2,
      () => {
        const row = cardRow(({ status }) => status === 'processing')
        const arrives = random.below(3) > 0
        if (!row) return nothing
        return {
          name: `settle ${row.id}`,
          run: async () => atProvider(() => app.provider.settle(row.checkoutSessionId ?? '', arrives)),
        }
      },
    ],
    [14, () => deliver(world)],
    [
      6,
      () => {
        const input = {
          ...buildManualPayment(application.id, { amount: 1 + random.below(100_000) }),
          paymentType: random.pick(['rent', 'deposit', 'deposit', 'other'] as const),
        }
        return {
          name: `manual ${input.paymentType} ${input.amount} ${application.number}`,
          run: async () => keep(world, [(await owner.payments.addManual(input)).payment]),
        }
      },
    ],
    [
      8,
      () => {
        const to = some(siblings)
        const depositAmount = amountUpTo(world, paid)
        const kind = random.pick(['any', 'any', 'deposit', 'other'] as const)
        if (!to) return nothing
        return {
          name: `transfer ${kind} ${depositAmount} ${application.number} to ${to.number}`,
          run: async () =>
            keep(
              world,
              (
                await owner.payments.transfer({
                  fromApplicationId: application.id,
                  toApplicationId: to.id,
                  depositAmount,
                  ...(kind !== 'any' && { kind }),
                  transferNotes: '',
                })
              ).payments,
            ),
        }
      },
    ],
    [
      6,
      () => {
        const kind = random.pick(['refund', 'deposit_return', 'deduction'] as const)
        const amount = amountUpTo(world, kind === 'refund' ? paid : Math.min(paid, 500_00))
        return {
          name: `${kind} ${amount} ${application.number}`,
          run: async () =>
            keep(world, [
              (
                await owner.payments.recordReturn({
                  applicationId: application.id,
                  kind,
                  amount,
                  reason: 'x',
                })
              ).payment,
            ]),
        }
      },
    ],
    [
      8,
      () => {
        const row = cardRow(({ status, voidedAt }) => status === 'succeeded' && voidedAt === null)
        if (!row) return nothing
        const left = row.amountCents + row.feeCents - row.refundedAmountCents - row.refundedFeeCents
        const totalCents = random.below(3) === 0 ? undefined : amountUpTo(world, left)
        const isCorrection = row.type === 'deposit' && random.below(3) === 0
        const purpose = isCorrection ? ('refund' as const) : undefined
        return askRefund(
          world,
          { paymentId: row.id, totalCents, requestId: randomUUID(), purpose },
          random.below(15) === 0 ? 'never' : random.pick(['soon', 'slowly'] as const),
        )
      },
    ],
    [2, () => (world.lastRefund ? askRefund(world, world.lastRefund, 'soon') : nothing)],
    [
      6,
      () => {
        const live = rows.filter(({ voidedAt }) => voidedAt === null)
        const lost = live.filter(row => row.lostAmountCents > 0)
        const row = random.below(3) === 0 && lost.length > 0 ? movedFirst(lost) : movedFirst(live)
        if (!row) return nothing
        return {
          name: `remove ${row.type} ${row.amountCents} ${row.id}`,
          run: async () => {
            await owner.payments.remove({ paymentId: row.id })
            for (const { id, transferId } of rows)
              if (id === row.id || (transferId && transferId === row.transferId)) world.removed.add(id)
          },
        }
      },
    ],
    [
      5,
      () => {
        const charge = movedFirst(rows.filter(row => row.stripeChargeId !== null))?.stripeChargeId
        const how = random.pick(['refund', 'dispute', 'dispute', 'inquiry'] as const)
        const amount = random.below(2) === 0 ? undefined : 1 + random.below(50_000)
        const status = how === 'inquiry' ? ('warning_needs_response' as const) : undefined
        if (!charge) return nothing
        return {
          name: `${how} at the provider ${charge} ${amount}`,
          run: async () =>
            atProvider(() =>
              how === 'refund'
                ? app.provider.refund(charge, amount)
                : app.provider.openDispute(charge, { amount, ...(status && { status }) }),
            ),
        }
      },
    ],
    [
      3,
      () => {
        const dispute = some(app.deps.db.select().from(disputes).all())
        const outcome = random.pick(['won', 'lost', 'advanced'] as const)
        if (!dispute) return nothing
        return {
          name: `dispute ${dispute.id} ${outcome}`,
          run: async () =>
            atProvider(() =>
              outcome === 'advanced'
                ? app.provider.advanceDispute(dispute.id)
                : app.provider.closeDispute(dispute.id, outcome),
            ),
        }
      },
    ],
    [
      world.isWatched ? 24 : 0,
      () => {
        const act = random.pick(Object.keys(depositSteps) as (keyof typeof depositSteps)[])
        const amount = amountUpTo(world, Math.min(paid, 500_00))
        return {
          name: `deposit: ${act} ${amount} ${application.number}`,
          run: () =>
            depositSteps[act](world, { applicationId: application.id, amount, owner, guest: app.as(tenant) }),
        }
      },
    ],
    [
      1,
      () => {
        const refund = some(app.provider.events().filter(({ type }) => type === 'refund.created'))
        const { id = '' } = (refund?.data.object ?? {}) as { id?: string }
        return {
          name: `refund ${id} fails after all`,
          run: async () => atProvider(() => app.provider.failRefund(id)),
        }
      },
    ],
    [2, () => ({ name: 'sweep', run: () => sweepPayments(app.deps) })],
    [
      2,
      () => {
        const status = random.pick(['approved', 'rejected', 'completed'] as const)
        return {
          name: `${status} ${application.number}`,
          run: () => owner.applications.adminSetStatus({ id: application.id, status }),
        }
      },
    ],
    [8, () => cancelOrReinstate(world, { application, owner, paid })],
    [
      6,
      () => {
        const terms = random.pick([
          { depositAmount: random.below(9) * 100 },
          { rentalAmount: 1000 + random.below(3000) },
          { lines: [{ kind: 'fee' as const, label: 'More', amountCents: 1 + random.below(50_000) }] },
          { leaseEndDate: addDays(application.stayEndDate, random.below(20) - 10), rentalAmount: 2500 },
        ])
        return {
          name: `addendum ${JSON.stringify(terms)} ${application.number}`,
          run: () => agree({ app, owner, tenant }, { applicationId: application.id, ...terms }),
        }
      },
    ],
    [
      2,
      () => {
        const row = cardRow(({ applicationId, status }) => status === 'pending' && applicationId !== null)
        const isDeleted = random.below(3) === 0
        if (!row?.applicationId) return nothing
        const id = row.applicationId
        return {
          name: `${isDeleted ? 'delete' : 'decline'} while the provider is down, then pay ${row.id}`,
          run: async () => {
            app.provider.setFault({ hangUp: true })
            try {
              if (isDeleted) await owner.applications.adminDelete({ id })
              else await owner.applications.adminSetStatus({ id, status: 'rejected' })
            } finally {
              app.provider.setFault({})
            }
            atProvider(() => app.provider.pay(row.checkoutSessionId ?? ''))
          },
        }
      },
    ],
    [
      1,
      () => ({
        name: `delete ${application.number}`,
        run: () => owner.applications.adminDelete({ id: application.id }),
      }),
    ],
    [
      2,
      () => {
        const minutes = random.pick([1, 5, 20, 20, 150])
        return { name: `${minutes} minutes pass`, run: async () => app.advance(minutes * minuteMs) }
      },
    ],
  ]
  const draws = actions.flatMap(([weight, draw]) => Array.from({ length: weight }, () => draw))
  return random.pick(draws)()
}

/** Makes an addendum that is signed on paper, or withdrawn if it cannot be signed any more. */
async function agree(
  { app, owner, tenant }: { app: World['app']; owner: ReturnType<World['app']['as']>; tenant: SignedIn },
  terms: Parameters<typeof owner.addenda.make>[0],
): Promise<void> {
  const { addendum } = await owner.addenda.make(terms)
  const scan = { id: addendum.id, content: scanPdf(), name: 'addendum.pdf' }
  const signing = uploadSignedAddendum(app.deps, tenant, scan)
  await signing.catch(async error => {
    if (!(error instanceof AppError)) throw error
    await owner.addenda.withdraw({ addendumId: addendum.id })
  })
}

/** Cancels a stay, goes on with its refunds in some way, or books it again. */
function cancelOrReinstate(
  { app, random }: World,
  of: { application: { id: string; number: string }; owner: ReturnType<World['app']['as']>; paid: number },
): Action {
  const { application, owner, paid } = of
  const applicationId = application.id
  const how = random.pick(['cancel', 'cancel', 'by hand', 'retry', 'tick', 'approved'] as const)
  const fault = random.pick([
    ...[{}, {}, { status: 402 }, { status: 500 }, { hangUp: true }],
    { hangUp: true, answerAfterTimeout: true },
  ])
  const isPart = random.below(2) === 0
  const refundCents = isPart ? random.below(Math.max(1, paid)) : undefined
  const run = async () => {
    const form = { applicationId, side: 'owner', reason: 'x', refundCents } as const
    if (how === 'cancel') return owner.cancellations.cancel(form)
    if (how === 'tick') return tickDeposits(app.deps)
    if (how === 'approved') return owner.applications.adminSetStatus({ id: applicationId, status: how })
    const { cancellation } = await owner.cancellations.adminGet({ applicationId })
    const open = (cancellation?.refunds ?? []).filter(({ state }) => state !== 'done')
    const refundId = open.length > 0 ? random.pick(open).id : 'none'
    return how === 'retry'
      ? owner.cancellations.retryRefund({ refundId })
      : owner.cancellations.refundByHand({ refundId })
  }
  return {
    name: `cancellation: ${how} ${refundCents ?? ''} ${application.number}`,
    run: async () => {
      app.provider.setFault(fault)
      try {
        await run()
      } finally {
        app.provider.setFault({})
      }
    },
  }
}

type DepositStep = {
  applicationId: string
  amount: number
  owner: ReturnType<World['app']['as']>
  guest: ReturnType<World['app']['as']>
}

/** What owner and tenant do to a deposit; most is refused most of the time. */
const depositSteps = {
  left: (_: World, { applicationId, owner }: DepositStep) =>
    owner.deposits.change({ applicationId, vacatedOn: '2026-03-01' }),
  item: async ({ random }: World, { amount, applicationId, owner }: DepositStep) => {
    const { deposit } = await owner.deposits.get({ applicationId })
    const amountCents = random.below(3) === 0 ? amount : Math.ceil((deposit?.freeCents ?? 0) / 3)
    const category = random.pick(['unpaid', 'unpaid', 'damage'] as const)
    await owner.deposits.addItem({ applicationId, amountCents, label: 'x', category })
  },
  change: async ({ random }: World, { amount: amountCents, applicationId, owner }: DepositStep) => {
    const { deposit } = await owner.deposits.get({ applicationId })
    const item = deposit && deposit.items.length > 0 ? random.pick(deposit.items) : undefined
    if (item && random.below(2) === 0) await owner.deposits.removeItem({ itemId: item.id })
    else if (item) await owner.deposits.changeItem({ itemId: item.id, amountCents })
  },
  statement: (_: World, { applicationId, owner }: DepositStep) =>
    owner.deposits.sendStatement({ applicationId, requestId: randomUUID(), how: 'email', late: true }),
  keep: async ({ app }: World, { applicationId, guest, owner }: DepositStep) => {
    const statementId = (await guest.deposits.get({ applicationId })).deposit?.statements.at(-1)?.id
    if (statementId) await guest.deposits.agree({ applicationId, statementId })
    await owner.deposits.keep({ applicationId, note: 'We agreed.' })
    await tickDeposits(app.deps)
  },
  return: async ({ app, random }: World, { amount, applicationId, owner }: DepositStep) => {
    app.provider.setFault(
      random.pick([
        {},
        {},
        { hangUp: true },
        { hangUp: true, answerAfterTimeout: true },
        { status: 402 },
        { status: 500 },
      ]),
    )
    try {
      const amountCents = random.below(2) === 0 ? undefined : amount
      const route = random.pick(['source', 'source', 'hand'] as const)
      await owner.deposits.return({ applicationId, amountCents, route, hand: {}, requestId: randomUUID() })
    } finally {
      app.provider.setFault({})
    }
  },
  tick: ({ app }: World, _: DepositStep) => tickDeposits(app.deps),
}

/** Ignores what the provider itself rejects. */
function atProvider(act: () => unknown): void {
  try {
    act()
  } catch {}
}

/** Delivers events early, late, out of order, twice, or again long after. */
function deliver(world: World): Action {
  const { app, random, waiting } = world
  const isAgain = random.below(6) === 0
  const all = app.provider.events()
  const ids = Array.from({ length: 1 + random.below(8) }, () => {
    if (isAgain && all.length > 0) return random.pick(all).id
    return waiting.splice(random.below(2) === 0 ? 0 : random.below(Math.max(1, waiting.length)), 1)[0]
  }).filter(id => id !== undefined)
  const times = 1 + random.below(2)
  return {
    name: `deliver ${ids.length} events${times > 1 ? ' twice' : ''}`,
    run: () =>
      Promise.all(
        ids.map(async id => {
          const answers = await app.provider.deliverEvent(id, times)
          if (!answers.includes(200)) waiting.push(id)
        }),
      ),
  }
}

function askRefund(world: World, request: RefundRequest, answered: 'soon' | 'slowly' | 'never'): Action {
  const { admins, app, random, refunded } = world
  const owner = app.as(random.pick(admins))
  const faults = {
    soon: {},
    slowly: { delayMs: 30 },
    never: random.pick([{ hangUp: true }, { hangUp: true, answerAfterTimeout: true }, { status: 500 }]),
  }
  return {
    name: `refund ${request.totalCents ?? 'all'} of ${request.paymentId}, answered ${answered}`,
    run: async () => {
      world.lastRefund = request
      app.provider.setFault(faults[answered])
      try {
        const { payment } = await owner.payments.refund(request)
        const known = refunded.get(payment.id) ?? new Map<string, number>()
        refunded.set(payment.id, known.set(request.requestId, request.totalCents ?? 1))
      } finally {
        app.provider.setFault({})
      }
    },
  }
}

function keep(world: World, rows: readonly { id: string; amount: number; paymentType: string }[]): void {
  for (const { amount, id, paymentType } of rows)
    world.unchangedRows.set(id, { amountCents: amount, type: paymentType })
}

const refusals = ['BAD_REQUEST', 'CONFLICT', 'NOT_FOUND', 'BAD_GATEWAY', 'SERVICE_UNAVAILABLE']

async function step(world: World): Promise<void> {
  const { app, log, random } = world
  for (const tenant of world.tenants)
    if (liveApplications(world).filter(({ userId }) => userId === tenant.userId).length < 2)
      await addApplication(world, tenant)
  const before = allPayments(world)
  for (const { applicationId, id } of before) if (applicationId) world.begunFor.set(id, applicationId)
  const closedBefore = closedApplications(world)
  const paidBefore = new Set(before.filter(({ paidAt }) => paidAt !== null).map(({ id }) => id))
  const count = random.below(3) === 0 ? 2 + random.below(4) : 1
  const actions = Array.from({ length: count }, () => drawAction(world))
  const results = await Promise.allSettled(actions.map(({ run }) => run()))
  for (const [i, result] of results.entries()) {
    const error = result.status === 'rejected' ? result.reason : undefined
    log.push(
      `${i > 0 ? '  and ' : ''}${actions[i]?.name}: ${error ? `${error.code ?? error} ${error.message}` : 'ok'}`,
    )
    if (error && !(error instanceof TRPCError && refusals.includes(error.code))) throw error
  }
  const closedSince = closedApplications(world)
  for (const { id, method, paidAt } of allPayments(world))
    if (method === 'card' && paidAt && !paidBefore.has(id)) {
      const application = world.begunFor.get(id) ?? ''
      if (closedBefore.has(application) && closedSince.has(application)) world.arrived.add(id)
    }
  const events = app.provider.events()
  world.waiting.push(...events.slice(world.eventCount).map(({ id }) => id))
  world.eventCount = events.length
}

const closedApplications = ({ app }: World) =>
  new Set(
    app.deps.db
      .select()
      .from(applications)
      .all()
      .filter(
        ({ deletedAt, status }) => deletedAt !== null || status === 'rejected' || status === 'cancelled',
      )
      .map(({ id }) => id),
  )

/** Computes the figures again directly from refunds and disputes, without the sums stored with each payment. */
function naivelyPaid(rows: readonly PaymentRow[], returned: ReturnType<typeof allReturned>): number {
  let cents = 0
  for (const row of rows) {
    if (row.voidedAt !== null || row.paidAt === null || row.type === 'deduction') continue
    if (row.method !== 'card') {
      cents += row.amountCents
      continue
    }
    if (row.status === 'returned') continue
    const { disputed, refunded } = returned(row.id)
    const total = row.amountCents + row.feeCents
    const gone = Math.min(total, refunded + disputed)
    cents += row.amountCents - (gone - Math.round((gone * row.feeCents) / total))
  }
  return cents
}

function allReturned({ app }: World) {
  const { db } = app.deps
  const back = Map.groupBy(db.select().from(refunds).all(), row => row.paymentId)
  const disputed = Map.groupBy(db.select().from(disputes).all(), row => row.paymentId)
  return (id: string) => ({
    refunded: sumOver(
      (back.get(id) ?? []).filter(({ status }) =>
        ['pending', 'requires_action', 'succeeded'].includes(status),
      ),
      ({ totalCents }) => totalCents,
    ),
    corrected: sumOver(
      (back.get(id) ?? []).filter(
        ({ purpose, status }) =>
          purpose === 'refund' && ['pending', 'requires_action', 'succeeded'].includes(status),
      ),
      ({ totalCents }) => totalCents,
    ),
    disputed: sumOver(
      (disputed.get(id) ?? []).filter(({ status }) =>
        ['needs_response', 'under_review', 'lost'].includes(status),
      ),
      ({ totalCents }) => totalCents,
    ),
  })
}

async function checkInvariants(world: World): Promise<Violation[]> {
  const { app, unchangedRows, random, refunded, removed } = world
  const { db } = app.deps
  const accounts = allAccounts(db)
  const { notices } = await app.as(random.pick(world.admins)).notices.list()
  const board = new Set(notices.map(({ id }) => id))
  const arrivals = accounts.flatMap(account =>
    account.rows.flatMap((payment): Arrival[] =>
      world.arrived.has(payment.id)
        ? [{ payment, account, isReported: board.has(`payment-${payment.id}`) }]
        : [],
    ),
  )
  const violations = violationsOf(accounts)
  const broken = [...violations, ...unreportedArrivals(arrivals)].filter(({ cause }) => cause === 'program')
  expect(broken.filter(({ invariant }) => !unenforcedInvariants.includes(invariant))).toEqual([])
  const told = notices.filter(({ id }) => id.startsWith('overdraft-')).map(({ title }) => title)
  expect(told.toSorted()).toEqual(violations.map(({ title }) => title).toSorted())

  const rows = allPayments(world)
  const byId = new Map(rows.map(row => [row.id, row]))
  const lost = [...unchangedRows].filter(([id, { amountCents, type }]) => {
    const row = byId.get(id)
    const isGone = row?.voidedAt !== null
    return row?.amountCents !== amountCents || row.type !== type || isGone !== removed.has(id)
  })
  expect(lost, 'rows that were answered and are not as they were').toEqual([])
  expect(
    [...removed].filter(id => byId.get(id)?.voidedAt === null),
    'rows that are there although their removal was answered',
  ).toEqual([])
  // A refund that was made may still fail.
  const failed = new Set(
    db
      .select()
      .from(refunds)
      .where(eq(refunds.status, 'failed'))
      .all()
      .map(row => row.paymentId),
  )
  for (const [id, requests] of refunded) {
    if (failed.has(id)) continue
    const row = byId.get(id)
    const least = [...requests.values()].reduce((sum, cents) => sum + cents, 0)
    expect((row?.refundedAmountCents ?? 0) + (row?.refundedFeeCents ?? 0)).toBeGreaterThanOrEqual(least)
  }

  const returned = allReturned(world)
  for (const account of accounts) {
    const naive = naivelyPaid(rowsOf(account, byId), returned)
    expect(paidCents(account.rows), `paid on ${account.label}`).toBe(naive)
    // What is kept cannot have been returned too, unless the provider took other money.
    const { afterRefundsCents, takenByProviderCents } = accountSums(account).paid
    const kept = keptOf(rowsOf(account, byId), row => row.voidedAt === null)
    expect(
      Math.min(0, afterRefundsCents + takenByProviderCents - kept),
      `kept on ${account.label} and given back`,
    ).toBe(0)
  }

  expectShared(world, accounts)
  expectDeposits(world, returned)
  await expectDepositSums(world, returned)
  return violations
}

/** The sums on a tenant's bookings add up to what was received minus what the provider took back (FIX-38). */
function expectShared(world: World, accounts: readonly Account[]): void {
  const live = new Map(liveApplications(world).map(row => [row.id, row]))
  for (const [userId, ofTenant] of Map.groupBy(accounts, account => account.userId)) {
    const shown = ofTenant.map(account => {
      const application = live.get(account.applicationId ?? '')
      const cents = paidCents(account.rows) - lostBefore(account, ofTenant).paidCents
      if (!application) return cents
      const { ended, paidCents: paid } = summaryOf(world.app.deps.db, application)
      expect(paid, account.label).toBe(cents)
      if (ended) expect(ended.paidCents - ended.returnedCents, account.label).toBe(Math.max(0, cents))
      return cents
    })
    expect(
      sumOver(shown, cents => cents),
      userId,
    ).toBe(sumOver(ofTenant, ({ rows }) => paidCents(rows)))
  }
}

/** All payments, with extra rows for moved money that was lost. */
function netRows(world: World): PaymentRow[] {
  const accounts = allAccounts(world.app.deps.db)
  const lost = accounts.flatMap(account => {
    const ofTenant = accounts.filter(({ userId }) => userId === account.userId)
    const rows = withoutLost(account.rows, lostBefore(account, ofTenant)).slice(account.rows.length)
    return rows.map(row => ({ ...row, applicationId: account.applicationId }) as unknown as PaymentRow)
  })
  return [...allPayments(world), ...lost]
}

/** Computes independently what is due and returned of each deposit. */
function expectDeposits(world: World, returned: ReturnType<typeof allReturned>): void {
  const rows = Map.groupBy(netRows(world), ({ applicationId }) => applicationId)
  for (const application of liveApplications(world)) {
    const { depositCents, id, number, status, totalCents } = application
    const own = (rows.get(id) ?? []).filter(
      ({ paidAt, status, voidedAt }) => voidedAt === null && paidAt !== null && status !== 'returned',
    )
    const deposits = own.filter(({ type }) => type === 'deposit' || type === 'deposit_transfer')
    const gone = (row: PaymentRow) => row.lostAmountCents + naivelyCorrected(row, returned)
    // Returned by hand for a stay that was reinstated: owed again.
    const owedAgain = sumOver(own, row => (row.type === 'deposit_return' ? row.correctedAmountCents : 0))
    const credited = sumOver(deposits, row => row.amountCents - gone(row)) - owedAgain
    const back =
      -owedAgain +
      sumOver(deposits, row => row.refundedAmountCents - gone(row)) -
      sumOver(own, ({ amountCents, type }) => (type === 'deposit_return' ? amountCents : 0))
    // After a cancellation only the charge for what was kept is owed.
    const hasNoDeposit = status === 'cancelled'
    const charged = totalCents > 0 && !hasNoDeposit ? (depositCents ?? 0) : 0
    // A deposit that was returned and then lost in a dispute is due again, once.
    const left = Math.min(charged, Math.max(0, Math.max(charged, credited) - back))
    const inHand = naivelyPaid(rows.get(id) ?? [], returned) + keptOf(own, row => row.paysBill)
    // What was kept of a cancelled stay and has gone back since is not owed again.
    const heldCents = Math.max(0, credited - back - keptOf(own, () => true))
    const owedCents =
      status === 'cancelled' ? Math.max(0, Math.min(totalCents, inHand - heldCents)) : totalCents
    expect(summaryOf(world.app.deps.db, application), number).toMatchObject({
      owedCents,
      depositDueCents: Math.max(
        0,
        (totalCents > 0 || hasNoDeposit ? charged : 500_00) - Math.max(0, credited),
      ),
      depositReturnedCents: charged - left,
      balanceCents: owedCents - inHand - (charged - left),
    })
    const { charges, summary } = listCharges(world.app.deps, world.admins[0] as SignedIn, id)
    const standing = charges.filter(charge => !('voidedAt' in charge && charge.voidedAt !== null))
    expect(sumOver(standing, ({ amountCents }) => amountCents)).toBe(summary.owedCents)
  }
}

const keptOf = (rows: readonly PaymentRow[], test: (row: PaymentRow) => boolean) =>
  sumOver(rows, row => (row.type === 'deduction' && test(row) ? -row.amountCents : 0))

/** The amount's part of the refunds of a deposit after which it is owed again. */
function naivelyCorrected(row: PaymentRow, returned: ReturnType<typeof allReturned>): number {
  const { corrected, refunded } = returned(row.id)
  const total = row.amountCents + row.feeCents
  const amountOf = (cents: number) => {
    const gone = Math.min(total, cents)
    return total === 0 ? 0 : gone - Math.round((gone * row.feeCents) / total)
  }
  return row.type === 'deposit' && row.paidAt !== null && row.status !== 'returned'
    ? amountOf(refunded) - amountOf(refunded - corrected)
    : 0
}

/** Every cent of a watched deposit is in one place, and what is under way is still there (DEP-06). */
async function expectDepositSums(world: World, returned: ReturnType<typeof allReturned>): Promise<void> {
  if (!world.isWatched) return
  const rows = Map.groupBy(netRows(world), ({ applicationId }) => applicationId)
  const { deposits } = await world.app.as(world.admins[0] as SignedIn).deposits.list()
  for (const deposit of deposits) {
    const own = (rows.get(deposit.applicationId) ?? []).filter(
      ({ paidAt, status, voidedAt }) => voidedAt === null && paidAt !== null && status !== 'returned',
    )
    const of = (type: string, cents: (row: PaymentRow) => number) =>
      sumOver(own, row => (row.type === type ? cents(row) : 0))
    const gone = (row: PaymentRow) => row.lostAmountCents + naivelyCorrected(row, returned)
    // Returned by hand for a stay that was reinstated: owed again.
    const owedAgain = of('deposit_return', row => row.correctedAmountCents)
    const moved = of('deposit_transfer', row => row.amountCents)
    const ofMoved = Math.min(owedAgain, Math.max(0, moved))
    const paid = of('deposit', row => row.amountCents - gone(row)) - (owedAgain - ofMoved)
    const receivedCents = Math.max(0, paid)
    const movedCents = moved - ofMoved + Math.min(0, paid)
    const returnedCents =
      of('deposit', row => row.refundedAmountCents - gone(row)) -
      of('deposit_return', row => row.amountCents) -
      owedAgain
    const keptCents = keptOf(own, () => true)
    const left = receivedCents + movedCents - returnedCents - keptCents
    expect(deposit, deposit.applicationNumber).toMatchObject({
      receivedCents,
      movedCents,
      returnedCents,
      keptCents,
      heldCents: Math.max(0, left),
      shortCents: Math.max(0, -left),
    })
    const { claimedCents, freeCents, heldCents, onItsWayCents } = deposit
    for (const cents of [receivedCents, returnedCents, keptCents, onItsWayCents, freeCents])
      expect(cents).toBeGreaterThanOrEqual(0)
    expect(freeCents).toBeLessThanOrEqual(Math.max(0, heldCents - claimedCents - onItsWayCents))
    const keptItems = sumOver(deposit.items, ({ amountCents, keptAt }) => (keptAt === null ? 0 : amountCents))
    expect(keptItems).toBe(keptOf(own, ({ id }) => keptIds(world).has(id)))
  }
}

/** The months of the books follow from each other, no deposit is below 0, and all is the money that came and went (BOOK-09 to BOOK-11). */
async function expectBooks({ admins, app }: World): Promise<void> {
  const owner = app.as(admins[0] as SignedIn)
  const { years } = await owner.books.year({ year: 2026 })
  let [held, untaxed, income] = [0, 0, 0]
  for (const year of years) {
    const { deposits, lines, taxes } = await owner.books.year({ year })
    income += lines.find(({ key }) => key === 'income')?.yearCents ?? Number.NaN
    for (let month = 0; month < 12; month++) {
      const of = (wanted: string) => deposits.find(({ key }) => key === wanted)?.months[month] ?? Number.NaN
      expect(of('opening')).toBe(held)
      held += of('received') + of('moved') - of('returned') - of('kept')
      expect(of('closing')).toBe(held)
      expect(held).toBeGreaterThanOrEqual(0)
      const ofTax = (wanted: string) => taxes[0]?.lines.find(({ key }) => key === wanted)?.months[month] ?? 0
      expect(ofTax('opening')).toBe(untaxed)
      untaxed += ofTax('collected') - ofTax('givenBack')
      expect(ofTax('closing')).toBe(untaxed)
    }
  }
  const { db } = app.deps
  const counted = db.select().from(payments).all()
  const isMoney = ({ method, paidAt, type, voidedAt }: PaymentRow) =>
    paidAt !== null && voidedAt === null && method !== 'transfer' && type !== 'deduction'
  const rows = new Map(counted.filter(isMoney).map(row => [row.id, row]))
  const back = db
    .select()
    .from(refunds)
    .all()
    .filter(row => isRefundCounted(row.status))
  const lost = db
    .select()
    .from(disputes)
    .all()
    .filter(row => {
      const isReturned = rows.get(row.paymentId)?.status === 'returned'
      return isReturned ? isBankReturn(row.status) : row.status === 'lost'
    })
  const gone = Map.groupBy([...back, ...lost], ({ paymentId }) => paymentId)
  const left = sumOver([...rows.values()], ({ amountCents, feeCents, id }) => {
    const goneCents = sumOver(gone.get(id) ?? [], ({ totalCents }) => totalCents)
    // A dispute takes at most what refunds have left.
    return goneCents === 0 ? amountCents + feeCents : Math.max(0, amountCents + feeCents - goneCents)
  })
  expect(income + held + untaxed, 'the books').toBe(left)
}

const keptIds = ({ app }: World) =>
  new Set(
    app.deps.db
      .select({ id: depositItems.paymentId })
      .from(depositItems)
      .all()
      .map(({ id }) => id),
  )

const sumOver = <T>(items: readonly T[], cents: (item: T) => number) =>
  items.reduce((sum, item) => sum + cents(item), 0)

const rowsOf = ({ rows }: Account, byId: Map<string, PaymentRow>) =>
  rows.flatMap(({ id }) => byId.get(id) ?? [])

/** Handles all waiting events, then expects the ledger to match the provider and `verify` to find the same violations. */
async function expectTruth(world: World): Promise<void> {
  const { app } = world
  app.provider.setFault({})
  app.advance(3 * 60 * minuteMs)
  for (const { id } of app.provider.events()) await app.provider.deliverEvent(id)
  await sweepPayments(app.deps)
  await tickDeposits(app.deps)
  await tickDeposits(app.deps)
  for (const { id } of app.provider.events()) await app.provider.deliverEvent(id)
  const truth = app.provider.truth()
  const paidByCard = allPayments(world).filter(({ method, paidAt }) => method === 'card' && paidAt)
  for (const [sessionId, rows] of Map.groupBy(paidByCard, row => row.checkoutSessionId ?? '')) {
    if (rows.some(({ voidedAt }) => voidedAt)) continue
    const { amount_total, disputed, paid, refunded } =
      truth[sessionId] ?? expect.fail('a payment from nowhere')
    expect(paid).toBe(amount_total)
    const left = paid - refunded - disputed
    const kept = sumOver(rows, row => creditedCents(row) + feeKeptCents(row))
    expect(kept, `what is left of ${rows.map(({ id }) => id)}`).toBe(left)
  }
  expect(
    app.deps.db
      .select()
      .from(refunds)
      .all()
      .filter(({ status }) => status === 'requested'),
  ).toEqual([])
  const violations = await checkInvariants(world)
  await expectSameMoney(app, world.admins[0] as SignedIn, world.tenants)
  await expectBooks(world)
  const { faults } = await verifyStore(app.deps.config, () => {})
  expect(faults.toSorted()).toEqual(
    violations.map(({ sentence, title }) => `${title}: ${sentence}`).toSorted(),
  )
}

test(
  `random interleavings of money movements keep the ledger invariants and the amounts due of deposits and every cent in one place [FIX-05, FIX-09, CHG-30, CHG-33, CHG-34, DEP-06]`,
  async () => {
    for (let w = 0; w < worlds; w++) {
      const world = await makeWorld(testRandom(w), w % 2 === 1)
      try {
        for (let i = 0; i < stepsEach; i++) {
          await step(world)
          await checkInvariants(world)
          if (i % 10 > 0) continue
          await expectSameMoney(world.app, world.admins[0] as SignedIn, world.tenants)
          await expectBooks(world)
        }
        await expectTruth(world)
      } catch (error) {
        throw new Error(`SEED=${seed}, world ${w}, after:\n${world.log.slice(-25).join('\n')}`, {
          cause: error,
        })
      }
    }
  },
  isLong ? 60 * 60_000 : 180_000,
)
