import { api } from '../../../api/api.ts'
import { AddendaList } from '../../../features/leases/addendum-facts.tsx'
import { useChange } from '../../../forms/change.ts'
import { Button } from '../../../ui/button.tsx'
import { type Application, useAddenda } from './application-data.ts'

/** The addenda to a signed lease. */
export function AddendaSection({ application }: { application: Application }) {
  const query = useAddenda(application)
  const { client } = api.useUtils()
  const withdraw = useChange('Failed to withdraw the addendum', async (addendumId: string) => {
    await client.addenda.withdraw.mutate({ addendumId })
    return 'Addendum withdrawn'
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
              onClick={() => withdraw.mutate(id)}
            >
              Withdraw
            </Button>
          )
        }
      </AddendaList>
    </section>
  )
}
