import { Pencil, Plus, Trash2 } from 'lucide-react'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { formatShortDate } from '../../../../domain/common/dates.ts'
import { api } from '../../../api/api.ts'
import { ConfirmAction } from '../../../forms/confirm-action.tsx'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { SetupCard } from '../../../ui/setup-card.tsx'
import { TextField } from '../../../ui/text-field.tsx'

type Rule = { id: string; name: string }
/** The initial content of the dialog: a stored rule, an empty form, or an example that is not saved yet. */
type EditedRule<R> = R | 'new' | 'example'
export type RuleDialogProps<R> = { edited: EditedRule<R>; onClose: () => void }

type RuleListCardProps<R extends Rule> = {
  title: string
  subtitle: string
  /** 'Fee' and 'fees'. */
  noun: string
  nouns: string
  query: ComponentProps<typeof QueryView<readonly R[]>>['query']
  emptyHint: string
  /** A description of what a rule charges, and when. */
  detailsOf: (rule: R) => string[]
  remove: (rule: R) => Promise<unknown>
  dialog: (props: RuleDialogProps<R>) => ReactNode
}

/** The owner's rules of one kind, which can be edited and removed, and a dialog to add a rule. */
export function RuleListCard<R extends Rule>(props: RuleListCardProps<R>) {
  const { title, subtitle, noun, nouns, query, emptyHint, detailsOf, remove, dialog } = props
  const [edited, setEdited] = useState<EditedRule<R>>()
  const [removed, setRemoved] = useState<R>()
  const addButton = (
    <Button variant="secondary" size="sm" onClick={() => setEdited('new')}>
      <Plus aria-hidden />
      Add {noun}
    </Button>
  )
  return (
    <SetupCard title={title} subtitle={subtitle} action={query.data?.length !== 0 && addButton}>
      <QueryView
        query={query}
        loading="Loading..."
        error={`Failed to load ${nouns}`}
        empty={rules =>
          rules.length === 0 && (
            <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
              <div>
                <p className="font-semibold text-navy">No {nouns} yet</p>
                <p className="text-muted">{emptyHint}</p>
              </div>
              <div className="flex flex-wrap gap-2 sm:flex-row-reverse">
                {addButton}
                <Button variant="ghost" size="sm" onClick={() => setEdited('example')}>
                  Fill in an example
                </Button>
              </div>
            </div>
          )
        }
      >
        {rules => (
          <ul className="divide-y divide-line">
            {rules.map(rule => (
              <RuleRow
                key={rule.id}
                name={rule.name}
                details={detailsOf(rule)}
                onEdit={() => setEdited(rule)}
                onRemove={() => setRemoved(rule)}
              />
            ))}
          </ul>
        )}
      </QueryView>
      {edited && dialog({ edited, onClose: () => setEdited(undefined) })}
      {removed && (
        <RemoveRule
          name={removed.name}
          noun={noun}
          remove={() => remove(removed)}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </SetupCard>
  )
}

type RuleRowProps = {
  name: string
  details: string[]
  onEdit: () => void
  onRemove: () => void
}

function RuleRow({ name, details, onEdit, onRemove }: RuleRowProps) {
  return (
    <li className="flex items-start justify-between gap-4 py-3 first:pt-0 last:pb-0">
      <div className="min-w-0">
        <span className="block font-semibold wrap-anywhere text-navy">{name}</span>
        <span className="block text-[0.9375rem] wrap-anywhere text-muted">{details.join(' · ')}</span>
      </div>
      <div className="-my-1 flex shrink-0">
        <IconButton label={`Edit ${name}`} onClick={onEdit}>
          <Pencil aria-hidden />
        </IconButton>
        <IconButton label={`Remove ${name}`} onClick={onRemove}>
          <Trash2 aria-hidden />
        </IconButton>
      </div>
    </li>
  )
}

type RemoveRuleProps = { name: string; noun: string; remove: () => Promise<unknown>; onClose: () => void }

function RemoveRule({ name, noun, remove, onClose }: RemoveRuleProps) {
  const invalidate = useInvalidateRules()
  return (
    <ConfirmAction
      title={`Remove ${name}?`}
      body="New estimates and leases go without it. Leases that have it keep it."
      confirmLabel="Remove"
      busyLabel="Removing..."
      action={async () => {
        await remove()
        return `${noun} removed`
      }}
      failedText={`Failed to remove ${noun.toLowerCase()}`}
      onSuccess={invalidate}
      onClose={onClose}
    />
  )
}

/** Reloads the rules, and what the public page shows about them. */
export function useInvalidateRules() {
  const utils = api.useUtils()
  return async () => {
    void utils.site.get.invalidate()
    await utils.charges.invalidate()
  }
}

type Validity = { validFrom: string | null; validTo: string | null }

/** Describes when a rule applies; empty if it always applies. */
export function describeValidity({ validFrom, validTo }: Validity): string[] {
  return [
    ...(validFrom ? [`Arrivals from ${formatShortDate(validFrom)}`] : []),
    ...(validTo ? [`Arrivals until ${formatShortDate(validTo)}`] : []),
  ]
}

/** The optional conditions of a rule, in a separate group. */
export function StayLimits({ children }: { children: ReactNode }) {
  return (
    <fieldset className="border-t border-line pt-5">
      <legend className="float-left w-full font-semibold text-navy">Only for some stays</legend>
      <p className="clear-both mb-4 text-[0.9375rem] text-muted">
        Optional. A field left empty sets no limit.
      </p>
      <div className="grid items-start gap-5 sm:grid-cols-2">{children}</div>
    </fieldset>
  )
}

type FieldProps = { name: string; error: string | undefined }

/** The range of arrival dates for which a rule applies. */
export function ValidityFields({ from, to }: { from: FieldProps; to: FieldProps }) {
  return (
    <>
      <TextField
        label="First arrival"
        type="date"
        hint="Example: the day a new rate takes effect."
        {...from}
      />
      <TextField label="Last arrival" type="date" hint="Example: the last day of the old rate." {...to} />
    </>
  )
}
