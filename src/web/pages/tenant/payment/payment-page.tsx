import { CreditCard } from 'lucide-react'
import { useEffect } from 'react'
import { Link, useSearchParams } from 'wouter'
import { testAccounts } from '../../../../domain/accounts/test-accounts.ts'
import { api, type Outputs } from '../../../api/api.ts'
import { type Site, useSite } from '../../../api/site.ts'
import { RecentPayments } from '../../../features/payments/recent-payments.tsx'
import { BackToApplication } from '../../../routing/back-link.tsx'
import { paths } from '../../../routing/paths.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'
import { combineQueries } from '../../../ui/combine-queries.ts'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Page } from '../../../ui/page.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { hasAnythingToPay, pickApplication, useAccount, usePlan } from './pay-target.ts'
import { PaymentForm, PlanCard } from './payment-form.tsx'

type Options = Outputs['payments']['options']

const maxShown = 5

export function PaymentPage() {
  const [search] = useSearchParams()
  const applicationId = search.get('applicationId') || undefined
  const options = api.payments.options.useQuery()
  // If the URL contains the application id, its plan and account are fetched together with the options.
  const firstId = applicationId ?? (options.data && pickApplication(options.data, undefined)?.id)
  const plan = usePlan(firstId)
  const account = useAccount(firstId)
  const isForeign = applicationId && options.data?.applications.every(({ id }) => id !== applicationId)
  const query = firstId && !isForeign ? combineQueries(combineQueries(options, plan), account) : options
  useProviderScript(useSite())
  const owesNothing = options.data?.cardPayments === true && !hasAnythingToPay(options.data, applicationId)
  return (
    <Page
      title={owesNothing ? 'Payments' : 'Make a payment'}
      subtitle={owesNothing ? undefined : 'On our payment provider’s secure page.'}
      back={<BackToApplication id={applicationId} />}
    >
      <div className="grid items-start gap-6 lg:not-has-[>:empty]:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="grid min-w-0 gap-6">
          <QueryView
            query={query}
            loading={<Skeleton className="h-[40rem] w-full rounded-card" />}
            error={
              options.isError
                ? 'The payment form could not be loaded.'
                : account.isError
                  ? 'Your balance could not be loaded.'
                  : 'Failed to load the payment plan'
            }
          >
            {found => (
              <>
                <Payable options={found} applicationId={applicationId} />
                {!owesNothing && (
                  <DemoNotice hasBank={firstId ? plan.data?.methods.bank === true : found.bankPayments} />
                )}
              </>
            )}
          </QueryView>
        </div>
        <div className="grid min-w-0 gap-6 empty:hidden">
          {(!options.data || hasAnythingToPay(options.data, applicationId)) && <WaysToPay />}
          {/* Last, so that nothing moves when there turn out to be no payments. */}
          <History applicationId={applicationId} />
        </div>
      </div>
    </Page>
  )
}

function DemoNotice({ hasBank }: { hasBank: boolean }) {
  const site = useSite()
  if (!site?.sandbox) return null
  return (
    <Notice
      tone="warning"
      title="This is a demo: no real money moves."
      action={
        site.mailbox && (
          <Button variant="secondary" size="sm" asChild>
            <a href="/sandbox/mailbox">Open the mailbox</a>
          </Button>
        )
      }
    >
      The next page is a stand-in that takes test cards only
      {site.mailbox ? ', and the receipts are in the demo’s mailbox.' : '.'}
      {hasBank &&
        ` Test accounts: ${testAccounts.arrives} arrives, ${testAccounts.fails} fails, ${testAccounts.isReturned} arrives and is returned; each step half a minute later.`}
    </Notice>
  )
}

/** The form, or the reason why nothing can be paid by card. */
function Payable({ options, applicationId }: { options: Options; applicationId: string | undefined }) {
  if (!options.cardPayments) {
    return (
      <>
        <Notice tone="info" title="Card payments are not set up">
          Please pay in one of the ways below.
        </Notice>
        <PlanCard applicationId={pickApplication(options, applicationId)?.id} />
      </>
    )
  }
  const isForeign = applicationId && !options.applications.some(({ id }) => id === applicationId)
  if (isForeign) {
    return (
      <Card>
        <EmptyState
          icon={<CreditCard />}
          title="Nothing can be paid for this application"
          hint="It was declined, or it is not one of yours."
          action={
            <Button asChild>
              <Link href={paths.payment()}>Pay for another application</Link>
            </Button>
          }
        />
      </Card>
    )
  }
  return <PaymentForm key={applicationId} options={options} applicationId={applicationId} />
}

function History({ applicationId }: { applicationId: string | undefined }) {
  const query = api.payments.history.useQuery({ applicationId })
  const ids = new Set(query.data?.payments.map(payment => payment.applicationId?.id))
  const { charges = [] } = useAccount(ids.size === 1 ? [...ids][0] : undefined).data ?? {}
  if (query.data?.payments.length === 0) return null
  return (
    <Card aria-label="Payment history">
      <CardHeader
        title="Payment history"
        action={
          query.data && (
            <Link href={paths.paymentHistory(applicationId)} className="link">
              {query.data.payments.length > maxShown ? 'View All Payments' : 'Receipts'}
            </Link>
          )
        }
      />
      <CardBody>
        <QueryView
          query={query}
          loading={<Skeleton className="h-40 w-full" />}
          error="Failed to load payment history"
        >
          {({ payments }) => <RecentPayments charges={charges} payments={payments.slice(0, maxShown)} />}
        </QueryView>
      </CardBody>
    </Card>
  )
}

/** The payment methods without a card fee. */
function WaysToPay() {
  const ways = api.site.waysToPay.useQuery()
  if (ways.data?.waysToPay.length === 0) return null
  return (
    <Card aria-label="Other ways to pay">
      <CardHeader title="Other ways to pay" />
      <CardBody className="py-3!">
        <QueryView
          query={ways}
          loading={<Skeleton className="h-66 w-full" />}
          error="Failed to load the other ways to pay"
        >
          {({ waysToPay }) =>
            waysToPay.map(({ name, instructions }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two payment methods may have the same name
              <Disclosure key={index} name="wayToPay" summary={name}>
                <p className="pb-3 pl-5.5 text-[0.9375rem] wrap-anywhere whitespace-pre-line text-muted">
                  {instructions}
                </p>
              </Disclosure>
            ))
          }
        </QueryView>
      </CardBody>
    </Card>
  )
}

const source = 'https://js.stripe.com/v3/'

type Provider = (publishableKey: string) => unknown
declare global {
  interface Window {
    Stripe?: Provider
  }
}

/**
 * Loads the card provider's fraud detection script, only on the payment page. Payments work without the script, so a
 * failure is only logged.
 */
function useProviderScript(site: Pick<Site, 'publishableKey'> | undefined): void {
  const publishableKey = site?.publishableKey
  useEffect(() => {
    if (publishableKey === undefined) return
    if (publishableKey === null) {
      console.warn('The card provider’s script is not loaded: no publishable key is set.')
      return
    }
    loadScript()
      .then(() => window.Stripe?.(publishableKey))
      .catch(error => console.warn('The card provider’s script could not be started:', error))
  }, [publishableKey])
}

function loadScript(): Promise<unknown> {
  if (window.Stripe) return Promise.resolve()
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = source
    script.async = true
    script.addEventListener('load', resolve)
    script.addEventListener('error', () => {
      // So that the next visit to the page retries.
      script.remove()
      reject(new Error(`${source} could not be loaded`))
    })
    document.head.append(script)
  })
}
