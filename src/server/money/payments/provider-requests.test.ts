import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type Stripe from 'stripe'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'
import { projectRoot } from '../../../../db/project-root.ts'
import { decodeForm, type FormValue } from '../../../sandbox/provider/form.ts'
import { type PaymentApp, paymentApp } from '../../../testing/build-payment.ts'
import { sweepPayments } from './checkout/sweep.ts'
import { catchUp } from './reconcile/catch-up.ts'

type Node = { type: string; start: number; [field: string]: unknown }
/** Where the code calls the SDK, as `file:line sdk.method`, and all parameter names that it can send. */
type Found = { calls: string[]; names: Set<string> }

// The requests of the owner's own keys are made in src/server/setup/card-payments.test.ts.
const sources = readdirSync(join(projectRoot, 'src/server'), { recursive: true, encoding: 'utf8' })
  .map(path => join('src/server', path))
  .filter(path => /\.tsx?$/.test(path) && !/\.test\.|server\/setup\//.test(path))

test('the strict provider accepts every request that the code can send, with all its parameters [FIX-04, FIX-08]', async () => {
  const found: Found = { calls: [], names: new Set() }
  for (const file of sources) collect(file, found)
  expect(found.calls.length).toBeGreaterThan(5)

  const app = await paymentApp()
  const record = recordRequests(app)
  await sendEverything(app)

  expect(record.refused).toEqual([])
  expect([...record.calls].toSorted()).toEqual(found.calls.toSorted())
  expect([...found.names].filter(name => !record.names.has(name))).toEqual([])
  expect(record.table()).toEqual({
    'GET /v1/checkout/sessions': ['created[gte]', 'limit'],
    'GET /v1/checkout/sessions/:id': ['expand[]'],
    'GET /v1/events': ['created[gte]', 'limit'],
    'GET /v1/payment_intents/:id': ['expand[]'],
    'GET /v1/refunds': ['charge', 'limit', 'payment_intent'],
    'POST /v1/checkout/sessions': [
      'allowed_payment_method_types[]',
      'cancel_url',
      'client_reference_id',
      'customer_email',
      'expires_at',
      'line_items[][price_data][currency]',
      'line_items[][price_data][product_data][description]',
      'line_items[][price_data][product_data][name]',
      'line_items[][price_data][unit_amount]',
      'line_items[][quantity]',
      'metadata[applicationId]',
      'metadata[applicationNumber]',
      'metadata[paymentId]',
      'metadata[paymentType]',
      'mode',
      'payment_intent_data[description]',
      'payment_intent_data[metadata][applicationId]',
      'payment_intent_data[metadata][applicationNumber]',
      'payment_intent_data[metadata][paymentId]',
      'payment_intent_data[metadata][paymentType]',
      'payment_method_options[us_bank_account][verification_method]',
      'success_url',
    ],
    'POST /v1/checkout/sessions/:id/expire': [],
    'POST /v1/refunds': [
      'amount',
      'metadata[leg]',
      'metadata[purpose]',
      'metadata[requestId]',
      'payment_intent',
      'reason',
    ],
  })
})

test('finds calls however they are written, and rejects uses of the SDK that are not calls', () => {
  const found: Found = { calls: [], names: new Set() }
  const text = `const { stripe } = requireProvider(deps)
    stripe.a.create({ one: 1, ...(x && { two: 2 }) }, { idempotencyKey: 'k' })
    await deps.provider
      .stripe.b
      .list({ three: { four: 4 } })
      .autoPagingToArray({ limit: 1 })
    stripe.webhooks.constructEvent(body)
    function params(): Stripe.RefundCreateParams { const deep = { five: 5 }; return deep }`
  collect('x.ts', found, text)
  expect(found.calls).toEqual(['x.ts:2 a.create', 'x.ts:5 b.list'])
  expect([...found.names]).toEqual(['one', 'two', 'three', 'four', 'five'])
  expect(() => collect('x.ts', found, 'const sessions = stripe.checkout.sessions')).toThrow('x.ts:1')
  expect(() => collect('x.ts', found, 'const { refunds } = provider.stripe')).toThrow('x.ts:1')
  expect(() => collect('x.ts', found, 'ask(stripe)')).toThrow('x.ts:1')
})

/** Makes every request to the provider, each with the most and the fewest parameters. */
async function sendEverything(app: PaymentApp) {
  await catchUp(app.deps, app.deps.clock.now().getTime())
  app.provider.holdDeliveries(true)
  const [tenant, admin] = [await app.makeTenant(), await app.makeAdmin()]
  const { id: applicationId } = await app.makeApplication(tenant, { submittedAt: '2026-03-01T17:00:00.000Z' })
  const rent = (amount: number) => ({ paymentType: 'rent' as const, amount })
  await app.offerBank()
  const byBank = await app.checkout(tenant, {
    ...rent(700_00),
    applicationId,
    providerMethod: 'us_bank_account',
  })
  app.provider.completeUnpaid(byBank.checkoutSessionId)
  app.provider.settle(byBank.checkoutSessionId, false)
  const failed = app.provider.events().find(({ type }) => type.endsWith('async_payment_failed'))
  expect(await app.provider.deliverEvent(failed?.id ?? '')).toEqual([200])
  const paid = await app.checkout(tenant, { applicationId, description: 'For June' })
  await app.checkout(tenant, rent(1000_00))
  await app.checkout(tenant, rent(1500_00))

  // The refund's events arrive before the payment's.
  app.provider.pay(paid.checkoutSessionId)
  const charge = app.provider.events().find(({ type }) => type === 'charge.succeeded')?.data
    .object as Stripe.Charge
  app.provider.refund(charge.id, 1_00)
  const refunded = app.provider.events().find(({ type }) => type === 'charge.refunded')
  expect(await app.provider.deliverEvent(refunded?.id ?? '')).toEqual([200])
  await app.as(tenant).payments.bySession({ sessionId: paid.checkoutSessionId })
  const refund = { paymentId: paid.id, totalCents: 2_00, requestId: 'e2f4f9ba-7a4f-4ad9-a4f5-0a2c3b5c8b11' }
  await app.as(admin).payments.refund(refund)
  app.provider.setFault({ answerAfterTimeout: true, hangUp: true, failNext: 2 })
  const unanswered = { ...refund, requestId: refund.requestId.replace('e2', 'e3') }
  await expect(app.as(admin).payments.refund(unanswered)).rejects.toThrow('did not answer')

  const body = { amountCents: 500_00, enabled: true, ruleId: 'general', since: null }
  await app.as(admin).settings.deposit.save({ version: 0, body })
  await app.as(admin).deposits.return({ applicationId, amountCents: 10_00, requestId: randomUUID() })

  app.provider.setFault({ failurePoint: 'before-work', failNext: 1 })
  await expect(app.checkout(tenant, { ...rent(1000_00), applicationId })).rejects.toThrow('Failed')
  app.provider.setFault({})
  await app.checkout(tenant, { ...rent(1000_00), applicationId })
  app.advance(5 * 60_000)
  expect(await sweepPayments(app.deps)).toMatchObject({ reachable: true })
}

/** Records both ends: which lines of the code call the SDK, and which HTTP requests arrive. */
function recordRequests({ deps, provider }: PaymentApp) {
  const calls = new Set<string>()
  const refused: string[] = []
  const requests = new Map<string, Set<string>>()
  if (!deps.provider) throw new Error('no provider')
  deps.provider.stripe = watched(deps.provider.stripe, [], calls)
  const { handle } = provider
  provider.handle = async request => {
    const answer = await handle(request)
    const [path = '', query = ''] = request.path.split('?')
    const pattern = `${request.method} ${path.replace(/\/(cs|pi|ch|re)_[^/]+/, '/:id')}`
    const known = requests.get(pattern) ?? new Set()
    requests.set(pattern, known)
    for (const name of namesOf(decodeForm(query || request.body))) known.add(name)
    if (answer.status >= 400 && answer.status < 500) refused.push(`${pattern}: ${answer.body}`)
    return answer
  }
  return {
    calls,
    refused,
    /** Parameter names at any depth. */
    get names() {
      return new Set([...requests.values()].flatMap(set => [...set]).flatMap(name => name.split(/[[\]]+/)))
    },
    table: () =>
      Object.fromEntries([...requests].map(([pattern, names]) => [pattern, [...names].toSorted()])),
  }
}

function namesOf(value: FormValue, name = ''): string[] {
  if (typeof value === 'string') return [name]
  if (Array.isArray(value)) return value.flatMap(item => namesOf(item, `${name}[]`))
  return Object.entries(value).flatMap(([key, item]) => namesOf(item, name ? `${name}[${key}]` : key))
}

function watched<T extends object>(target: T, path: string[], calls: Set<string>): T {
  return new Proxy(target, {
    get(object, key) {
      const value: unknown = Reflect.get(object, key)
      if (typeof key !== 'string' || typeof value === 'undefined' || key.startsWith('_')) return value
      if (typeof value === 'function')
        return (...args: unknown[]) => {
          const caller = /\(?([^\s(]+\/src\/server\/[^:]+):(\d+):/.exec(
            new Error().stack?.split('\n')[2] ?? '',
          )
          const file = caller?.[1]?.replace(/^.*\/(?=src\/server\/)/, '')
          if (path[0] !== 'webhooks') calls.add(`${file}:${caller?.[2]} ${[...path, key].join('.')}`)
          return Reflect.apply(value, object, args)
        }
      return typeof value === 'object' && value !== null ? watched(value, [...path, key], calls) : value
    },
  })
}

function collect(file: string, found: Found, text = readFileSync(join(projectRoot, file), 'utf8')): void {
  const { program } = parseSync(file, text)
  const lineOf = ({ start }: Node) => text.slice(0, start).split('\n').length
  visit(program as unknown as Node, undefined)

  function visit(node: Node, parent: Node | undefined): void {
    const chain = chainOf(node)
    const at = chain.findIndex((name, i) => name === 'stripe' && chain[i - 1] !== 'config')
    const path = chain.slice(at + 1)
    if (at >= 0 && path.length === 0 && parent && isAlias(node, parent))
      throw new Error(`${file}:${lineOf(node)} hands the SDK on`)
    if (at >= 0 && path.length > 0 && !settings.includes(path[0] ?? '')) {
      if (parent?.type !== 'CallExpression' || parent.callee !== node)
        throw new Error(`${file}:${lineOf(node)} uses the SDK without calling it`)
      if (path[0] !== 'webhooks') {
        found.calls.push(`${file}:${lineOf(node.property as Node)} ${path.join('.')}`)
        for (const argument of parent.arguments as Node[])
          if (argument.type === 'ObjectExpression') collectNames(argument, found.names)
      }
      return
    }
    const returns = node.returnType as Node | null | undefined
    if (returns && /Stripe\.\S*Params/.test(text.slice(returns.start, returns.end as number)))
      collectNames(node, found.names)
    for (const child of children(node)) visit(child, node)
  }
}

/** Configuration properties on the same object. */
const settings = ['apiBase', 'publishableKey', 'secretKey', 'webhookSecret']

/** Whether the node is passed on or stored in a variable, so that its calls would use another name. */
function isAlias(node: Node, parent: Node): boolean {
  if (parent.type === 'CallExpression') return (parent.arguments as Node[]).includes(node)
  return parent.type === 'VariableDeclarator' && parent.init === node
}

/** `a.b.c` as a list of names; empty for any other expression. */
function chainOf(node: Node): string[] {
  if (node.type === 'Identifier') return [String(node.name)]
  if (node.type !== 'MemberExpression' || node.computed) return []
  const before = chainOf(node.object as Node)
  return before.length > 0 ? [...before, String((node.property as Node).name)] : []
}

/** The keys of all nested objects, except SDK options and database selects. */
function collectNames(node: Node, names: Set<string>): void {
  if (node.type === 'CallExpression' && chainOf(node.callee as Node).at(-1) === 'select') return
  const keys =
    node.type === 'ObjectExpression'
      ? (node.properties as Node[]).flatMap(({ key }) => String((key as Node | undefined)?.name ?? '') || [])
      : []
  if (keys.includes('idempotencyKey')) return
  for (const key of keys) names.add(key)
  for (const child of children(node)) collectNames(child, names)
}

function children(node: Node): Node[] {
  return Object.values(node)
    .flat()
    .filter((value): value is Node => typeof value === 'object' && value !== null && 'type' in value)
}
