import { ArrowDownWideNarrow, ArrowUpNarrowWide, ListFilter, Search } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { applicationSorts } from '../../../../domain/bookings/application-query.ts'
import { statusLabel, submittedStatuses } from '../../../../domain/bookings/application-status.ts'
import { api } from '../../../api/api.ts'
import { LinkTabs } from '../../../routing/link-tabs.tsx'
import { Button } from '../../../ui/button.tsx'
import { RadioGroupField, SelectField } from '../../../ui/choice-fields.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { Field, inputClass } from '../../../ui/field.tsx'
import { type ListQuery, rememberSort, sortLabels, statusHref } from './list-query.ts'

type ListControlsProps = {
  query: ListQuery
  /** Changes the URL; with `replace`, Back skips the change. */
  onChange: (change: Partial<ListQuery>, options?: { replace: boolean }) => void
  /** The number of applications shown, next to the status filter. */
  children: ReactNode
}

export function ListControls({ query, onChange, children }: ListControlsProps) {
  const [filtering, setFiltering] = useState(false)
  const panelId = useId()
  const ascending = query.order === 'asc'
  const OrderIcon = ascending ? ArrowUpNarrowWide : ArrowDownWideNarrow
  return (
    <>
      <div className="flex flex-wrap items-center gap-2.5 px-4 pt-3.5 pb-1 sm:px-6">
        <h2 className="mr-auto text-lg leading-snug font-semibold text-navy max-lg:basis-full">
          Application Management
        </h2>
        <SearchField
          value={query.search}
          // Back undoes the whole search, not each letter.
          onSearch={search => onChange({ search }, { replace: query.search !== '' })}
        />
        <Button
          variant="secondary"
          aria-expanded={filtering}
          aria-controls={panelId}
          onClick={() => setFiltering(!filtering)}
        >
          <ListFilter aria-hidden />
          Filter
        </Button>
        <div
          className={classNames('flex items-center gap-2.5 max-sm:basis-full', !filtering && 'max-sm:hidden')}
        >
          <SelectField
            label="Sort by"
            hideLabel
            value={query.sort}
            className="max-sm:grow"
            onChange={event => {
              const sort = applicationSorts.find(sort => sort === event.target.value) ?? 'createdAt'
              onChange({ sort })
              rememberSort(sort)
            }}
          >
            {applicationSorts.map(sort => (
              <option key={sort} value={sort}>
                {sort === 'upcoming' ? sortLabels[sort] : `Sort by ${sortLabels[sort].toLowerCase()}`}
              </option>
            ))}
          </SelectField>
          {query.sort !== 'upcoming' && (
            <Button variant="secondary" onClick={() => onChange({ order: ascending ? 'desc' : 'asc' })}>
              <OrderIcon aria-hidden />
              {ascending ? 'Ascending' : 'Descending'}
            </Button>
          )}
        </div>
      </div>
      <div id={panelId} hidden={!filtering} className="px-4 py-2 sm:px-6">
        <StatusFilter status={query.status} onChange={status => onChange({ status })} />
      </div>
      <div className="flex flex-wrap items-center justify-between gap-x-4 border-line sm:border-b">
        <StatusTabs query={query} />
        <div className="px-4 sm:px-6">{children}</div>
      </div>
    </>
  )
}

/** All statuses with their counts, always visible; the URL stores the selected status. */
function StatusTabs({ query }: { query: ListQuery }) {
  const counts = api.applications.adminCounts.useQuery().data?.counts
  const tabs = [undefined, ...shownStatuses(counts, query.status)].map(status => ({
    href: statusHref(status, query),
    isCurrent: query.status === status,
    content: (
      <>
        {status ? labelOf(status) : 'All'}{' '}
        <span className="min-w-2 font-normal tabular-nums">{counts?.[status ?? 'total']}</span>
      </>
    ),
  }))
  return (
    <LinkTabs
      label="Applications by status"
      tabs={tabs}
      className="min-w-0 px-4 max-sm:basis-full max-sm:border-b max-sm:border-line sm:-mb-px sm:px-6"
    />
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
        ...shownStatuses(counts, status).map(choice => ({
          value: choice,
          label: counted(labelOf(choice), counts?.[choice]),
        })),
      ]}
    />
  )
}

/** The spec's four, and 'Cancelled' while there are any (CHANGE-02). */
const shownStatuses = (counts: { cancelled?: number | undefined } | undefined, chosen: ListQuery['status']) =>
  submittedStatuses.filter(
    status => status !== 'cancelled' || chosen === status || (counts?.cancelled ?? 0) > 0,
  )

const labelOf = (status: string) => statusLabel(status, 'dashboard')

const debounceMs = 300

/** Searches when typing pauses. Follows the URL if that changes in another way, such as by Back. */
function SearchField({ value, onSearch }: { value: string; onSearch: (text: string) => void }) {
  const [text, setText] = useState(value)
  const searched = useRef(value)
  const search = useEffectEvent(onSearch)

  useEffect(() => {
    if (value === searched.current) return
    searched.current = value
    setText(value)
  }, [value])

  useEffect(() => {
    const wanted = text.trim()
    if (wanted === searched.current) return
    const timer = setTimeout(() => {
      searched.current = wanted
      search(wanted)
    }, debounceMs)
    return () => clearTimeout(timer)
  }, [text])

  return (
    <Field
      label={<span className="sr-only">Search applications</span>}
      className="min-w-0 grow basis-44 sm:max-w-sm lg:max-w-80"
    >
      {control => (
        <div className="relative">
          <Search
            aria-hidden
            className="pointer-events-none absolute top-1/2 left-3 size-4.5 -translate-y-1/2 text-muted"
          />
          <input
            {...control}
            type="search"
            value={text}
            maxLength={200}
            autoComplete="off"
            spellCheck={false}
            placeholder="Name, email, phone"
            className={`${inputClass} pl-10`}
            onChange={event => setText(event.target.value)}
          />
        </div>
      )}
    </Field>
  )
}
