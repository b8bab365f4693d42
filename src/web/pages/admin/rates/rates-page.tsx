import { CalendarRange, Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import type { Rate } from '../../../../domain/money/rate.ts'
import { api } from '../../../api/api.ts'
import { toastFailure } from '../../../forms/failure-toast.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { toast } from '../../../ui/toast.ts'
import { AreaPage } from '../area.tsx'
import { StayLengthCard } from '../settings/booking-rules-card.tsx'
import { RateForm } from './rate-form.tsx'
import { overlapsOf, RatesTable } from './rates-table.tsx'

export function RatesPage() {
  const query = api.rates.listAll.useQuery()
  const { editing, copied, open, copy, close, forget } = useRateEditor()
  const addButton = (
    <Button
      variant={editing ? 'secondary' : 'primary'}
      // Reserves space while rates load, so that the table below does not move.
      className={query.data ? undefined : query.isError ? 'hidden' : 'invisible'}
      onClick={() => open('new')}
    >
      <Plus aria-hidden />
      Add Rate
    </Button>
  )
  const rates = query.data?.rates ?? []
  return (
    <AreaPage area="rates" subtitle="Manage rental rates and pricing periods" action={addButton}>
      {editing && (
        <RateForm
          key={`${editing === 'new' ? 'new' : editing.id} ${copied?.id}`}
          rate={editing === 'new' ? undefined : editing}
          copied={copied}
          rates={rates}
          onCopy={copy}
          onClose={close}
        />
      )}
      {/* On a phone each rate is a separate card. */}
      <Card
        aria-label="Rates"
        className={rates.length > 0 ? 'max-sm:border-0 max-sm:bg-transparent max-sm:shadow-none' : undefined}
      >
        <QueryView
          query={query}
          loading="Loading rates..."
          error="Failed to load rates"
          empty={data =>
            data.rates.length === 0 && (
              <EmptyState
                icon={<CalendarRange />}
                title="No rates found"
                hint="Get started by creating your first rate period."
              />
            )
          }
        >
          {data => <Rates rates={data.rates} onEdit={open} onDeleted={forget} />}
        </QueryView>
      </Card>
      <div className={classNames('mt-6 max-w-3xl', query.isPending && 'invisible')}>
        <StayLengthCard />
      </div>
    </AreaPage>
  )
}

type RatesProps = {
  rates: readonly Rate[]
  onEdit: (rate: Rate) => void
  onDeleted: (rate: Rate) => void
}

function Rates({ rates, onEdit, onDeleted }: RatesProps) {
  const { deleteRate, deletingId } = useDeleteRate(onDeleted)
  return (
    <>
      <RatesTable
        rates={rates.toSorted((a, b) => Number(b.isActive) - Number(a.isActive))}
        onEdit={onEdit}
        onDelete={rate => void deleteRate(rate)}
        deletingId={deletingId}
      />
      {rates.some(rate => overlapsOf(rate, rates).length > 0) && (
        <p className="pt-3 text-[0.9375rem] text-muted sm:border-t sm:border-line sm:px-6 sm:py-3">
          Where active periods overlap, the shortest one sets the price of a night.
        </p>
      )}
    </>
  )
}

/** Tracks for which rate the form is open. When the form closes, the focus returns to the element that opened it. */
function useRateEditor() {
  const [editing, setEditing] = useState<Rate | 'new'>()
  const [copied, copy] = useState<Rate>()
  const opener = useRef<Element>(null)
  return {
    editing,
    copied,
    open: (rate: Rate | 'new') => {
      opener.current = document.activeElement
      setEditing(rate)
      copy(undefined)
    },
    copy: (rate: Rate) => {
      setEditing('new')
      copy(rate)
    },
    close: () => {
      setEditing(undefined)
      const back = opener.current?.isConnected ? opener.current : document.getElementById('main')
      if (back instanceof HTMLElement) back.focus()
    },
    /** Closes the form of a deleted rate without moving the focus. */
    forget: (rate: Rate) => {
      if (editing !== 'new' && editing?.id === rate.id) setEditing(undefined)
    },
  }
}

/** Deletes a rate after the owner has confirmed. */
function useDeleteRate(onDeleted: (rate: Rate) => void) {
  const utils = api.useUtils()
  const remove = api.rates.remove.useMutation()
  return {
    deletingId: remove.isPending ? remove.variables.id : undefined,
    deleteRate: async (rate: Rate) => {
      if (!window.confirm('Are you sure you want to delete this rate?')) return
      try {
        await remove.mutateAsync({ id: rate.id })
      } catch (error) {
        toastFailure(error, 'Failed to delete rate')
        return
      }
      toast.success('Rate deleted successfully')
      onDeleted(rate)
      document.getElementById('main')?.focus({ preventScroll: true })
      void utils.rates.invalidate()
    },
  }
}
