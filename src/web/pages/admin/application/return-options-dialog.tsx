import { paymentTypeLabels } from '../../../../domain/ledger.ts'
import { formatCents } from '../../../../domain/money.ts'
import { api } from '../../../api/api.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { type Application, type OpenModal, usePayments } from './application-data.ts'

/** A declined application that was paid for: what can be done with the money, payment by payment. */
export function ReturnOptionsDialog({ application, open }: { application: Application; open: OpenModal }) {
  const preview = api.applications.adminStatusPreview.useQuery(
    { id: application.id },
    { staleTime: 0, gcTime: 0 },
  )
  const payments = usePayments(application).data?.payments ?? []
  const returnTo = { kind: 'money-back' } as const
  return (
    <Dialog
      open
      onOpenChange={() => open(undefined)}
      title="Give the money back"
      footer={
        <>
          <Button variant="secondary" onClick={() => open({ kind: 'transfer', returnTo })}>
            Transfer Amount
          </Button>
          <Button onClick={() => open(undefined)}>Done</Button>
        </>
      }
    >
      <QueryView query={preview} loading="Loading..." error="Failed to load payment history">
        {({ paidCents, paymentsToRefund }) =>
          paidCents <= 0 ? (
            <Notice tone="success">Nothing of the tenant’s money is left on this application.</Notice>
          ) : (
            <>
              <p className="mb-3">
                The application is declined, and <strong>{formatCents(paidCents)}</strong> of the tenant’s
                money is still on it.
              </p>
              <ul className="divide-y divide-line">
                {paymentsToRefund.map(({ id, type, method, amountCents }) => {
                  const payment = payments.find(known => known.id === id)
                  return (
                    <li key={id} className="flex flex-wrap items-center justify-between gap-3 py-2.5">
                      <span>
                        <span className="font-semibold text-navy tabular-nums">
                          {formatCents(amountCents)}
                        </span>{' '}
                        <span className="text-muted">
                          {paymentTypeLabels[type]}, {methodLabels[method]}
                        </span>
                      </span>
                      {method === 'card' && payment ? (
                        <Button
                          size="sm"
                          variant="secondary"
                          onClick={() => open({ kind: 'refund', payment, returnTo })}
                        >
                          Refund to card
                        </Button>
                      ) : (
                        <Button
                          size="sm"
                          variant="secondary"
                          onClick={() =>
                            open({
                              kind: 'give-back',
                              amountCents: Math.min(amountCents, paidCents),
                              returnTo,
                            })
                          }
                        >
                          Note money given back
                        </Button>
                      )}
                    </li>
                  )
                })}
              </ul>
            </>
          )
        }
      </QueryView>
    </Dialog>
  )
}

const methodLabels = { card: 'by card', manual: 'by hand', transfer: 'by transfer' }
