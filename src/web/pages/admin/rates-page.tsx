import { CalendarRange, Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import type { Rate } from '../../../domain/rate.ts'
import { api } from '../../api/api.ts'
import { toastFailure } from '../../forms/failure-toast.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { toast } from '../../ui/toast.ts'
import { overlapsOf } from './rates/overlaps.ts'
import { RateForm } from './rates/rate-form.tsx'
import { RatesTable } from './rates/rates-table.tsx'

export function RatesPage() {
  const query = api.rates.listAll.useQuery()
  const utils = api.useUtils()
  const remove = api.rates.remove.useMutation()
  const [editing, setEditing] = useState<Rate | 'new'>()
  const opener = useRef<Element>(null)

  const open = (rate: Rate | 'new') => {
    opener.current = document.activeElement
    setEditing(rate)
  }
  const close = () => {
    setEditing(undefined)
    const back = opener.current?.isConnected ? opener.current : document.getElementById('main')
    if (back instanceof HTMLElement) back.focus()
  }
  const deleteRate = async (rate: Rate) => {
    if (!window.confirm('Are you sure you want to delete this rate?')) return
    try {
      await remove.mutateAsync({ id: rate.id })
    } catch (error) {
      toastFailure(error, 'Failed to delete rate')
      return
    }
    toast.success('Rate deleted successfully')
    if (editing !== 'new' && editing?.id === rate.id) setEditing(undefined)
    document.getElementById('main')?.focus({ preventScroll: true })
    void utils.rates.invalidate()
  }

  const addButton = (
    <Button onClick={() => open('new')}>
      <Plus aria-hidden />
      Add Rate
    </Button>
  )
  const rates = query.data?.rates ?? []
  return (
    <Page
      title="Rates Management"
      subtitle="Manage rental rates and pricing periods"
      // Holds its place while rates load, so that the table below does not move; without rates the button stands there.
      action={<div className={rates.length > 0 ? undefined : 'invisible'}>{addButton}</div>}
    >
      {editing && (
        <RateForm
          key={editing === 'new' ? 'new' : editing.id}
          rate={editing === 'new' ? undefined : editing}
          rates={rates}
          onClose={close}
        />
      )}
      <Card aria-label="Rates">
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
                action={addButton}
              />
            )
          }
        >
          {data => (
            <div className="p-3 sm:p-2">
              <RatesTable
                rates={data.rates}
                onEdit={open}
                onDelete={rate => void deleteRate(rate)}
                deletingId={remove.isPending ? remove.variables.id : undefined}
              />
              {data.rates.some(rate => overlapsOf(rate, data.rates).length > 0) && (
                <p className="px-3 pt-3 pb-1 text-[0.9375rem] text-muted">
                  Where active periods overlap, the shortest one sets the price of a night.
                </p>
              )}
            </div>
          )}
        </QueryView>
      </Card>
    </Page>
  )
}
