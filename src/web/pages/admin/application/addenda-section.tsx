import { api } from '../../../api/api.ts'
import { AddendumBadge, AddendumFacts, addendumTitle } from '../../../features/leases/addendum-facts.tsx'
import { toastFailure } from '../../../forms/failure-toast.ts'
import { Button } from '../../../ui/button.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { toast } from '../../../ui/toast.ts'
import { type Application, type OpenModal, useInvalidateApplication } from './application-data.ts'
import { ModalButton } from './modal-button.tsx'

/** The addenda to a signed lease, and the way to a new one. */
export function AddendaSection({ application, open }: { application: Application; open: OpenModal }) {
  const query = api.addenda.list.useQuery({ applicationId: application.id })
  const invalidate = useInvalidateApplication()
  const withdraw = api.addenda.withdraw.useMutation({
    onSuccess: () => toast.success('Addendum withdrawn'),
    onError: error => void toastFailure(error, 'Failed to withdraw the addendum'),
    onSettled: () => void invalidate(),
  })
  return (
    <section aria-label="Addenda" className="grid gap-4 border-t border-line pt-4">
      <QueryView query={query} loading="Loading..." error="Failed to load the addenda">
        {({ addenda }) => (
          <>
            {addenda.length === 0 && <p className="text-muted">No addenda yet.</p>}
            {addenda.map(addendum => (
              <div key={addendum.id} className="grid gap-3">
                <div className="flex flex-wrap items-center justify-between gap-3">
                  <h3 className="font-semibold text-navy">{addendumTitle(addendum)}</h3>
                  <AddendumBadge state={addendum.state} />
                </div>
                {addendum.reason && <p className="text-muted wrap-anywhere">“{addendum.reason}”</p>}
                {addendum.state === 'open' && (
                  <>
                    <AddendumFacts {...addendum} />
                    <Button
                      size="sm"
                      variant="secondary"
                      className="justify-self-start"
                      busy={withdraw.isPending}
                      busyLabel="Withdrawing..."
                      onClick={() => withdraw.mutate({ addendumId: addendum.id })}
                    >
                      Withdraw
                    </Button>
                  </>
                )}
              </div>
            ))}
            {!addenda.some(({ state }) => state === 'open') && (
              <ModalButton open={open} modal={{ kind: 'new-addendum' }} className="justify-self-start">
                New Addendum
              </ModalButton>
            )}
          </>
        )}
      </QueryView>
    </section>
  )
}
