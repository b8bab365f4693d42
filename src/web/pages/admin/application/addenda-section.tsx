import { api } from '../../../api/api.ts'
import { AddendaList } from '../../../features/leases/addendum-facts.tsx'
import { toastFailure } from '../../../forms/failure-toast.ts'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toast.ts'
import { type Application, useAddenda, useInvalidateApplication } from './application-data.ts'

/** The addenda to a signed lease. */
export function AddendaSection({ application }: { application: Application }) {
  const query = useAddenda(application)
  const invalidate = useInvalidateApplication()
  const withdraw = api.addenda.withdraw.useMutation({
    onSuccess: () => toast.success('Addendum withdrawn'),
    onError: error => void toastFailure(error, 'Failed to withdraw the addendum'),
    onSettled: () => void invalidate(),
  })
  return (
    <section aria-label="Addenda" className="grid gap-4 border-t border-line pt-4">
      <AddendaList query={query}>
        {({ id, state }) =>
          state === 'open' && (
            <Button
              size="sm"
              variant="secondary"
              className="justify-self-start"
              busy={withdraw.isPending}
              busyLabel="Withdrawing..."
              onClick={() => withdraw.mutate({ addendumId: id })}
            >
              Withdraw
            </Button>
          )
        }
      </AddendaList>
    </section>
  )
}
