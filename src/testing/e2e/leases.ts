import type { ApplicationFormValues } from '../../domain/bookings/application-form.ts'
import { cardFeeCents } from '../../domain/common/money.ts'
import { adminToken, call } from './accounts.ts'
import { freeStay, makeApplication } from './applications.ts'
import type { Site } from './site.ts'

export type Terms = { rentalAmount?: number; depositAmount?: number }

/** Creates an approved application with a generated lease over REST. Returns its id and the hash of the lease text. */
export async function makeLease(
  site: Site,
  token: string,
  values: Partial<ApplicationFormValues> = {},
  terms: Terms = {},
) {
  const stay = freeStay()
  const id = await makeApplication(site, token, 'approved', { ...stay, ...values })
  const lease = await generateLease(site, id, {
    leaseStartDate: values.requestedStartDate ?? stay.requestedStartDate,
    leaseEndDate: values.requestedEndDate ?? stay.requestedEndDate,
    ...terms,
  })
  return { id, ...lease }
}

export async function generateLease(
  site: Site,
  id: string,
  terms: Terms & { leaseStartDate: string; leaseEndDate: string },
): Promise<{ leaseAgreement: string; leaseTextSha256: string }> {
  const owner = await adminToken(site)
  return call(site, 'POST', `/api/lease/generate/${id}`, {
    token: owner,
    body: { rentalAmount: 2500, depositAmount: 500, ...terms },
  })
}

/** A minimal scan in the format of its file name. */
export function scan(name = 'signed lease.pdf', sizeBytes = 2000) {
  const buffer = Buffer.alloc(sizeBytes, '%\n')
  buffer.write(
    '%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\n',
  )
  buffer.write('trailer<</Root 1 0 R>>\n%%EOF\n', sizeBytes - 40)
  return { name, mimeType: 'application/pdf', buffer }
}

/** Uploads a signed lease over REST: the tenant's own, or the administrator's. */
export async function uploadScan(
  site: Site,
  token: string,
  id: string,
  uploader: 'tenant' | 'admin' = 'tenant',
) {
  const [path, field] =
    uploader === 'admin'
      ? ['/api/application/admin/upload-lease', 'leaseFile']
      : ['/api/lease/upload-signed', 'signedLease']
  const file = scan()
  const form = new FormData()
  form.append('applicationId', id)
  form.append(field, new File([file.buffer], file.name, { type: file.mimeType }))
  const response = await fetch(`${site.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
}

type CheckoutOf = { id: string | undefined; cents: number; type: 'deposit' | 'rent' }

/** Opens a checkout for a card payment over REST, and returns the URL of the provider's page. */
export async function openCheckout(
  site: Site,
  token: string,
  { id, cents, type }: CheckoutOf,
): Promise<string> {
  const feeCents = cardFeeCents(cents)
  const { url } = await call(site, 'POST', '/api/payment/create-checkout-session', {
    token,
    body: {
      amount: cents,
      creditCardFee: feeCents,
      totalAmount: cents + feeCents,
      paymentType: type,
      applicationId: id,
      description: '',
    },
  })
  return url
}

/** Pays a checkout with the demo's test card. Returns the session id after the payment has arrived. */
export async function payCheckout(site: Site, token: string, url: string): Promise<string> {
  const sessionId = new URL(url).pathname.split('/').at(-1) ?? ''
  const body = new URLSearchParams({ action: 'pay', method: 'card', card: '4242 4242 4242 4242' })
  await fetch(url, { method: 'POST', body, redirect: 'manual' })
  const { payment } = await call(site, 'GET', `/api/payment/by-session/${sessionId}`, { token })
  if (payment.status !== 'succeeded') throw new Error(`the payment is ${payment.status}`)
  return sessionId
}

export async function payByCard(site: Site, token: string, checkout: CheckoutOf): Promise<string> {
  return payCheckout(site, token, await openCheckout(site, token, checkout))
}

/** Records a manual payment as the owner. */
export async function recordPayment(
  site: Site,
  id: string,
  payment: { amount: number; paymentType?: string; paymentDate?: string; checkNumber?: string },
) {
  await call(site, 'POST', '/api/payment/admin/manual-payment', {
    token: await adminToken(site),
    body: { paymentType: 'rent', checkNumber: '', notes: '', applicationId: id, ...payment },
  })
}
