import { ArrowDownWideNarrow, ArrowUpNarrowWide, ListFilter } from 'lucide-react'
import { useId, useState } from 'react'
import { applicationSorts } from '../../../../domain/application-list.ts'
import { statusLabel, submittedStatuses } from '../../../../domain/application-status.ts'
import { api } from '../../../api/api.ts'
import { Button } from '../../../ui/button.tsx'
import { RadioGroupField, SelectField } from '../../../ui/choice-fields.tsx'
import { type ListQuery, sortLabels } from './list-query.ts'
import { SearchField } from './search-field.tsx'

type ListControlsProps = {
  query: ListQuery
  /** Changes the address; with `replace`, Back skips the change. */
  onChange: (change: Partial<ListQuery>, options?: { replace: boolean }) => void
}

export function ListControls({ query, onChange }: ListControlsProps) {
  const [filtering, setFiltering] = useState(query.status !== undefined)
  const panelId = useId()
  const ascending = query.order === 'asc'
  const OrderIcon = ascending ? ArrowUpNarrowWide : ArrowDownWideNarrow
  return (
    <div className="border-b border-line px-4 py-3">
      <div className="flex flex-wrap items-center gap-2.5">
        <SearchField
          value={query.search}
          // Back undoes the whole search, not letter by letter.
          onSearch={search => onChange({ search }, { replace: query.search !== '' })}
        />
        <Button
          variant="secondary"
          aria-expanded={filtering}
          aria-controls={panelId}
          onClick={() => setFiltering(!filtering)}
        >
          <ListFilter aria-hidden />
          {query.status ? `Status: ${labelOf(query.status)}` : 'Filter'}
        </Button>
        <div className="flex grow items-center justify-end gap-2.5 max-sm:basis-full">
          <SelectField
            label="Sort by"
            hideLabel
            value={query.sort}
            className="max-sm:grow"
            onChange={event =>
              onChange({ sort: applicationSorts.find(sort => sort === event.target.value) ?? 'createdAt' })
            }
          >
            {applicationSorts.map(sort => (
              <option key={sort} value={sort}>
                Sort by {sortLabels[sort].toLowerCase()}
              </option>
            ))}
          </SelectField>
          <Button variant="secondary" onClick={() => onChange({ order: ascending ? 'desc' : 'asc' })}>
            <OrderIcon aria-hidden />
            {ascending ? 'Ascending' : 'Descending'}
          </Button>
        </div>
      </div>
      <div id={panelId} hidden={!filtering} className="pt-3">
        <StatusFilter status={query.status} onChange={status => onChange({ status })} />
      </div>
    </div>
  )
}

type StatusFilterProps = { status: ListQuery['status']; onChange: (status: ListQuery['status']) => void }

function StatusFilter({ status, onChange }: StatusFilterProps) {
  const counts = api.applications.adminCounts.useQuery().data?.counts
  const counted = (label: string, count: number | undefined) =>
    count === undefined ? label : `${label} (${count})`
  return (
    <RadioGroupField
      label="Status"
      name="status"
      value={status ?? 'all'}
      onChange={event => onChange(submittedStatuses.find(choice => choice === event.target.value))}
      options={[
        { value: 'all', label: counted('All', counts?.total) },
        ...submittedStatuses.map(choice => ({
          value: choice,
          label: counted(labelOf(choice), counts?.[choice]),
        })),
      ]}
    />
  )
}

const labelOf = (status: string) => statusLabel(status, 'dashboard')
