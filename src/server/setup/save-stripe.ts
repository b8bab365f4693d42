import Stripe from 'stripe'
import type { z } from 'zod'
import type { Admin } from '../../domain/accounts/access.ts'
import { AppError, fieldError } from '../../domain/common/errors.ts'
import { isLiveKey, type stripeChange, stripeSection } from '../../domain/content/connections.ts'
import { mailConnectionChange } from '../auth/accounts/report-change.ts'
import { requireStepUp } from '../auth/factors/step-up.ts'
import type { Deps } from '../kernel/deps.ts'
import { readFact } from '../kernel/installation-facts.ts'
import { cardSource, readSealed, requireOwnSettings, saveSealed } from '../kernel/sealed-settings.ts'
import { whileNoneOpens } from '../money/payments/checkout/account-gate.ts'
import { leaveAccount } from '../money/payments/checkout/leave-account.ts'
import { restartCatchUp } from '../money/payments/reconcile/catch-up.ts'
import { connectProvider, isRefusal, requestOptions } from '../money/payments/stripe.ts'
import { webhookEvents } from '../money/payments/webhook-events.ts'
import { readSection, requireVersion, saveSectionIn } from '../site/settings.ts'
import { getStripe, webhookUrl } from './queries.ts'
import type { StripeView } from './views.ts'

type Endpoint = { id: string; secret: string }

/**
 * Saves the keys of card payments, and makes the webhook endpoint unless its secret is given. A key that may not make
 * one is saved all the same, and the owner enters the secret of an endpoint of their own (INST-19).
 * @throws AppError forbidden without a step-up; conflict if the server decides, for another version, or for another
 * account while a bank payment is on its way to the former one; bad_request for keys of two modes, or unknown to the
 * provider; provider_failed without its answer, also about open payments; unavailable with a damaged key
 */
export async function saveStripe(
  deps: Deps,
  actor: Admin,
  { version, body, secrets }: z.output<typeof stripeChange>,
): Promise<StripeView> {
  const { config, db, key } = deps
  requireStepUp(deps, db, actor)
  requireOwnSettings(cardSource(config))
  if (key.state !== 'ready')
    throw new AppError('unavailable', 'Secrets cannot be saved at the moment: the site’s key is damaged.')
  const { body: before } = readSection(db, stripeSection)
  requireVersion(db, stripeSection, { version, body: { ...before, ...body } })
  const formerKey = readSealed(deps, db, 'stripe.secretKey')
  const secretKey = secrets.secretKey ?? formerKey
  if (!secretKey) throw fieldError('secrets.secretKey', 'Please enter the secret key')
  if (isLiveKey(secretKey) !== isLiveKey(body.publishableKey))
    throw fieldError('secrets.secretKey', 'Please enter two live keys or two test keys, not one of each')

  const { stripe } = connectProvider(config.stripe.apiBase, secretKey, '')
  const account = await fetchAccount(stripe)
  const saved = { version, body, secrets, account, stripe, secretKey, formerKey }
  return secretKey === formerKey ? save(deps, actor, saved) : whileNoneOpens(() => save(deps, actor, saved))
}

type Keys = z.output<typeof stripeChange> & {
  account: { accountId: string; account: string }
  stripe: Stripe
  secretKey: string
  formerKey: string | undefined
}

async function save(
  deps: Deps,
  actor: Admin,
  { account, body, formerKey, secretKey, secrets, stripe, version }: Keys,
): Promise<StripeView> {
  const { db } = deps
  const { body: before } = readSection(db, stripeSection)
  const leave = secretKey === formerKey ? undefined : await leaveAccount(deps, stripe)
  // A restricted key may not name its account; then its payments tell.
  const isNamed = account.accountId !== '' && before.accountId !== ''
  const isSameAccount = isNamed
    ? account.accountId === before.accountId
    : (leave?.stays ?? formerKey !== undefined)
  const formerSecret = isSameAccount ? readSealed(deps, db, 'stripe.webhookSecret') : undefined
  const keepsEndpoint = secrets.secretKey === undefined && formerSecret !== undefined
  const made = secrets.webhookSecret || keepsEndpoint ? undefined : await makeEndpoint(deps, stripe)
  const endpoint: Endpoint =
    made ??
    (secrets.webhookSecret
      ? { id: '', secret: secrets.webhookSecret }
      : { id: formerSecret ? before.endpointId : '', secret: formerSecret ?? '' })

  await deps.write(tx => {
    requireStepUp(deps, tx, actor)
    const saved = { ...body, ...account, endpointId: endpoint.id }
    saveSectionIn(deps, tx, actor, stripeSection, { version, body: saved })
    saveSealed(deps, tx, actor, 'stripe.secretKey', secretKey)
    saveSealed(deps, tx, actor, 'stripe.webhookSecret', endpoint.secret)
    mailConnectionChange(deps, tx, actor, 'Card payments')
    leave?.write(tx)
    if (!isSameAccount) restartCatchUp(deps, tx)
  })
  // What cannot be removed sends events that are refused, and is removed at the next change.
  await removeFormer(deps, stripe, { keptId: endpoint.id, formerId: before.endpointId, formerKey }).catch(
    () => deps.log.warn('a former webhook endpoint could not be removed'),
  )
  return getStripe(deps)
}

/** The account's id and name; empty if the key may not read them. */
async function fetchAccount(stripe: Stripe): Promise<{ accountId: string; account: string }> {
  const found = await stripe.accounts.retrieveCurrent({}, requestOptions).catch(error => {
    if (error instanceof Stripe.errors.StripePermissionError) return undefined
    throw refusalOf(error)
  })
  const name = found?.settings?.dashboard.display_name || found?.business_profile?.name || found?.email
  return { accountId: found?.id ?? '', account: name || found?.id || '' }
}

/** Without the provider's own message, which quotes a part of the key. */
function refusalOf(error: unknown): AppError {
  if (!isRefusal(error))
    return new AppError('provider_failed', 'Stripe does not answer. Please try again later.')
  return fieldError('secrets.secretKey', 'Stripe does not accept this key. Please copy it again.')
}

/** Marks an endpoint as this site's own. */
const ownId = ({ db }: Pick<Deps, 'db'>) => readFact(db, 'store_id') ?? ''

/** Undefined if the provider does not let this key, or for this address, make one. */
async function makeEndpoint(deps: Deps, stripe: Stripe): Promise<Endpoint | undefined> {
  try {
    const { id, secret = '' } = await stripe.webhookEndpoints.create(
      {
        url: webhookUrl(deps),
        enabled_events: [...webhookEvents],
        api_version: Stripe.API_VERSION as Stripe.WebhookEndpointCreateParams.ApiVersion,
        metadata: { site: ownId(deps) },
      },
      requestOptions,
    )
    return { id, secret }
  } catch (error) {
    if (isRefusal(error)) return undefined
    throw refusalOf(error)
  }
}

type Former = { keptId: string; formerId: string; formerKey: string | undefined }

/**
 * Removes the endpoints that this site made before: those with its mark and address. One at another address may belong to
 * the site that this one is a copy of.
 */
async function removeFormer(
  deps: Deps,
  stripe: Stripe,
  { formerId, formerKey, keptId }: Former,
): Promise<void> {
  const isOwn = ({ id, metadata, url }: Stripe.WebhookEndpoint) =>
    id !== keptId && metadata.site === ownId(deps) && url === webhookUrl(deps)
  const accounts = [stripe]
  if (formerKey && formerId !== keptId)
    accounts.push(connectProvider(deps.config.stripe.apiBase, formerKey, '').stripe)
  for (const { webhookEndpoints } of accounts)
    for (const { id } of (await webhookEndpoints.list({ limit: 100 }, requestOptions)).data.filter(isOwn))
      await webhookEndpoints.del(id, {}, requestOptions)
}
