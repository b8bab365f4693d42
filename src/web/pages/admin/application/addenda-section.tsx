import { api } from '../../../api/api.ts'
import {
  AddendumBadge,
  AddendumFacts,
  type AddendumView,
  addendumTitle,
} from '../../../features/addenda/addendum-facts.tsx'
import { toastFailure } from '../../../forms/failure-toast.ts'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toast.ts'
import { useInvalidateApplication } from './application-data.ts'

/** The addenda to a signed lease. */
export function AddendaSection({ addenda }: { addenda: AddendumView[] }) {
  const invalidate = useInvalidateApplication()
  const withdraw = api.addenda.withdraw.useMutation({
    onSuccess: () => toast.success('Addendum withdrawn'),
    onError: error => void toastFailure(error, 'Failed to withdraw the addendum'),
    onSettled: () => void invalidate(),
  })
  return (
    <section aria-label="Addenda" className="grid gap-4 border-t border-line pt-4">
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
    </section>
  )
}
